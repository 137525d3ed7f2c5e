import { sql } from 'kysely'
import { documentTypes } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import { asOwn } from '#kit/server/rights/authority.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { newId, type Ctx, type OpenCtx } from '#kit/server/context.ts'
import { isIssued, isType, isUnfinished } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { takesWallet, type Wallet } from '#features/money/acquirers/acquirers.ts'
import {
  chargeOf,
  mostInstalmentsOf,
  openPage as openForm,
  planPage,
  registerPurpose,
  settleCharge,
  terminalFor,
  type Charge,
} from '#features/money/acquirers/server/index.ts'
import { onlyAllowed, owedNow } from '#features/sales/documents/server/index.ts'
import type { Holding, Outcome, Quote } from '../endpoints.ts'
import { outcomeOf } from './charge.ts'
import { issueForDocuments, paysOf } from './paper.ts'
import { payableOf, type Payable } from './payable.ts'

/** The purpose of charges that pay several documents on a customer's page. */
const purpose = 'customerPage'
/** The most documents that one charge pays. */
const mostTogether = 100

/** What else a customer has with the business: cards, orders, bookings. */
export type Holds = (ctx: Ctx, customerId: string) => Promise<Holding[]>
const holders: Holds[] = []

/** Shows what a feature keeps for a customer on the customer's own page, in the customer's language. */
export const registerHoldings = (holds: Holds): void => void holders.push(holds)

export async function holdingsOf(ctx: Ctx, customerId: string): Promise<Holding[]> {
  const found: Holding[] = []
  for (const holds of holders) found.push(...(await holds(ctx, customerId)))
  return found
}

/** Records of the customer, and those merged into it. */
const idsOf = (ctx: Ctx, customerId: string) => sql`select p.id from parties p
  where p.company_id = ${ctx.companyId} and (p.id = ${customerId} or p.merged_into = ${customerId})`

/** What can be paid together: `invoice` by a receipt, `request` by the document that money without an invoice needs. */
export type Together = 'invoice' | 'request'
const togetherOf = (payable: Payable): Together => (paysOf(payable) === 'request' ? 'request' : 'invoice')

/** The documents that ask for money now, the one that is due first at the top. */
export async function openOf(ctx: Ctx, customerId: string) {
  const { rows } = await sql<{
    id: string
    key: string
    subject: string
    dueDate: string | null
    date: string
    number: number
  }>`
    select d.id, d.page_key as key, d.subject, d.due_day as "dueDate", d.day as date, d.number
    from ${owedNow(ctx, sql`${customerId}::uuid`)} w
    join documents d on d.company_id = ${ctx.companyId} and d.id = w.id and ${isIssued('d')}
    where w.owed_in_currency > 0
    order by coalesce(d.due_day, d.day), d.day, d.id limit ${mostTogether}`.execute(ctx.tx)
  const found = []
  for (const row of rows) {
    const payable = await payableOf(ctx, row.id)
    if (payable.dueAgorot > 0)
      found.push({
        key: row.key,
        name: payable.name,
        subject: row.subject,
        date: row.date,
        dueDate: row.dueDate,
        isLate: row.dueDate !== null && row.dueDate < ctx.today,
        dueAgorot: payable.dueAgorot,
        together: togetherOf(payable),
      })
  }
  return found
}

interface Part {
  payable: Payable
  agorot: number
}

/** The chosen documents, locked in one order for all. */
async function partsOf(ctx: Ctx, customerId: string, keys: readonly string[]): Promise<Part[]> {
  const { rows } = await sql<{ id: string }>`select d.id from documents d
    where d.company_id = ${ctx.companyId}
    and d.page_key = any(${[...new Set(keys)]}::text[]) and ${isIssued('d')}
    and d.customer_id in (${idsOf(ctx, customerId)}) order by d.id`.execute(ctx.tx)
  if (rows.length !== new Set(keys).size) throw fail('kit.notFound')
  const parts: Part[] = []
  for (const { id } of rows) {
    const payable = await payableOf(ctx, id, true)
    if (payable.dueAgorot <= 0) throw fail('paymentLinks.nothingDue')
    parts.push({ payable, agorot: payable.dueAgorot })
  }
  return parts
}

/** One document proves one payment: what needs documents of different types, or of two records, is paid apart. */
function checkTogether(parts: readonly Part[]): void {
  const [first] = parts
  if (!first) throw fail('paymentLinks.nothingDue')
  const isApart = parts.some(
    ({ payable }) =>
      togetherOf(payable) !== togetherOf(first.payable) || payable.customerId !== first.payable.customerId,
  )
  if (isApart) throw fail('paymentLinks.apart')
}

