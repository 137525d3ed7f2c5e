import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { endApproval, isWithin, ordered, registerOrders } from '#kit/server/rights/authority.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Job } from '#kit/server/work/jobs.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { changeRow, create } from '#kit/server/described/resources.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { keptCard, neededByCard } from '#features/sales/documents/server/index.ts'
import type { createLink, WholeLink } from '../endpoints.ts'
import type { PaymentLink } from '../paymentLinks.ts'
import { askRefund, lapse, mostInstalmentsOf, terminalFor } from '#features/money/acquirers/server/index.ts'
import { checkPayable, linkOf } from './charge.ts'
import { paysOf } from './paper.ts'
import { linkKind, payableOf, type Link } from './payable.ts'
import { linkList, needWhole, showCharge } from './lists.ts'

type Values = Record<string, unknown>

/** How long a link made from a document can be paid. */
const usualDays = 60

export const urlOf = (ctx: Ctx, key: string) => `${siteOf(ctx.app)}/payment/${key}`

export async function showLink(ctx: Ctx, id: string): Promise<PaymentLink> {
  const link = await oneRow<Omit<PaymentLink, 'url'>>(ctx, linkList, id)
  // The page shows an amount: a caller who sees no amounts does not get its address.
  if (ctx.caller.hideTotalPrices) return { ...link, url: '' }
  const { rows } = await sql<{ key: string }>`select page_key as key from payment_links
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return { ...link, url: urlOf(ctx, rows[0]!.key) }
}

/** A link with what became of it: the charge it was paid by, else the newest try. */
export async function showWhole(ctx: Ctx, id: string): Promise<WholeLink> {
  const link = await showLink(ctx, id)
  const { rows } = await sql<{
    id: string
  }>`select c.id from charges c join payment_links l on l.company_id = c.company_id and l.id = c.link_id
    where c.company_id = ${ctx.companyId} and c.link_id = ${id} order by (c.id = l.charge_id) desc nulls last,
      c.created_at desc, c.id desc limit 1`.execute(ctx.tx)
  return { ...link, charge: rows[0] ? await showCharge(ctx, rows[0].id) : null }
}

export async function linkByReference(ctx: Ctx, reference: string): Promise<WholeLink> {
  const id = await referred(ctx, reference)
  if (!id) throw fail('kit.notFound')
  return showWhole(ctx, id)
}

interface LinkRefund {
  id: string
  amountAgorot?: number | undefined
  reason: string
  clientKey?: string | undefined
}

/** Refunds what was paid by a link: its author knows no charge. */
export async function refundLink(ctx: Ctx, { id, ...given }: LinkRefund): Promise<WholeLink> {
  needWhole(ctx)
  const { charge_id: chargeId } = await linkOf(ctx, id)
  if (!chargeId) throw fail('paymentLinks.notPaid')
  await askRefund(ctx, { id: chargeId, ...given })
  return showWhole(ctx, id)
}

/** Days as they are kept: whole, each once, in order. */
function daysOf(text: unknown): string {
  const days = String(text ?? '')
    .split(/[,;\s]+/)
    .filter(Boolean)
  if (days.some((one) => !/^\d{1,3}$/.test(one) || Number(one) < 1))
    throw failField('remindDays', 'fields.number')
  return [...new Set(days.map(Number))]
    .toSorted((a, b) => a - b)
    .slice(0, 8)
    .join(',')
}

/** Where a payer is led: only by https, except on one's own machine. The payer's browser goes there, not our server. */
export function backUrl(ctx: Pick<Ctx, 'app'>, path: string, given: string): string {
  const { http, local } = ctx.app.settings.webhooks
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isGood =
    url &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && (http || local))) &&
    !url.username &&
    !url.password
  if (!isGood) throw failField(path, 'paymentLinks.badUrl')
  return url.href
}

/**
 * The link a program means by its reference: its own, or one of a person or of a key that has ended. A person
 * means whichever is newest.
 */
async function referred(ctx: Ctx, reference: string): Promise<string | undefined> {
  const keyId = ctx.caller.apiKey?.id ?? null
  const { rows } = await sql<{ id: string }>`select l.id from payment_links l
    left join api_keys k on k.company_id = l.company_id and k.id = l.key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > now())
    where l.company_id = ${ctx.companyId} and l.reference = ${reference}
      and (${keyId}::uuid is null or k.id is null or k.id = ${keyId})
    order by l.state = 'cancelled', (l.key_id = ${keyId}) desc nulls last, l.created_at desc limit 1`.execute(
    ctx.tx,
  )
  return rows[0]?.id
}

/** A reference belongs to one link of the person who made it; a cancelled one gives it back. */
async function refuseTwin(
  ctx: Ctx,
  reference: string,
  keyId: string | null,
  id: string | null,
): Promise<void> {
  const { rows } = await sql<{
    name: string
  }>`select description as name from payment_links where company_id = ${ctx.companyId}
      and reference = ${reference}
    and state <> 'cancelled' and key_id is not distinct from ${keyId}::uuid and id is distinct
    from ${id}::uuid limit 1`.execute(ctx.tx)
  if (rows[0]) throw failField('reference', 'fields.taken', { name: rows[0].name })
}

/** Before a link is saved, the person who saves it: typed in, or brought in from a file. */
export async function checkedLink(ctx: Ctx, values: Values, before: Values | undefined): Promise<Values> {
  const now = { ...before, ...values }
  if (!before && !(await terminalFor(ctx))) throw fail('paymentLinks.off')
  if (!now.amountAgorot === !now.documentId) throw failField('amountAgorot', 'paymentLinks.sumOrDocument')
  if (now.amountAgorot) checkWithin('amountAgorot', now.amountAgorot, { min: 100 })
  checkWithin('mostInstalments', now.mostInstalments, { min: 1, max: 36 })
  if (values.expiresOn && String(values.expiresOn) < ctx.today) throw failField('expiresOn', 'fields.dayPast')
  await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
  await checkPaper(ctx, now)
  const filled = {
    ...values,
    ...('remindDays' in values ? { remindDays: daysOf(values.remindDays) } : {}),
    ...Object.fromEntries(
      (['successUrl', 'errorUrl'] as const).flatMap((name) =>
        values[name] ? [[name, backUrl(ctx, name, String(values[name]))]] : [],
      ),
    ),
    ...('reference' in values ? { reference: values.reference || null } : {}),
  }
  if (filled.reference)
    await refuseTwin(
      ctx,
      String(filled.reference),
      before ? await keyOfLink(ctx, String(before.id)) : null,
      before ? String(before.id) : null,
    )
  if (!values.documentId) return filled
  const payable = await checkPayable(ctx, String(values.documentId))
  return { ...filled, customerId: payable.customerId }
}

/** A document is promised only where it is the one that the money needs. */
async function checkPaper(ctx: Ctx, { paper, documentId }: Values): Promise<void> {
  const { kind } = await companyOf(ctx)
  if (paper === 'donation' && (kind !== 'nonProfit' || documentId))
    throw failField('paper', 'paymentLinks.onlyNonProfit')
  if (paper !== 'invoiceReceipt' && paper !== 'receipt') return
  const payable = documentId ? await payableOf(ctx, String(documentId)).catch(() => undefined) : undefined
  if (documentId && !payable) throw failField('documentId', 'fields.ref')
  const needed = await neededByCard(ctx, { for: 'sale', pays: paysOf(payable) })
  if (needed !== (paper === 'receipt' ? 'receipt' : 'taxInvoiceReceipt'))
    throw failField('paper', 'paymentLinks.paperNot')
}

const keyOfLink = async (ctx: Ctx, id: string): Promise<string | null> => (await linkOf(ctx, id)).key_id

export async function makeLink(ctx: Ctx, given: z.output<typeof createLink.input>): Promise<PaymentLink> {
  const { metadata, reference, ...values } = given as Values
  const keyId = ctx.caller.apiKey?.id ?? null
  if (reference) await refuseTwin(ctx, String(reference), keyId, null)
  const made = (await create(ctx, { ...linkList, beforeSave: checkedLink }, values)) as { id: string }
  // Only for its author: the reference belongs to the author.
  await sql`update payment_links set created_by = ${ctx.caller.userId}, key_id = ${keyId},
      reference = ${reference || null}, metadata = ${JSON.stringify(metadata ?? {})}
    where company_id = ${ctx.companyId} and id = ${made.id}`.execute(ctx.tx)
  await ordered(ctx, linkKind, made.id)
  await planReminders(ctx, await linkOf(ctx, made.id))
  return showLink(ctx, made.id)
}

export async function changeLink(
  ctx: Ctx,
  { id, metadata, ...values }: { id: string } & Values,
): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  await changeRow(ctx, { ...linkList, beforeSave: checkedLink }, id, values)
  if (metadata !== undefined)
    await sql`update payment_links set metadata = ${JSON.stringify(metadata ?? {})}
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ordered(ctx, linkKind, id)
  await endApproval(ctx, linkKind, id)
  await closeForms(ctx, link)
  await planReminders(ctx, await linkOf(ctx, id))
  return showLink(ctx, id)
}

