import { sql } from 'kysely'
import { addDays, momentAt } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { formatDay } from '#domain/format.ts'
import { formatMoney } from '#domain/format.ts'
import { israeliMobile } from '#domain/phone.ts'
import { Failure, fail, failAt, type FieldError, failField } from '#kit/describe/errors.ts'
import { isPerson, ordered } from '#kit/server/rights/authority.ts'
import { newId, type Ctx, type Language } from '#kit/server/context.ts'
import { refuseUnprintable } from '#kit/server/paper/printable.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { Merge, SignField, SignRole, SignerInput } from '../shapes.ts'
import { act, chainStart } from './acts.ts'
import { invite } from './invite.ts'
import { fileOf, loadRequest, requestKind, loadTemplate, signersOf } from './load.ts'
import { paysOnline, sumOf } from './payDoor.ts'
import { settingsOf } from './settings.ts'
import { byTurns, step } from '../flow.ts'

/** What is to be signed and by whom; what every way of asking for a signature comes to. */
export interface Asked {
  name: string
  fileId: string
  roles: readonly SignRole[]
  fields: readonly SignField[]
  signers: readonly SignerInput[]
  template?: { id: string; version: number }
  message?: string
  language?: Language | undefined
  customerId?: string | undefined
  documentId?: string | undefined
  sumAgorot?: number | undefined
  copies?: readonly { name: string; email: string }[]
  expiresDay?: string | undefined
  remindDays?: readonly number[] | undefined
  mode?: 'once' | 'each'
  purpose?: string
  purposeId?: string
  given?: Readonly<Record<string, string>>
  fromOpen?: boolean
}

/**
 * Validates the given signers: each reachable through the chosen channel and distinct; refusals are at their fields.
 */
export function checkSigners(asked: Pick<Asked, 'roles' | 'fields' | 'signers' | 'sumAgorot'>): SignRole[] {
  const errors: FieldError[] = []
  const known = new Set(asked.roles.map(({ id }) => id))
  const filled = new Set(asked.fields.map(({ role }) => role))
  // A role without fields signs nothing; one above a sum is spared below it.
  const needed = asked.roles.filter(
    ({ id, above }) =>
      filled.has(id) && (above === null || asked.sumAgorot === undefined || asked.sumAgorot > above),
  )
  for (const [at, signer] of asked.signers.entries()) {
    const path = `signers.${at}`
    if (!known.has(signer.role)) errors.push({ path: `${path}.role`, code: 'signing.roleUnknown' })
    const mobile = signer.phone ? israeliMobile(signer.phone) : undefined
    if (signer.channel === 'mail' && !signer.email)
      errors.push({ path: `${path}.email`, code: 'signing.noWay' })
    if (signer.channel === 'sms' && !mobile)
      errors.push({ path: `${path}.phone`, code: signer.phone ? 'sms.notMobile' : 'signing.noWay' })
    if (signer.channel === 'whatsapp' && !signer.phone)
      errors.push({ path: `${path}.phone`, code: 'signing.noWay' })
    if (signer.identity === 'code' && !signer.email && !mobile)
      errors.push({ path: `${path}.email`, code: 'signing.codeNeedsWay' })
    if (signer.identity === 'login' && !signer.email)
      errors.push({ path: `${path}.email`, code: 'signing.loginNeedsMail' })
  }
  for (const role of needed)
    if (!asked.signers.some((signer) => signer.role === role.id))
      errors.push({ path: 'signers', code: 'signing.roleEmpty', params: { role: role.name } })
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
  if (!asked.fields.some(({ kind, role }) => kind === 'signature' && needed.some(({ id }) => id === role)))
    throw fail('signing.needSignature')
  return needed
}

interface About {
  customer:
    | { name: string; taxId: string | null; email: string | null; phone: string | null; address: string }
    | undefined
  document: { number: string; total: number; date: string } | undefined
}

async function aboutOf(
  ctx: Ctx,
  { customerId, documentId }: Pick<Asked, 'customerId' | 'documentId'>,
): Promise<About & { customerId: string | undefined }> {
  let customer = customerId
  let document: About['document']
  if (documentId) {
    const { rows } = await sql<{
      number: string
      total: number
      date: string
      customerId: string | null
    }>`select coalesce(number::text, '') as number, total_agorot as total, day as date,
      customer_id as "customerId" from documents where company_id = ${ctx.companyId}
      and id = ${documentId}`.execute(ctx.tx)
    if (!rows[0]) throw failField('documentId', 'fields.ref')
    document = rows[0]
    customer ??= rows[0].customerId ?? undefined
  }
  if (!customer) return { customer: undefined, document, customerId: undefined }
  const { rows } = await sql<
    NonNullable<About['customer']>
  >`select coalesce(nullif(name_on_document, ''), name) as name, tax_id as "taxId", email,
    coalesce(mobile, phone) as phone, concat_ws(', ', nullif(street, ''), nullif(city, '')) as address
    from parties where company_id = ${ctx.companyId} and id = ${customer} and role = 'customer'`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw failField('customerId', 'fields.ref')
  return { customer: rows[0], document, customerId: customer }
}