/** An open form for exactly this choice, so that two tabs lead to one payment. */
async function sameChoice(ctx: Ctx, customerId: string, parts: readonly Part[]): Promise<string | undefined> {
  const wanted = JSON.stringify(parts.map(({ payable, agorot }) => [payable.id, agorot]))
  const { rows } = await sql<{ id: string; parts: [string, number][] }>`select p.id,
      (select jsonb_agg(jsonb_build_array(l.document_id, l.amount_agorot) order by l.document_id)
        from customer_page_payment_documents l
        where l.company_id = p.company_id and l.payment_id = p.id) as parts
    from customer_page_payments p join charges c on c.company_id = p.company_id and c.subject_id = p.id
    where p.company_id = ${ctx.companyId} and p.customer_id = ${customerId} and c.purpose = ${purpose}
      and c.state in ('begun', 'declined', 'needsPerson') order by p.created_at desc limit 20`.execute(ctx.tx)
  return rows.find(({ parts }) => JSON.stringify(parts) === wanted)?.id
}

async function keptChoice(ctx: Ctx, customerId: string, parts: readonly Part[]): Promise<string> {
  const known = await sameChoice(ctx, customerId, parts)
  if (known) return known
  const id = newId()
  await sql`insert into customer_page_payments (company_id, id, customer_id, amount_agorot)
    values (${ctx.companyId}, ${id}, ${customerId},
      ${parts.reduce((sum, { agorot }) => sum + agorot, 0)})`.execute(ctx.tx)
  for (const { payable, agorot } of parts)
    await sql`insert into customer_page_payment_documents (company_id, payment_id, document_id, amount_agorot)
      values (${ctx.companyId}, ${id}, ${payable.id}, ${agorot})`.execute(ctx.tx)
  return id
}

type ByKey = <T>(
  ctx: OpenCtx,
  key: string,
  work: (inside: Ctx, customerId: string) => Promise<T>,
) => Promise<T>

/** Opens one form of the acquirer for all chosen documents. */
export const payTogether = (byKey: ByKey) =>
  async function (
    ctx: OpenCtx,
    { key, documents, wallet }: { key: string; documents: string[]; wallet?: Wallet | undefined },
  ): Promise<{ url: string }> {
    const { id, companyId } = await byKey(ctx, key, async (inside, customerId) => {
      const parts = await partsOf(inside, customerId, documents)
      checkTogether(parts)
      const agorot = parts.reduce((sum, part) => sum + part.agorot, 0)
      if (wallet && !(takesWallet(wallet, agorot) && (await terminalFor(inside, agorot, 'ILS', { wallet }))))
        throw fail('paymentLinks.noWallet')
      const terminal = await terminalFor(inside, agorot)
      const { payable } = parts[0]!
      const { language } = payable
      return {
        companyId: inside.companyId,
        id: await planPage(asOwn(inside, 'payerPays'), {
          purpose,
          subjectId: await keptChoice(inside, customerId, parts),
          linkId: null,
          documentId: null,
          customerId: payable.customerId,
          agorot,
          description:
            parts.length === 1
              ? payable.name
              : say(language, 'customerPages.several', { count: parts.length }),
          mostInstalments: terminal && !wallet ? mostInstalmentsOf(terminal, agorot) : 1,
          wallet,
          payer: {},
          language,
          page: `${siteOf(ctx.app)}/historydoc/${key}`,
        }),
      }
    })
    return openForm(ctx.app, companyId, id)
  }

/** A charge of this customer's page, and of no other. */
export const checkTogetherPaid = (byKey: ByKey) =>
  async function (
    ctx: OpenCtx,
    { key, charge: chargeId, told }: { key: string; charge: string; told?: string | undefined },
  ): Promise<Outcome> {
    const companyId = await byKey(ctx, key, async (inside, customerId) => {
      const charge = await chargeOf(inside, chargeId)
      const { rows } = await sql`select 1 from customer_page_payments where company_id = ${inside.companyId}
        and id = ${charge.subject_id} and customer_id = ${customerId}`.execute(inside.tx)
      if (charge.purpose !== purpose || !rows.length) throw fail('kit.notFound')
      return inside.companyId
    })
    if (!(await settleCharge(ctx.app, companyId, chargeId, 'return', told)))
      throw fail('paymentLinks.acquirerAway')
    return byKey(ctx, key, (inside) => outcomeOf(inside, chargeId))
  }