async function openLink(ctx: Ctx, id: string): Promise<Link> {
  const link = await linkOf(ctx, id, true)
  if (link.state !== 'open') throw fail('paymentLinks.notOpen')
  return link
}

/** What a payer reads over a link instead of the name of its document, and where the page leads back to. */
interface Shown {
  description: string
  backTo: string
}

/** The link of a document: the open one, or a new one with what is usual. */
export async function linkOfDocument(ctx: Ctx, documentId: string, shown?: Shown): Promise<PaymentLink> {
  const payable = await payableOf(ctx, documentId)
  await checkPayable(ctx, documentId)
  const terminal = await terminalFor(ctx, payable.dueAgorot)
  if (!terminal) throw fail('paymentLinks.off')
  const { rows } = await sql<{
    id: string
  }>`select id from payment_links where company_id = ${ctx.companyId} and document_id = ${documentId}
    and state = 'open' and (expires_on is null or expires_on >= ${ctx.today}) order by created_at desc
    limit 1`.execute(ctx.tx)
  if (rows[0]) return showLink(ctx, rows[0].id)
  const { rows: people } = await sql<{
    email: string | null
  }>`select email from parties where company_id = ${ctx.companyId} and id = ${payable.customerId}`.execute(
    ctx.tx,
  )
  return makeLink(ctx, {
    description: shown?.description.slice(0, 200) ?? payable.name,
    // An installation without https leads nowhere.
    ...(shown?.backTo.startsWith('https:') || (shown && ctx.app.settings.webhooks.local)
      ? { successUrl: shown.backTo, errorUrl: shown.backTo }
      : {}),
    documentId,
    email: people[0]?.email ?? null,
    language: payable.language,
    mostInstalments: mostInstalmentsOf(terminal, payable.dueAgorot),
    expiresOn: addDays(ctx.today, usualDays),
  } as never)
}

