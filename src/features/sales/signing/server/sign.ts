import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isDay } from '#domain/day.ts'
import { isTaxId } from '#domain/taxId.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { Failure, fail, type FieldError, failField } from '#kit/describe/errors.ts'
import { emailValue, phoneValue } from '#kit/fields/schema.ts'
import { newId, type Ctx, type Language, type OpenCtx } from '#kit/server/context.ts'
import { printableProblems } from '#kit/server/paper/fonts.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { kindOf } from '#features/base/files/server/index.ts'
import type { Filled, SignField } from '../shapes.ts'
import { act, canonical } from './acts.ts'
import { checkOf } from './consequences.ts'
import type { StoredRequest, StoredSigner } from './load.ts'
import { byKey } from './page.ts'
import { paidValue } from './payDoor.ts'
import { refuseTurn } from './turn.ts'
import { openNext } from './send.ts'

const isEmpty = (value: Filled | undefined): boolean =>
  value === undefined || value === false || (typeof value === 'string' && value.trim() === '')

/** What is wrong with a text, as the code of its refusal. */
function faultOf({ kind, check, options }: SignField, value: string): string | undefined {
  if (kind === 'date') return isDay(value) ? undefined : 'fields.day'
  if (kind === 'number') return parseDecimal4(value) === undefined ? 'fields.decimal' : undefined
  if (kind === 'choice') return options.includes(value) ? undefined : 'fields.choice'
  switch (check) {
    case 'email':
      return emailValue.safeParse(value).success ? undefined : 'fields.email'
    case 'phone':
      return phoneValue.safeParse(value).success ? undefined : 'fields.phone'
    case 'taxId':
      return isTaxId(value) ? undefined : 'fields.taxId'
    case 'digits':
      return /^\d+$/.test(value) ? undefined : 'signing.notDigits'
    case 'letters':
      return /^[\p{L}\p{M} '’"״׳־.-]+$/u.test(value) ? undefined : 'signing.notLetters'
    default:
      return undefined
  }
}

const mostPicture = 500_000

/**
 * A value as it will be printed, or the code of why it cannot be. Nothing that the paper's font has no
 * letters for is taken: it is said before, not after.
 */
function checked(
  field: SignField,
  given: Filled,
): { value: Filled } | { code: string; params?: Record<string, string> } {
  const isSign = field.kind === 'signature' || field.kind === 'initials'
  if (typeof given === 'boolean') return field.kind === 'tick' ? { value: given } : { code: 'fields.text' }
  if (typeof given === 'string') {
    if (field.kind === 'tick' || isSign) return { code: 'fields.need' }
    const text = given.trim()
    const problems = printableProblems(text)
    if (problems.length)
      return { code: 'signing.unprintable', params: { signs: problems.slice(0, 5).join(' ') } }
    const code = faultOf(field, text)
    return code ? { code } : { value: text }
  }
  if (!isSign) return { code: 'fields.text' }
  if ('typed' in given) {
    const problems = printableProblems(given.typed)
    return problems.length
      ? { code: 'signing.unprintable', params: { signs: problems.slice(0, 5).join(' ') } }
      : { value: given }
  }
  if ('picture' in given) {
    const bytes = Buffer.from(given.picture, 'base64')
    const size = bytes.length <= mostPicture ? imageSize(bytes) : null
    return size && size.width <= 4000 && size.height <= 4000
      ? { value: given }
      : { code: 'signing.badPicture' }
  }
  // A dot is no signature.
  return given.strokes.reduce((sum, stroke) => sum + stroke.length, 0) >= 3
    ? { value: given }
    : { code: 'fields.need' }
}

export async function checkedValues(
  ctx: Ctx,
  r: StoredRequest,
  s: StoredSigner,
  given: Record<string, Filled>,
): Promise<Record<string, Filled>> {
  const errors: FieldError[] = []
  const values: Record<string, Filled> = {}
  const mine = r.fields.filter(({ role }) => role === s.role)
  // What belongs to others is refused, not passed over.
  for (const id of Object.keys(given))
    if (!mine.some((field) => field.id === id))
      errors.push({ path: `values.${id}`, code: 'fields.unknown', params: { keys: id } })
  const { rows: files } = await sql<{
    id: string
    field: string
  }>`select id, field from sign_uploads where company_id = ${ctx.companyId} and signer_id = ${s.id}`.execute(
    ctx.tx,
  )
  for (const field of mine) {
    const path = `values.${field.id}`
    if (field.kind === 'pay') {
      // Told by those who took the money, never by the page.
      const paid = await paidValue(ctx, r, s, field)
      if (paid) values[field.id] = paid
      else if (field.must) errors.push({ path, code: 'signing.notPaid' })
      continue
    }
    const value = given[field.id]
    if (isEmpty(value)) {
      if (field.must) errors.push({ path, code: 'fields.need' })
      continue
    }
    if (field.kind === 'file') {
      if (!files.some(({ id, field: of }) => id === value && of === field.id))
        errors.push({ path, code: 'signing.badFile' })
      else values[field.id] = value!
      continue
    }
    const found = checked(field, value!)
    if ('code' in found)
      errors.push({ path, code: found.code, ...(found.params ? { params: found.params } : {}) })
    else values[field.id] = found.value
  }
  if (!errors.length)
    errors.push(
      ...(checkOf(r.purpose)?.(values) ?? []).map((one) => ({ ...one, path: `values.${one.path}` })),
    )
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
  return values
}

/** Of a signer's own certificate, as the evidence tells of it. */
export interface OwnCertificate {
  subject: string
  issuer: string
  fingerprint: string
}

export interface Signing {
  key: string
  visit?: string | undefined
  values: Record<string, Filled>
  shown: Language
  seconds: number
}

/** Writes a signature down as the paper's next act, once, under its lock, and opens what follows. */
export async function signed(
  inside: Ctx,
  r: StoredRequest,
  s: StoredSigner,
  {
    values,
    agent,
    ...told
  }: {
    values: Record<string, Filled>
    agent: string
    shown: Language
    seconds: number
    certificate?: OwnCertificate
  },
): Promise<'signed' | 'sealing'> {
  await sql`update sign_signers set state = 'signed', values = ${JSON.stringify(values)},
      signed_at = ${inside.now.toISOString()}
    where company_id = ${inside.companyId} and id = ${s.id}`.execute(inside.tx)
  await act(inside, r, {
    kind: 'signed',
    signerId: s.id,
    agent,
    detail: {
      how: s.identifiedHow ?? 'link',
      ...told,
      values: createHash('sha256').update(canonical(values)).digest('hex'),
    },
  })
  await inside.audit('signRequests.signed', 'signRequests', r.id, undefined, { signerId: s.id, name: s.name })
  const isComplete = (await openNext(inside, r.id)) === 'complete'
  await sql`update sign_requests set state = ${isComplete ? 'sealing' : 'inProgress'}, updated_at = now()
    where company_id = ${inside.companyId} and id = ${r.id}`.execute(inside.tx)
  if (isComplete || r.mode === 'each') await inside.later('signing.seal', { requestId: r.id })
  return isComplete ? 'sealing' : 'signed'
}

/** Signs for one signer: that signer's fields and no others. */
export const sign = (
  ctx: OpenCtx,
  { key, visit, values: given, shown, seconds }: Signing,
): Promise<{ state: 'signed' | 'sealing' }> =>
  byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      const values = await checkedValues(inside, r, s, given)
      return { state: await signed(inside, r, s, { values, agent: ctx.agent, shown, seconds }) }
    },
    true,
  )

