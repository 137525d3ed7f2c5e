import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/bounds.ts'
import { siteOf } from '#kit/server/brands.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/jobs.ts'
import { oneRow } from '#kit/server/lists.ts'
import { checkRef } from '#kit/server/refs.ts'
import { changeRow, create } from '#kit/server/resources.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import type { createLink } from '../endpoints.ts'
import type { PaymentLink } from '../paymentLinks.ts'
import { lapse, mostInstalmentsOf, terminalFor } from '#features/money/acquirers/server/index.ts'
import { checkPayable, linkOf } from './charge.ts'
import { payableOf, type Link } from './payable.ts'
import { linkList } from './lists.ts'

type Values = Record<string, unknown>

/** How long a link made from a document can be paid. */
const usualDays = 60

export const urlOf = (ctx: Ctx, key: string) => `${siteOf(ctx.app)}/payment/${key}`

export async function showLink(ctx: Ctx, id: string): Promise<PaymentLink> {
  const link = await oneRow<PaymentLink & { pageKey: string; phone: string | null }>(ctx, linkList, id)
  const { pageKey, ...rest } = link
  // The page is nothing but a sum.
  return { ...rest, url: ctx.caller.hideTotalPrices ? '' : urlOf(ctx, pageKey) }
}

/** Days as they are kept: whole, each once, in order. */
function daysOf(text: unknown): string {
  const days = String(text ?? '')
    .split(/[,;\s]+/)
    .filter(Boolean)
  if (days.some((one) => !/^\d{1,3}$/.test(one) || Number(one) < 1)) throw failField('remindDays', 'fields.number')
  return [...new Set(days.map(Number))]
    .toSorted((a, b) => a - b)
    .slice(0, 8)
    .join(',')
}

/** Before a link is saved, whoever saves it: typed in, or brought in from a file. */
export async function checkedLink(ctx: Ctx, values: Values, before: Values | undefined): Promise<Values> {
  const now = { ...before, ...values }
  if (!before && !(await terminalFor(ctx))) throw fail('paymentLinks.off')
  if (!now.amountAgorot === !now.documentId) throw failField('amountAgorot', 'paymentLinks.sumOrDocument')
  if (now.amountAgorot) checkWithin('amountAgorot', now.amountAgorot, { min: 100 })
  checkWithin('mostInstalments', now.mostInstalments, { min: 1, max: 36 })
  if (values.expiresOn && String(values.expiresOn) < ctx.today) throw failField('expiresOn', 'fields.dayPast')
  await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
  if (now.paper === 'donation' && ((await companyOf(ctx)).kind !== 'nonProfit' || now.documentId))
    throw failField('paper', 'paymentLinks.onlyNonProfit')
  const filled = { ...values, ...('remindDays' in values ? { remindDays: daysOf(values.remindDays) } : {}) }
  if (!values.documentId) return filled
  const payable = await checkPayable(ctx, String(values.documentId))
  return { ...filled, customerId: payable.customerId }
}

export async function makeLink(ctx: Ctx, given: z.output<typeof createLink.input>): Promise<PaymentLink> {
  const made = (await create(ctx, { ...linkList, beforeSave: checkedLink }, given as Values)) as { id: string }
  await sql`update payment_links set created_by = ${ctx.caller.userId} where company_id = ${ctx.companyId} and id = ${made.id}`.execute(
    ctx.tx,
  )
  await planReminders(ctx, await linkOf(ctx, made.id))
  return showLink(ctx, made.id)
}

export async function changeLink(ctx: Ctx, { id, ...values }: { id: string } & Values): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  await changeRow(ctx, { ...linkList, beforeSave: checkedLink }, id, values)
  await closeForms(ctx, link)
  await planReminders(ctx, await linkOf(ctx, id))
  return showLink(ctx, id)
}

async function openLink(ctx: Ctx, id: string): Promise<Link> {
  const link = await linkOf(ctx, id, true)
  if (link.state !== 'open') throw fail('paymentLinks.notOpen')
  return link
}

/** The link of a document: the open one, or a new one with what is usual. */
export async function linkOfDocument(ctx: Ctx, documentId: string): Promise<PaymentLink> {
  const payable = await payableOf(ctx, documentId)
  await checkPayable(ctx, documentId)
  const terminal = await terminalFor(ctx, payable.dueAgorot)
  if (!terminal) throw fail('paymentLinks.off')
  const { rows } = await sql<{
    id: string
  }>`select id from payment_links where company_id = ${ctx.companyId} and document_id = ${documentId}
    and state = 'open' and (expires_on is null or expires_on >= ${ctx.today}) order by created_at desc limit 1`.execute(ctx.tx)
  if (rows[0]) return showLink(ctx, rows[0].id)
  const { rows: people } = await sql<{
    email: string | null
  }>`select email from parties where company_id = ${ctx.companyId} and id = ${payable.customerId}`.execute(ctx.tx)
  return makeLink(ctx, {
    description: payable.name,
    documentId,
    email: people[0]?.email ?? null,
    language: payable.language,
    mostInstalments: mostInstalmentsOf(terminal, payable.dueAgorot),
    expiresOn: addDays(ctx.today, usualDays),
  } as never)
}