/**
 * The acquirer's forms of a link take nothing any more. What is paid in this moment all the same goes back by
 * itself.
 */
async function closeForms(ctx: Ctx, link: Link): Promise<void> {
  const { rows } = await sql<{ id: string; reference: string | null }>`select id, reference from charges
    where company_id = ${ctx.companyId} and link_id = ${link.id} and state in ('begun', 'declined') for
    update`.execute(ctx.tx)
  for (const one of rows) await lapse(ctx, one)
}

export async function cancelLink(ctx: Ctx, id: string): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  await closeForms(ctx, link)
  await sql`update payment_links set state = 'cancelled', updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('paymentLinks.cancel', 'paymentLinks', id)
  return showLink(ctx, id)
}

/** What there is to pay by a link now. */
export const dueOf = async (ctx: Ctx, link: Link): Promise<number> =>
  link.document_id
    ? Math.min(
        link.amount_agorot ?? Number.MAX_SAFE_INTEGER,
        (await payableOf(ctx, link.document_id)).dueAgorot,
      )
    : (link.amount_agorot ?? 0)

export const isExpired = (link: Pick<Link, 'expires_on'>, today: Day): boolean =>
  !!link.expires_on && link.expires_on < today

async function letter(
  ctx: Ctx,
  link: Link,
  to: string,
  kind: 'send' | 'remind',
  text?: string,
): Promise<void> {
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
  await sql`insert into messages (company_id, id, kind, channel, recipient, subject, body, party_id,
      document_id, card)
    values (${ctx.companyId}, ${id}, 'paymentLink', 'mail', ${to}, ${subject}, ${body}, ${link.customer_id},
      ${link.document_id},
      ${keptCard(link.language, { amount: values.sum, dueDay: link.expires_on, url: values.link })}::jsonb)`.execute(
    ctx.tx,
  )
  await ctx.later('letters.mail', { messageId: id })
}

async function isHis(ctx: Ctx, { customer_id, document_id }: Link, to: string): Promise<boolean> {
  const { rows } = await sql<{
    email: string | null
  }>`select email from parties where company_id = ${ctx.companyId} and id = ${customer_id}
    union all select customer->>'email' from documents where company_id = ${ctx.companyId}
      and id = ${document_id}`.execute(ctx.tx)
  return rows.some(({ email }) => email?.toLowerCase() === to.toLowerCase())
}

export async function sendLink(
  ctx: Ctx,
  { id, to, text }: { id: string; to: string; text?: string | undefined },
): Promise<PaymentLink> {
  const link = await openLink(ctx, id)
  if (isExpired(link, ctx.today)) throw fail('paymentLinks.notOpen')
  // People who may not see the amounts may send them to their owner, and not to themselves.
  if (ctx.caller.hideTotalPrices && !(await isHis(ctx, link, to)))
    throw failField('to', 'documents.onlyToCustomer')
  await letter(ctx, link, to, 'send', text)
  await sql`update payment_links set sent_at = now(), email = coalesce(email, ${to}), updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('paymentLinks.send', 'paymentLinks', id, undefined, { to })
  return showLink(ctx, id)
}

