import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { seesWhole } from '#kit/describe/session.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { todayThere } from '#kit/server/data/todayThere.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import type { ChargeAnswer } from '../endpoints.ts'
import { cardCharges, paymentLinks } from '../paymentLinks.ts'
import { chargeOf, isWholeOnly, leftOf } from '#features/money/acquirers/server/index.ts'
import { disputeOf } from './disputes.ts'

const customerName = sql`(select p.name from parties p where p.company_id = t.company_id
    and p.id = t.customer_id)`
const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`
const ofCustomer = (q: string) =>
  sql`t.customer_id in (select search_customers(${fold(q).replace(/[\\%_]/g, '\\$&')}))`

export const linkList: ServedResource = {
  resource: paymentLinks,
  noArchive: true,
  compute: {
    sumAgorot: sql`case when t.charge_id is not null then (select c.amount_agorot from charges c
      where c.company_id = t.company_id and c.id = t.charge_id)
      when t.amount_agorot is not null then t.amount_agorot
      else (select greatest(d.open_in_currency_agorot, d.asked_agorot, 0) from documents d
      where d.company_id = t.company_id and d.id = t.document_id and sees_type(d.type)) end`,
    state: sql`case when t.state = 'open' and t.expires_on < ${todayThere} then 'expired' else t.state end`,
    sentAt: sql`t.sent_at`,
    viewedAt: sql`t.viewed_at`,
    paidAt: sql`t.paid_at`,
    createdAt: sql`t.created_at`,
  },
  refNames: {
    customerId: customerName,
    documentId: sql`(select d.number::text from documents d where d.company_id = t.company_id
        and d.id = t.document_id)`,
  },
  extra: {
    metadata: sql`t.metadata`,
    phone: sql`(select coalesce(p.mobile, p.phone) from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
  },
  search: (q) => sql`(t.description ilike ${pattern(q)} or t.reference = ${q} or ${ofCustomer(q)})`,
}

const chargeState = sql`case when t.state <> 'paid' then t.state when t.surplus then 'surplus'
  when exists (select 1 from charge_disputes x where x.company_id = t.company_id and x.charge_id = t.id
  and x.state <> 'won') then 'disputed'
  when t.given_back_agorot >= t.amount_agorot then 'givenBack' else 'paid' end`
const gateway = sql`(select g.gateway from terminals g where g.company_id = t.company_id
    and g.id = t.terminal_id)`
const payer = sql`coalesce(${customerName}, t.payer->>'name', '')`

export const chargeList: ServedResource = {
  resource: cardCharges,
  noArchive: true,
  compute: {
    createdAt: sql`t.created_at`,
    customerId: sql`t.customer_id`,
    payer,
    sumAgorot: sql`t.amount_agorot`,
    state: chargeState,
    acquirer: gateway,
    reference: sql`coalesce(nullif(t.uid, ''), t.reference)`,
    paidAgorot: sql`(case when t.state = 'paid' then t.amount_agorot else 0 end)`,
    paperNumber: sql`(select d.number from documents d where d.company_id = t.company_id
        and d.id = t.paper_id and sees_type(d.type))`,
    noPaper: sql`nullif(t.paper_failure, '')`,
  },
  refNames: { customerId: customerName },
  search: (q) =>
    sql`(${ofCustomer(q)} or t.payer->>'name' ilike ${pattern(q)} or t.card_last4 = ${q} or t.reference = ${q}
        or t.uid = ${q} or t.approval = ${q})`,
}

type PaperOf = { id: string; type: number; number: number } | null

/** A charge with its documents, refunds and events. */
export async function showCharge(ctx: Ctx, id: string): Promise<ChargeAnswer> {
  const charge = await chargeOf(ctx, id)
  const paper = (column: string) =>
    sql`(select jsonb_build_object('id', d.id, 'type', d.type, 'number', d.number) from documents d
      where d.company_id = t.company_id and d.id = t.${sql.ref(column)}${onlyAllowed(ctx, 'd.type')})`
  const { rows } = await sql<{
    createdAt: string
    payer: string
    state: ChargeAnswer['state']
    acquirer: string
    paper: PaperOf
    paysDocument: PaperOf
    link: { id: string; description: string } | null
  }>`select t.created_at as "createdAt", ${payer} as payer, ${chargeState} as state, ${gateway} as acquirer,
      ${paper('paper_id')} as paper, ${paper('document_id')} as "paysDocument",
      (select jsonb_build_object('id', l.id, 'description', l.description) from payment_links l
      where l.company_id = t.company_id and l.id = t.link_id) as link
    from charges t where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  const { rows: refunds } = await sql<
    ChargeAnswer['refunds'][number]
  >`select t.id, t.created_at as at, t.amount_agorot as "amountAgorot", t.reason, t.state, t.automatic,
      t.code, t.paper_failure as "paperFailure", ${paper('paper_id')} as paper
    from charge_refunds t where t.company_id = ${ctx.companyId} and t.charge_id = ${id}
    order by t.created_at, t.id`.execute(ctx.tx)
  const { rows: events } = await sql<
    ChargeAnswer['events'][number]
  >`select at, kind, details from charge_events
    where company_id = ${ctx.companyId} and charge_id = ${id} order by at, id`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return {
    id,
    ...rows[0],
    customerId: charge.customer_id,
    sumAgorot: charge.amount_agorot,
    givenBackAgorot: charge.given_back_agorot,
    leftAgorot: await leftOf(ctx, charge),
    declineCode: charge.decline_code,
    declineClass: charge.decline_class,
    cardBrand: charge.card_brand,
    cardLast4: charge.card_last4,
    instalments: charge.instalments,
    reference: charge.uid || (charge.reference ?? ''),
    approval: charge.approval,
    paperFailure: charge.paper_failure,
    wholeOnly: await isWholeOnly(ctx, charge),
    refunds,
    dispute: await disputeOf(ctx, id),
    // A sum under another name than one that is hidden.
    events: events.map(({ details: { agorot, ...details }, ...event }) => ({
      ...event,
      details: { ...details, ...(agorot === undefined ? {} : { sumAgorot: agorot }) },
    })),
  }
}

/** Refuses the person who sees a part only to do something with money of the whole. */
export function needWhole(ctx: Ctx): void {
  if (!seesWhole(ctx.caller)) throw forbidden({ sight: 'whole' })
}
