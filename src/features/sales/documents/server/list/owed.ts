import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { asks, isOpen } from '#kit/server/data/documentFacts.ts'

/**
 * What is owed now of open documents, as `owedNow` of `domain/documents/owed.ts`: a subquery with a row for each debt and
 * each request for payment, `id`, `customer_id` (of the customer that a record was merged into), `owed_in_currency` in the
 * document's currency and `owed` in shekels. `customers` narrows it to all documents of some customers: a query of one
 * document still has to see the others, because money on account covers the oldest first.
 */
export const owedNow = (ctx: Ctx, customers?: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select w.id, w.customer_id, w.owed_in_currency,
      case when w.owed_in_currency = w.open then w.ils
        else round(w.ils::numeric * w.owed_in_currency / w.open)::bigint end as owed
    from (
      select q.id, q.customer_id, q.open, q.ils,
        greatest(0, least(q.open, sum(greatest(q.open, 0)) over (partition by q.customer_id, q.currency
            order by q.asks, q.at, q.number, q.id) - sum(-least(q.open, 0)) over
            (partition by q.customer_id, q.currency)))::bigint as owed_in_currency
      from (
        select d.id, coalesce(p.merged_into, d.customer_id, d.id) as customer_id, d.currency, d.number,
          ${asks('d')} as asks, coalesce(d.due_day, d.day) as at,
          case when ${asks('d')} then d.asked_agorot else d.open_in_currency_agorot end as open,
          case when ${asks('d')} then round(d.asked_agorot * d.rate)::bigint else d.open_agorot end as ils
        from documents d left join parties p on p.company_id = d.company_id and p.id = d.customer_id
        where d.company_id = ${ctx.companyId} and ${isOpen('d')}
          and (d.open_in_currency_agorot <> 0 or d.asked_agorot <> 0)
          ${customers ? sql`and coalesce(p.merged_into, p.id) in (${customers})` : sql``}) q) w
    where w.open > 0)`

/** What is owed now of one document, in its currency and in shekels; `isOpen` is false where nothing of it is open. */
export async function owedOf(
  ctx: Ctx,
  documentId: string,
): Promise<{ isOpen: boolean; inCurrency: number; ils: number }> {
  const whose = sql`select coalesce(p.merged_into, p.id) from documents d join parties p
    on p.company_id = d.company_id and p.id = d.customer_id
    where d.company_id = ${ctx.companyId} and d.id = ${documentId}`
  const { rows } = await sql<{ inCurrency: number; ils: number }>`select w.owed_in_currency as "inCurrency",
      w.owed as ils from ${owedNow(ctx, whose)} w where w.id = ${documentId}`.execute(ctx.tx)
  return rows[0] ? { isOpen: true, ...rows[0] } : { isOpen: false, inCurrency: 0, ils: 0 }
}

/** The money of a customer in one currency that no debt of the customer needs: it is on account. */
export async function leftOnAccount(ctx: Ctx, customerId: string, currency: string): Promise<number> {
  const { rows } = await sql<{
    left: number
  }>`select greatest(0, -sum(d.open_in_currency_agorot))::bigint as left
    from documents d join parties p on p.company_id = d.company_id and p.id = d.customer_id
    where d.company_id = ${ctx.companyId} and ${isOpen('d')} and d.open_in_currency_agorot <> 0
      and d.currency = ${currency} and coalesce(p.merged_into, p.id) = (select coalesce(k.merged_into, k.id)
        from parties k where k.company_id = ${ctx.companyId} and k.id = ${customerId})`.execute(ctx.tx)
  return rows[0]?.left ?? 0
}