/** Nine or ten in the morning in Jerusalem. */
const morning = (day: Day): Date => new Date(`${day}T07:00:00Z`)

async function planReminders(ctx: Ctx, link: Link): Promise<void> {
  const made = dayInJerusalem(new Date(link.created_at))
  for (const days of link.remind_days.split(',').filter(Boolean).map(Number)) {
    const at = morning(addDays(made, days))
    if (at > ctx.now && !link.reminded.includes(days))
      await ctx.later('paymentLinks.remind', { linkId: link.id, days }, at)
  }
}

/** Reminds of a link that is still unpaid on its day. A second run finds the day among those reminded of. */
export const remindJob: Job = async (ctx, { linkId, days }) => {
  const { rows } =
    await sql<Link>`select * from payment_links where company_id = ${ctx.companyId} and id = ${String(linkId)}
      for update`.execute(ctx.tx)
  const [link] = rows
  const isMeant =
    link?.state === 'open' &&
    link.remind_days.split(',').includes(String(days)) &&
    !link.reminded.includes(Number(days))
  if (!isMeant || isExpired(link, ctx.today) || !link.email || (await dueOf(ctx, link)) <= 0) return
  if (!(await isWithin(ctx, linkKind, link.id, 'send', { agorot: 0 }))) return
  await letter(ctx, link, link.email, 'remind')
  await sql`update payment_links set reminded = reminded || ${Number(days)}::smallint, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${link.id}`.execute(ctx.tx)
  await ctx.audit('paymentLinks.remind', 'paymentLinks', link.id, undefined, { to: link.email, days })
}

registerOrders(linkKind, {
  rule: 'paymentLinks.change',
  describe: async (ctx, ids) => {
    const { rows } = await sql<{ id: string; title: string; customer: string | null }>`select l.id,
        l.description as title, p.name as customer
      from payment_links l left join parties p on p.company_id = l.company_id and p.id = l.customer_id
      where l.company_id = ${ctx.companyId} and l.id = any (${ids}::uuid[])`.execute(ctx.tx)
    return rows.map(({ id, title, customer }) => ({
      id,
      title: [title, customer].filter(Boolean).join(' · '),
      href: `/invoice/paymentkeys?id=${id}`,
    }))
  },
  next: async (ctx, ids) => {
    const { rows } = await sql<Link>`select * from payment_links where company_id = ${ctx.companyId}
      and id = any (${ids}::uuid[]) and state = 'open'
      and (expires_on is null or expires_on >= ${ctx.today})`.execute(ctx.tx)
    const found = []
    for (const link of rows) {
      const agorot = await dueOf(ctx, link).catch(() => 0)
      if (agorot > 0) found.push({ id: link.id, does: [{ effect: 'collect' as const, agorot }] })
    }
    return found
  },
  // The person who opens the link from now on can pay. Of the reminders that waited the last one is sent: several letters of
  // one morning say no more than one.
  goOn: async (ctx, id) => {
    const link = await linkOf(ctx, id)
    const made = dayInJerusalem(new Date(link.created_at))
    const due = link.remind_days
      .split(',')
      .filter(Boolean)
      .map(Number)
      .filter((days) => morning(addDays(made, days)) <= ctx.now && !link.reminded.includes(days))
    const last = due.length ? Math.max(...due) : undefined
    if (last !== undefined) await ctx.later('paymentLinks.remind', { linkId: id, days: last })
  },
})
