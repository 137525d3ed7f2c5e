import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import { Failure, fail } from '#kit/describe/errors.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import type { App, Ctx, Language, OpenCtx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { signerOf, type Signer } from '#kit/server/seal/certificates.ts'
import { sealPdf } from '#kit/server/seal/seal.ts'
import type { Filled } from '../shapes.ts'
import { act } from './acts.ts'
import { fileNameOf, sealedOf, type StoredRequest, type StoredSigner } from './load.ts'
import { keepSealed, lookedAt, materialOf, within } from './material.ts'
import { byKey, question } from './page.ts'
import type { readers } from './readers.ts'
import { begun, filledFor } from './sealEach.ts'
import { checkedValues, signed, type OwnCertificate, type Signing } from './sign.ts'
import { refuseTurn } from './turn.ts'

/*
 * A signature by the signer's own certificate, which is what the law calls a secure one: either its file is
 * opened here, in memory and for one signature, or the paper is signed outside by the signer's own program
 * and handed back. Only a paper that is sealed after each signer has room for it.
 */

const at = (path: string, code: string) => new Failure('kit.badInput', {}, [{ path, code }])

/** Opened in a thread: its password may be stretched as long as its maker liked. */
async function opened(pkcs12: string, password: string, now: Date): Promise<Signer> {
  const found = await readIn<typeof readers>()('signing.certificate', {
    bytes: Buffer.from(pkcs12, 'base64'),
    password,
  })
  if ('fault' in found) {
    if (found.fault === 'wrongPassword') throw at('password', 'signing.certificatePassword')
    throw at('pkcs12', 'signing.certificateBroken')
  }
  const key = createPrivateKey({ key: Buffer.from(found.key), format: 'der', type: 'pkcs8' })
  const signer = signerOf(
    key,
    found.certificates.map((one) => new Uint8Array(one)),
  )
  if (now > signer.validUntil || now < signer.validFrom) throw at('pkcs12', 'signing.certificateEnded')
  const x509 = new X509Certificate(signer.certificate)
  // A self-issued identity proves nothing.
  if (x509.subject === x509.issuer) throw at('pkcs12', 'signing.certificateSelfMade')
  return signer
}

const toldOf = (signer: Signer): OwnCertificate => ({
  subject: signer.subject,
  issuer: signer.issuer,
  fingerprint: createHash('sha256').update(signer.certificate).digest('hex'),
})

/**
 * Resolves a key while no transaction is open: the form must exist before a signer's revision can follow it.
 */
async function ready(ctx: OpenCtx, key: string): Promise<{ app: App; companyId: string; requestId: string }> {
  const row = await rowOfKey(ctx, question(key))
  const m = await insideOf(ctx, row.company_id, (inside) => materialOf(inside, row.request_id))
  if (m.request.mode !== 'each') throw fail('signing.onlyEach')
  return { app: ctx.app, companyId: row.company_id, requestId: row.request_id }
}

/** The document with the signer's values filled in, after the last revision. */
async function revisionOf(inside: Ctx, r: StoredRequest, signerId: string, values: Record<string, Filled>) {
  const m = await materialOf(inside, r.id)
  const last = await sealedOf(inside, r.id)
  if (!last) throw new Error('the form is not made yet')
  const s = m.told.signers.find(({ id }) => id === signerId)!
  const filled = { ...s, values }
  const told = { ...m.told, signers: m.told.signers.map((one) => (one === s ? filled : one)) }
  return { m, last, place: await filledFor({ ...m, told }, last.bytes, filled) }
}

interface OwnSigning extends Signing {
  pkcs12: string
  password: string
}

/**
 * Signs by a certificate that is opened for this once: its revision is committed together with the signature,
 * and nothing of the certificate's key is kept.
 */
export async function signOwn(
  ctx: OpenCtx,
  { pkcs12, password, ...given }: OwnSigning,
): Promise<{ state: 'signed' | 'sealing' }> {
  const { app, companyId, requestId } = await ready(ctx, given.key)
  // A wrong password costs only the reading of the file; a signer whose turn it is not is refused before.
  await byKey(ctx, given.key, async (inside, { r, s }) => {
    refuseTurn(r, s, given.visit, inside.now)
    await checkedValues(inside, r, s, given.values)
  })
  const own = await opened(pkcs12, password, ctx.now)
  await begun(app, companyId, await within(app, companyId, (inside) => materialOf(inside, requestId)), true)
  return byKey(
    ctx,
    given.key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, given.visit, inside.now)
      const values = await checkedValues(inside, r, s, given.values)
      const { shown, seconds } = given
      const state = await signed(inside, r, s, {
        values,
        agent: ctx.agent,
        shown,
        seconds,
        certificate: toldOf(own),
      })
      const { m, last, place } = await revisionOf(inside, r, s.id, values)
      const bytes = sealPdf(last.bytes, own, { name: own.subject, reason: m.reason, at: inside.now }, place)
      await lookedAt(bytes)
      await keepSealed(inside, r.id, { no: last.no + 1, signerId: s.id, bytes, stamped: false })
      return { state }
    },
    true,
  )
}