/** The acquirer's forms of a link take nothing any more. What is paid in this moment all the same goes back by itself. */
async function closeForms(ctx: Ctx, link: Link): Promise<void> {
  const { rows } = await sql<{ id: string; reference: string | null }>`select id, reference from charges
    where company_id = ${ctx.companyId} and link_id = ${link.id} and state in ('begun', 'declined') for update`.execute(ctx.tx)
  for (const one of rows) await lapse(ctx, one)
}

export async function cancelLink(ctx: Ctx, id: string): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  await closeForms(ctx, link)
  await sql`update payment_links set state = 'cancelled', updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('paymentLinks.cancel', 'paymentLinks', id)
  return showLink(ctx, id)
}

/** What there is to pay by a link now. */
export const dueOf = async (ctx: Ctx, link: Link): Promise<number> =>
  link.document_id
    ? Math.min(link.amount_agorot ?? Number.MAX_SAFE_INTEGER, (await payableOf(ctx, link.document_id)).dueAgorot)
    : (link.amount_agorot ?? 0)

export const isExpired = (link: Pick<Link, 'expires_on'>, today: Day): boolean => !!link.expires_on && link.expires_on < today

async function letter(ctx: Ctx, link: Link, to: string, kind: 'send' | 'remind', text?: string): Promise<void> {
  const { name } = await companyOf(ctx)
  const values = {
    business: name,
    what: link.description,
    sum: withCurrency(await dueOf(ctx, link), 'ILS', link.language),
    link: urlOf(ctx, link.page_key),
    until: link.expires_on ? formatDay(link.expires_on) : '',
  }
  const subject = say(link.language, `paymentLinks.mail.${kind}.subject`, values)
  let body = text || say(link.language, `paymentLinks.mail.${kind}.text`, values)
  if (link.expires_on && !text) body += `\n${say(link.language, 'paymentLinks.mail.until', values)}`
  if (!body.includes(values.link)) body += `\n\n${values.link}`
  const id = newId()
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id, document_id)
    values (${ctx.companyId}, ${id}, 'paymentLink', 'mail', ${to}, ${subject}, ${body}, ${link.customer_id}, ${link.document_id})`.execute(
    ctx.tx,
  )
  await ctx.later('letters.mail', { messageId: id })
}

async function isHis(ctx: Ctx, { customer_id, document_id }: Link, to: string): Promise<boolean> {
  const { rows } = await sql<{ email: string | null }>`select email from parties where company_id = ${ctx.companyId} and id = ${customer_id}
    union all select customer->>'email' from documents where company_id = ${ctx.companyId} and id = ${document_id}`.execute(ctx.tx)
  return rows.some(({ email }) => email?.toLowerCase() === to.toLowerCase())
}

export async function sendLink(ctx: Ctx, { id, to, text }: { id: string; to: string; text?: string | undefined }): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  if (isExpired(link, ctx.today)) throw fail('paymentLinks.notOpen')
  // Whoever may not see the figures may send them to their owner, and not to himself.
  if (ctx.caller.hideTotalPrices && !(await isHis(ctx, link, to))) throw failField('to', 'documents.onlyToCustomer')
  await letter(ctx, link, to, 'send', text)
  await sql`update payment_links set sent_at = now(), email = coalesce(email, ${to}), updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('paymentLinks.send', 'paymentLinks', id, undefined, { to })
  return showLink(ctx, id)
}

/** Nine or ten in the morning in Jerusalem. */
const morning = (day: Day): Date => new Date(`${day}T07:00:00Z`)

async function planReminders(ctx: Ctx, link: Link): Promise<void> {
  const made = dayInJerusalem(new Date(link.created_at))
  for (const days of link.remind_days.split(',').filter(Boolean).map(Number)) {
    const at = morning(addDays(made, days))
    if (at > ctx.now && !link.reminded.includes(days)) await ctx.later('paymentLinks.remind', { linkId: link.id, days }, at)
  }
}

/** Reminds of a link that is still unpaid on its day. A second run finds the day among those reminded of. */
export const remindJob: Job = async (ctx, { linkId, days }) => {
  const { rows } =
    await sql<Link>`select * from payment_links where company_id = ${ctx.companyId} and id = ${String(linkId)} for update`.execute(ctx.tx)
  const [link] = rows
  const isMeant = link?.state === 'open' && link.remind_days.split(',').includes(String(days)) && !link.reminded.includes(Number(days))
  if (!isMeant || isExpired(link, ctx.today) || !link.email || (await dueOf(ctx, link)) <= 0) return
  await letter(ctx, link, link.email, 'remind')
  await sql`update payment_links set reminded = reminded || ${Number(days)}::smallint, updated_at = now() where company_id = ${ctx.companyId} and id = ${link.id}`.execute(
    ctx.tx,
  )
  await ctx.audit('paymentLinks.remind', 'paymentLinks', link.id, undefined, { to: link.email, days })
}