/** What a charge pays, with what each document owed when it was chosen. */
async function paidBy(ctx: Ctx, charge: Charge, lock: boolean): Promise<Part[]> {
  const { rows } = await sql<{ id: string; agorot: number }>`select document_id as id, amount_agorot as agorot
    from customer_page_payment_documents where company_id = ${ctx.companyId}
      and payment_id = ${charge.subject_id} order by document_id`.execute(ctx.tx)
  const parts: Part[] = []
  for (const { id, agorot } of rows) parts.push({ payable: await payableOf(ctx, id, lock), agorot })
  return parts
}

registerPurpose(purpose, {
  lock: async (ctx, charge) => void (await paidBy(ctx, charge, true)),
  // Paid, cancelled or credited meanwhile: the money is refunded, whole.
  isDue: async (ctx, charge) =>
    (await paidBy(ctx, charge, true)).every(({ payable, agorot }) => payable.openAgorot >= agorot),
  issue: async (ctx, charge) => issueForDocuments(ctx, charge, await paidBy(ctx, charge, true)),
  paid: () => Promise.resolve(),
})

/** Quotes that wait for the customer, and those that were answered. */
export async function quotesOf(ctx: Ctx, customerId: string): Promise<Quote[]> {
  const { rows } = await sql<Quote>`select d.page_key as key, d.number, d.day as date,
      d.valid_until as "validUntil",
      d.subject, d.total_agorot as "totalAgorot", d.currency,
      (d.valid_until is not null and d.valid_until < ${ctx.today}) as "isOver",
      a.answer, a.comment, a.answered_at as "answeredAt"
    from documents d left join lateral (select q.answer, q.comment, q.answered_at from quote_answers q
      where q.company_id = d.company_id and q.document_id = d.id and q.answer <> 'comment'
      order by q.answered_at desc limit 1) a on true
    where d.company_id = ${ctx.companyId} and ${isType('d', 'priceQuote')} and ${isUnfinished('d')}
      and d.customer_id in (${idsOf(ctx, customerId)})
    order by d.day desc, d.id desc limit 20`.execute(ctx.tx)
  return rows
}

/** The customer accepts or declines a quote, or asks about it. */
export const answerQuote =
  (byKey: ByKey) =>
  (
    ctx: OpenCtx,
    {
      key,
      document,
      answer,
      comment,
    }: { key: string; document: string; answer: 'accepted' | 'declined' | 'comment'; comment: string },
  ): Promise<{ quotes: Quote[] }> =>
    byKey(ctx, key, async (inside, customerId) => {
      const { rows } = await sql<{ id: string; over: boolean }>`select d.id,
        (d.valid_until is not null and d.valid_until < ${inside.today}) as over
      from documents d where d.company_id = ${inside.companyId} and d.page_key = ${document}
        and d.type = ${documentTypes.priceQuote.id} and ${isIssued('d')} and ${isUnfinished('d')}
        and d.customer_id in (${idsOf(inside, customerId)}) for update`.execute(inside.tx)
      const [quote] = rows
      if (!quote) throw fail('kit.notFound')
      if (quote.over && answer === 'accepted') throw fail('paymentLinks.quoteOver')
      await sql`insert into quote_answers (company_id, id, document_id, answer, comment, address)
      values (${inside.companyId}, ${newId()}, ${quote.id}, ${answer}, ${comment},
        ${ctx.address.slice(0, 60)})`.execute(inside.tx)
      const said = comment ? { comment } : {}
      if (answer === 'accepted') await inside.audit('quotes.accepted', 'documents', quote.id, undefined, said)
      else if (answer === 'declined')
        await inside.audit('quotes.declined', 'documents', quote.id, undefined, said)
      else await inside.audit('quotes.comment', 'documents', quote.id, undefined, said)
      return { quotes: await quotesOf(inside, customerId) }
    })

/** What the customer said of a quote, for the business: the newest first. */
export async function answersOf(ctx: Ctx, { id }: { id: string }) {
  const known = await sql`select 1 from documents d
    where d.company_id = ${ctx.companyId} and d.id = ${id}${onlyAllowed(ctx, 'd.type')}`.execute(ctx.tx)
  if (!known.rows.length) throw fail('kit.notFound')
  const { rows } = await sql<{ answer: 'accepted' | 'declined' | 'comment'; comment: string; at: string }>`
    select q.answer, q.comment, q.answered_at as at from quote_answers q
    join documents d on d.company_id = q.company_id and d.id = q.document_id
    where q.company_id = ${ctx.companyId} and q.document_id = ${id} order by q.answered_at desc
    limit 50`.execute(ctx.tx)
  return { rows }
}