/**
 * Sends a paper to be signed, whatever it is and the person who asks: rows of paper and signers, the first link of
 * the chain, and the letters to those who begin. Refuses who cannot be reached, and a paper that nobody would
 * sign.
 */
export async function ask(ctx: Ctx, asked: Asked): Promise<{ id: string; keys: string[] }> {
  const settings = await settingsOf(ctx)
  const company = await companyOf(ctx)
  const about = await aboutOf(ctx, asked)
  const sumAgorot = asked.sumAgorot ?? about.document?.total
  const needed = byTurns(
    checkSigners({ ...asked, ...(sumAgorot === undefined ? { sumAgorot: undefined } : { sumAgorot }) }),
    asked.signers,
  )
  const expiresDay = asked.expiresDay ?? addDays(ctx.today, settings.expireDays)
  if (expiresDay < ctx.today) throw failAt('expiresDay', 'signing.dayPast')
  const language = asked.language ?? company.language
  const id = newId()
  const neededIds = new Set(needed.map((role) => role.id))
  const signers = asked.signers.filter(({ role }) => neededIds.has(role))
  const fields = asked.fields.filter(({ role }) => neededIds.has(role))
  const given: Record<string, string> = { ...asked.given }
  const value: Record<Merge, (role: string) => string | null | undefined> = {
    none: () => undefined,
    'customer.name': () => about.customer?.name,
    'customer.taxId': () => about.customer?.taxId,
    'customer.email': () => about.customer?.email,
    'customer.phone': () => about.customer?.phone,
    'customer.address': () => about.customer?.address,
    'document.number': () => about.document?.number,
    'document.total': () => about.document && formatMoney(about.document.total),
    'document.date': () => about.document?.date,
    'business.name': () => company.name,
    'business.taxId': () => company.taxId,
    'signer.name': (role) => signers.find((one) => one.role === role)?.name,
    'signer.email': (role) => signers.find((one) => one.role === role)?.email,
    'signer.phone': (role) => signers.find((one) => one.role === role)?.phone,
    'sender.name': () => ctx.caller.fullName,
  }
  for (const field of fields) {
    const found = value[field.merge](field.role)
    if (found)
      given[field.id] = field.kind === 'date' || !/^\d{4}-\d\d-\d\d$/.test(found) ? found : formatDay(found)
  }
  if (isPerson(ctx.caller))
    refuseUnprintable({ name: asked.name, signers, given, fields: fields.map(({ label }) => ({ label })) })
  const pays = fields.filter(({ kind }) => kind === 'pay')
  if (pays.some((field) => sumOf(field, sumAgorot ?? null) === null))
    throw failAt('sumAgorot', 'signing.needAmount')
  if (pays.length && !(await paysOnline(ctx))) throw fail('signing.payOff')
  const { sha256 } = await fileOf(ctx, asked.fileId)
  const remindDays = [...(asked.remindDays ?? settings.remindDays)].sort((a, b) => a - b)
  // The last minute of the day in Jerusalem.
  const expiresAt = momentAt(addDays(expiresDay, 1), 0)
  await sql`insert into sign_requests (company_id, id, name, template_id, version, file_id, roles, fields,
      given, mode, message, language, customer_id, purpose, purpose_id,
      sum_agorot, copies, remind_days, next_at, expires_at, chain, from_open, sent_by, sent_at, folded)
    values (${ctx.companyId}, ${id}, ${asked.name}, ${asked.template?.id ?? null},
      ${asked.template?.version ?? null}, ${asked.fileId}, ${JSON.stringify(needed)},
      ${JSON.stringify(fields)}, ${JSON.stringify(given)}, ${asked.mode ?? 'once'}, ${asked.message ?? ''},
      ${language}, ${about.customerId ?? null}, ${asked.purpose ?? ''},
      ${asked.purposeId ?? asked.documentId ?? null}, ${sumAgorot ?? null},
      ${JSON.stringify(asked.copies ?? [])}, ${remindDays}::int[],
      ${nextAt(ctx.now, ctx.now, remindDays, 0, expiresAt).toISOString()}, ${expiresAt.toISOString()},
      ${chainStart(sha256)}, ${asked.fromOpen ?? false}, ${ctx.caller.userId},
      ${ctx.now.toISOString()}, ${fold(asked.name)})`.execute(ctx.tx)
  await ordered(ctx, requestKind, id)
  const keys: string[] = []
  const roleOf = new Map(needed.map((role) => [role.id, role]))
  for (const signer of signers) {
    const key = newToken()
    keys.push(key)
    const role = roleOf.get(signer.role)!
    await sql`insert into sign_signers (company_id, id, request_id, role, role_name, order_no, name, email,
        phone, language, identity, channel, state, page_key)
      values (${ctx.companyId}, ${newId()}, ${id}, ${role.id}, ${role.name}, ${role.order}, ${signer.name},
        ${signer.email ?? null}, ${signer.phone ?? null},
        ${signer.language ?? language}, ${signer.identity}, ${signer.channel}, 'waiting', ${key})`.execute(
      ctx.tx,
    )
  }
  const request = await loadRequest(ctx, id, true)
  await act(ctx, request, {
    kind: 'sent',
    detail: { signers: signers.length, file: sha256.toString('hex'), by: ctx.caller.fullName },
  })
  await openNext(ctx, id)
  await ctx.audit('signRequests.send', 'signRequests', id, undefined, {
    name: asked.name,
    signers: signers.length,
  })
  return { id, keys }
}