/** Ends a paper and spares who has not signed yet. */
export async function end(
  ctx: Ctx,
  r: StoredRequest,
  state: 'declined' | 'expired' | 'recalled',
  reason: string,
): Promise<void> {
  await sql`update sign_requests set state = ${state}, reason = ${reason},
      ended_at = ${ctx.now.toISOString()}, next_at = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${r.id}`.execute(ctx.tx)
  await sql`update sign_signers set state = 'spared' where company_id = ${ctx.companyId}
      and request_id = ${r.id} and state in ('waiting', 'open')`.execute(ctx.tx)
}

export const decline = (
  ctx: OpenCtx,
  { key, visit, reason }: { key: string; visit?: string | undefined; reason: string },
): Promise<{ done: true }> =>
  byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      await sql`update sign_signers set state = 'declined' where company_id = ${inside.companyId}
          and id = ${s.id}`.execute(inside.tx)
      await act(inside, r, { kind: 'declined', signerId: s.id, agent: ctx.agent, detail: { reason } })
      await inside.audit('signRequests.declined', 'signRequests', r.id, undefined, {
        signerId: s.id,
        name: s.name,
        reason,
      })
      // Another of the same role may still sign.
      if ((await openNext(inside, r.id)) === 'declined') await end(inside, r, 'declined', reason)
      return { done: true as const }
    },
    true,
  )