/**
 * Fills in what the signer wrote and stores the file to be signed outside. Requested again, the newest counts.
 */
export async function prepareOutside(ctx: OpenCtx, given: Signing): Promise<{ done: true }> {
  const { app, companyId, requestId } = await ready(ctx, given.key)
  await begun(app, companyId, await within(app, companyId, (inside) => materialOf(inside, requestId)), true)
  return byKey(
    ctx,
    given.key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, given.visit, inside.now)
      const values = await checkedValues(inside, r, s, given.values)
      await act(inside, r, {
        kind: 'handedOut',
        signerId: s.id,
        agent: ctx.agent,
        detail: { how: s.identifiedHow ?? 'link', shown: given.shown, seconds: given.seconds },
      })
      const { last, place } = await revisionOf(inside, r, s.id, values)
      const bytes = place.additions.written()
      await sql`insert into sign_handouts (company_id, signer_id, base_no, bytes, values, shown, seconds)
        values (${inside.companyId}, ${s.id}, ${last.no}, ${bytes}, ${JSON.stringify(values)}, ${given.shown},
          ${given.seconds})
        on conflict (company_id, signer_id) do update set base_no = excluded.base_no, bytes = excluded.bytes,
        values = excluded.values, shown = excluded.shown,
          seconds = excluded.seconds, created_at = now()`.execute(inside.tx)
      return { done: true as const }
    },
    true,
  )
}

interface Handout {
  baseNo: number
  bytes: Buffer
  values: Record<string, Filled>
  shown: Language
  seconds: number
}

async function handoutOf(inside: Ctx, s: StoredSigner): Promise<Handout> {
  const { rows } =
    await sql<Handout>`select base_no as "baseNo", bytes, values, shown, seconds from sign_handouts
    where company_id = ${inside.companyId} and signer_id = ${s.id}`.execute(inside.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

/** The file to be signed outside, with the signer's fields filled in and an empty signature field. */
export const handout = (
  ctx: OpenCtx,
  { key, visit }: { key: string; visit?: string | undefined },
): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, { r, s }) => {
    refuseTurn(r, s, visit, inside.now)
    const { bytes } = await handoutOf(inside, s)
    return { bytes, mime: 'application/pdf', name: fileNameOf(r.name), inline: false }
  })

const whys: Record<string, string> = {
  other: 'signing.backOther',
  changed: 'signing.backChanged',
  unsigned: 'signing.backUnsigned',
  elsewhere: 'signing.backElsewhere',
  selfMade: 'signing.certificateSelfMade',
  broken: 'signing.backBroken',
}

/**
 * Takes the paper back: the very file that was handed out, with one signature more by a certificate of the
 * signer's own and nothing else.
 */
export async function handBack(
  ctx: OpenCtx,
  { key, visit, bytes: given }: { key: string; visit?: string | undefined; bytes: Uint8Array },
): Promise<{ state: 'signed' | 'sealing' }> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  const before = await byKey(ctx, key, async (inside, { r, s }) => {
    refuseTurn(r, s, visit, inside.now)
    return { out: await handoutOf(inside, s), role: s.role }
  })
  const found = await readIn<typeof readers>()('signing.handedBack', {
    bytes,
    handedOut: before.out.bytes,
    field: `sign.${before.role}`,
  })
  if ('why' in found) throw at('bytes', whys[found.why]!)
  return byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      const out = await handoutOf(inside, s)
      const last = await sealedOf(inside, r.id)
      // Somebody signed meanwhile, or the file was asked for again: what was signed is not the paper any more.
      if (!last || last.no !== out.baseNo || !out.bytes.equals(before.out.bytes)) throw fail('signing.moved')
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      await act(inside, r, { kind: 'handedBack', signerId: s.id, agent: ctx.agent, detail: { sha256 } })
      const state = await signed(inside, r, s, {
        values: out.values,
        agent: ctx.agent,
        shown: out.shown,
        seconds: out.seconds,
        certificate: found.certificate,
      })
      await keepSealed(inside, r.id, { no: last.no + 1, signerId: s.id, bytes, stamped: false })
      await sql`delete from sign_handouts where company_id = ${inside.companyId}
          and signer_id = ${s.id}`.execute(inside.tx)
      return { state }
    },
    true,
  )
}