/** Reminders at so many days after sending, then the end. */
export function nextAt(
  now: Date,
  sentAt: Date,
  remindDays: readonly number[],
  reminded: number,
  expiresAt: Date,
): Date {
  const day = remindDays[reminded]
  if (day === undefined) return expiresAt
  const at = new Date(sentAt.getTime() + day * 86_400_000)
  return at < expiresAt ? (at > now ? at : now) : expiresAt
}

/** Opens the page of those whose turn it is and writes to them. */
export async function openNext(ctx: Ctx, requestId: string): Promise<'going' | 'complete' | 'declined'> {
  const signers = await signersOf(ctx, requestId)
  const { opens, spares, state } = step(signers)
  if (spares.length)
    await sql`update sign_signers set state = 'spared' where company_id = ${ctx.companyId}
        and id = any(${[...spares]}::uuid[])`.execute(ctx.tx)
  if (opens.length) {
    await sql`update sign_signers set state = 'open', sent_at = ${ctx.now.toISOString()}
      where company_id = ${ctx.companyId} and id = any(${[...opens]}::uuid[])`.execute(ctx.tx)
    for (const id of opens) await invite(ctx, requestId, id, 'invite')
  }
  return state
}

type Sending = Omit<Asked, 'fileId' | 'roles' | 'fields' | 'name' | 'template'> & {
  id: string
  name?: string | undefined
}

export async function sendTemplate(ctx: Ctx, { id, name, ...rest }: Sending): Promise<{ id: string }> {
  const t = await loadTemplate(ctx, id)
  if (t.archivedAt) throw fail('kit.notFound')
  const sent = await ask(ctx, {
    ...rest,
    name: name || t.name,
    fileId: t.fileId,
    roles: t.roles,
    fields: t.fields,
    template: { id, version: t.version },
  })
  return { id: sent.id }
}

/** A separate document to each of many. */
export async function bulkTemplate(
  ctx: Ctx,
  { rows, ...rest }: Omit<Sending, 'signers'> & { rows: Omit<SignerInput, 'role' | 'turn'>[] },
): Promise<{ ids: string[] }> {
  const t = await loadTemplate(ctx, rest.id)
  const role = t.roles.find((one) => t.fields.some((field) => field.role === one.id))
  if (!role) throw fail('signing.needSignature')
  if (new Set(t.fields.map((field) => field.role)).size > 1) throw fail('signing.noRole')
  const ids: string[] = []
  const errors: FieldError[] = []
  for (const [at, row] of rows.entries())
    try {
      checkSigners({
        roles: t.roles,
        fields: t.fields,
        signers: [{ ...row, role: role.id }],
        sumAgorot: rest.sumAgorot,
      })
    } catch (e) {
      if (!(e instanceof Failure) || !e.errors.length) throw e
      errors.push(...e.errors.map((one) => ({ ...one, path: one.path.replace('signers.0', `rows.${at}`) })))
    }
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
  for (const row of rows)
    ids.push((await sendTemplate(ctx, { ...rest, signers: [{ ...row, role: role.id }] })).id)
  return { ids }
}