export const delegate = (
  ctx: OpenCtx,
  {
    key,
    visit,
    name,
    email,
    reason,
  }: { key: string; visit?: string | undefined; name: string; email: string; reason: string },
): Promise<{ done: true }> =>
  byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      if (r.fromOpen) throw fail('signing.notYourTurn')
      if (email === s.email?.toLowerCase()) throw failField('email', 'fields.choice')
      await sql`update sign_signers set state = 'delegated' where company_id = ${inside.companyId}
          and id = ${s.id}`.execute(inside.tx)
      // Identified as strictly as the previous one, by the given address.
      await sql`insert into sign_signers (company_id, id, request_id, role, role_name, order_no, name, email,
          language, identity, channel, state, page_key, delegated_from)
        values (${inside.companyId}, ${newId()}, ${r.id}, ${s.role}, ${s.roleName}, ${s.order}, ${name},
          ${email}, ${s.language}, ${s.identity}, 'mail', 'waiting',
          ${newToken()}, ${s.id})`.execute(inside.tx)
      await act(inside, r, {
        kind: 'delegated',
        signerId: s.id,
        agent: ctx.agent,
        detail: { to: name, email, reason },
      })
      await inside.audit('signRequests.delegated', 'signRequests', r.id, undefined, {
        signerId: s.id,
        to: name,
      })
      await openNext(inside, r.id)
      return { done: true as const }
    },
    true,
  )

const fileKinds: Record<string, string> = { pdf: 'application/pdf', png: 'image/png', jpg: 'image/jpeg' }
const mostFiles = 10

/** A file for a field: told by its content, never by its name. A second one takes the place of the first. */
export const addFile = (
  ctx: OpenCtx,
  {
    key,
    visit,
    field,
    name,
    bytes: given,
  }: { key: string; visit?: string | undefined; field: string; name: string; bytes: Uint8Array },
): Promise<{ id: string; name: string }> =>
  byKey(
    ctx,
    key,
    async (inside, { r, s }) => {
      refuseTurn(r, s, visit, inside.now)
      if (!r.fields.some(({ id, kind, role }) => id === field && kind === 'file' && role === s.role))
        throw fail('kit.notFound')
      const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
      const kind = kindOf(bytes, name)
      const mime = kind && fileKinds[kind.extension]
      if (!mime) throw fail('signing.badFile')
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from sign_uploads where company_id = ${inside.companyId}
          and signer_id = ${s.id} and field <> ${field}`.execute(inside.tx)
      if (rows[0]!.n >= mostFiles) throw fail('signing.badFile')
      await sql`delete from sign_uploads where company_id = ${inside.companyId} and signer_id = ${s.id}
          and field = ${field}`.execute(inside.tx)
      const id = newId()
      const title =
        name
          .replace(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, ' ')
          .trim()
          .slice(0, 200) || 'file'
      await sql`insert into sign_uploads (company_id, id, signer_id, field, name, mime, bytes, sha256)
        values (${inside.companyId}, ${id}, ${s.id}, ${field}, ${title}, ${mime}, ${bytes},
          ${createHash('sha256').update(bytes).digest()})`.execute(inside.tx)
      return { id, name: title }
    },
    true,
  )
