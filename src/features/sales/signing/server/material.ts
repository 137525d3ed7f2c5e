import { sql } from 'kysely'
import { asCaller, systemCaller, type App, type Ctx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { sealPdf, sealPdfStamped } from '#kit/server/seal/seal.ts'
import { StampError, stamperAt } from '#kit/server/seal/timeStamp.ts'
import { inTestBusiness } from '#kit/server/outside/testBusiness.ts'
import { say } from '#kit/server/words.ts'
import { companyOf, signerOf } from '#features/base/companies/server/index.ts'
import type { Filled } from '../shapes.ts'
import { act, actsOf } from './acts.ts'
import { sha256 } from './compose.ts'
import { consequenceOf } from './consequences.ts'
import type { Told } from './evidence.ts'
import { sendSealed } from './invite.ts'
import { fileOf, loadRequest, signersOf, type StoredRequest, type StoredSigner } from './load.ts'
import type { readers } from './readers.ts'
import { settingsOf } from './settings.ts'

export interface Upload {
  id: string
  signerId: string
  field: string
  name: string
  mime: string
  bytes: Buffer
  sha256: Buffer
}

/** Everything that the sealed file is made of, read in one transaction. */
export interface Material {
  request: StoredRequest
  told: Told
  uploads: Upload[]
  sealer: Awaited<ReturnType<typeof signerOf>>
  tsaUrl: string
  reason: string
}

export async function materialOf(ctx: Ctx, requestId: string): Promise<Material> {
  const request = await loadRequest(ctx, requestId)
  const signers = await signersOf(ctx, requestId)
  const company = await companyOf(ctx)
  const settings = await settingsOf(ctx)
  const { rows: uploads } =
    await sql<Upload>`select u.id, u.signer_id as "signerId", u.field, u.name, u.mime, u.bytes, u.sha256
      from sign_uploads u
    join sign_signers s on s.company_id = u.company_id and s.id = u.signer_id
    where u.company_id = ${ctx.companyId} and s.request_id = ${requestId} and s.state = 'signed'
    order by u.created_at`.execute(ctx.tx)
  // What would ask outside is not asked by a test business.
  const tsaUrl = (await inTestBusiness(ctx)) ? '' : settings.tsaUrl
  const told: Told = {
    request,
    signers,
    acts: await actsOf(ctx, requestId),
    file: await fileOf(ctx, request.fileId),
    company,
    uploads,
    stamped: tsaUrl !== '',
    at: ctx.now,
  }
  return {
    request,
    told,
    uploads,
    sealer: await signerOf(ctx),
    tsaUrl,
    reason: say(request.language, 'signing.sealReason', { name: request.name }),
  }
}

/** What a signer put in a field; a file is shown by its name. */
export function shownValue(
  m: Pick<Material, 'request' | 'uploads'>,
  s: StoredSigner,
  fieldId: string,
): Filled | undefined {
  const field = m.request.fields.find(({ id }) => id === fieldId)
  const value = s.values?.[fieldId]
  if (field?.kind === 'file') return m.uploads.find(({ id }) => id === value)?.name
  return value
}

/**
 * Seals, with the word of an authority where one is set. An authority that is silent leaves the job to be
 * tried again; on the last try the paper goes without.
 */
export async function sealed(
  app: App,
  pdf: Uint8Array,
  { sealer, tsaUrl, told, reason }: Material,
  isLast: boolean,
  place: Parameters<typeof sealPdf>[3] = {},
): Promise<{ bytes: Uint8Array; stamped: boolean }> {
  const words = { name: told.company.name, reason, at: told.at }
  if (tsaUrl)
    try {
      return {
        bytes: await sealPdfStamped(
          pdf,
          sealer,
          words,
          stamperAt(tsaUrl, { ...app.settings.webhooks, http: true }),
          place,
        ),
        stamped: true,
      }
    } catch (e) {
      if (!(e instanceof StampError) || !isLast) throw e
      app.log.warn({ err: e.message, request: told.request.id }, 'sealed without a time stamp')
    }
  return { bytes: sealPdf(pdf, sealer, words, place), stamped: false }
}

/** What goes out is read back first: every seal holds, and nothing came after. */
export async function lookedAt(bytes: Uint8Array): Promise<void> {
  const { verdict, seals } = await readIn<typeof readers>()('signing.verify', { bytes })
  if (verdict !== 'holds')
    throw new Error(`the sealed paper does not hold (${verdict}, ${seals.length} seals)`)
}

export const within = <T>(app: App, companyId: string, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  asCaller(app, systemCaller(companyId), '', work)

export async function keepSealed(
  ctx: Ctx,
  requestId: string,
  {
    no,
    signerId,
    bytes,
    stamped,
  }: { no: number; signerId: string | null; bytes: Uint8Array; stamped: boolean },
): Promise<void> {
  await sql`insert into sign_sealed (company_id, request_id, no, signer_id, bytes, sha256, stamped, at)
    values (${ctx.companyId}, ${requestId}, ${no}, ${signerId}, ${Buffer.from(bytes)}, ${sha256(bytes)},
      ${stamped}, ${ctx.now.toISOString()})`.execute(ctx.tx)
}

/** The paper is done: told, sent to all, and what follows from it begins. */
export async function finish(ctx: Ctx, r: StoredRequest, bytes: Uint8Array, stamped: boolean): Promise<void> {
  await act(ctx, r, { kind: 'sealed', detail: { sha256: sha256(bytes).toString('hex'), stamped } })
  await sql`update sign_requests set state = 'done', ended_at = ${ctx.now.toISOString()}, next_at = null,
      updated_at = now()
    where company_id = ${ctx.companyId} and id = ${r.id}`.execute(ctx.tx)
  await ctx.audit('signRequests.done', 'signRequests', r.id, undefined, { name: r.name })
  await sendSealed(ctx, r)
  if (consequenceOf(r.purpose)) await ctx.later('signing.follow', { requestId: r.id })
}
