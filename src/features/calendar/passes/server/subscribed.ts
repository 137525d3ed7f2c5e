import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import { holds, type SubscribedSource } from '#features/money/standingOrders/server/index.ts'
import { endsSoon, isFrozen, isPaidFor, lastDay, visitsLeft } from './read.ts'

/** Its standing order still runs, so it renews automatically. */
export const comesAgain = sql`exists (select 1 from standing_orders o where o.company_id = p.company_id
    and o.id = p.order_id and o.state not in ('ended', 'cancelled'))`

/** The state of a pass on a day. */
export const stateOn = (today: string) => sql`case when p.end_reason = 'cancelled' then 'cancelled'
  when p.ended_at is not null or ${lastDay} < ${today}::date or (p.visits is not null and ${visitsLeft} <= 0)
  then 'ended' when not ${isPaidFor} then 'unpaid'
  when p.from_day > ${today}::date then 'ahead' when ${isFrozen(today)} then 'frozen' when ${endsSoon(today)}
  and not ${comesAgain} then 'ending' else 'active' end`

/**
 * Passes as rows of the report of subscriptions. The income of a pass that an order pays for is shown with the
 * order.
 */
export const subscribed: SubscribedSource['find'] = async (
  ctx: Ctx,
  { kind, customer, from, to, left, state },
) => {
  const { rows } = await sql<
    Awaited<ReturnType<SubscribedSource['find']>>[number] & {
      why: string
      isRenewed: boolean
      customerId: string
    }
  >`select * from (select ${stateOn(ctx.today)} as state, c.name as customer, k.name as title,
      p.from_day as "startDay", null::date as "nextDay",
        case when p.end_reason = 'cancelled' then (p.ended_at at time zone 'Asia/Jerusalem')::date
        else ${lastDay}::date end as "untilDay",
        case when p.visits is not null then ${visitsLeft} end as "left", null::int as turns,
        p.price_agorot as "sumAgorot", null::bigint as "monthlyAgorot",
        case when p.order_id is null then
        coalesce((select p.price_agorot from documents d where d.company_id = p.company_id
        and d.id = p.document_id
          and ${isLive('d')} and greatest(d.open_agorot, d.asked_agorot) <= 0),
          0)::bigint end as "broughtAgorot",
        p.end_reason as why, p.order_id is not null as "isRenewed", p.customer_id as "customerId"
      from passes p join pass_kinds k on k.company_id = p.company_id and k.id = p.kind_id
      join parties c on c.company_id = p.company_id and c.id = p.customer_id
      where p.company_id = ${ctx.companyId} ${kind ? sql`and k.name ilike ${holds(kind)}` : sql``}
        ${customer ? sql`and p.customer_id = ${customer}` : sql``}
        ${from ? sql`and p.from_day >= ${from}` : sql``} ${to ? sql`and p.from_day <= ${to}` : sql``}
      order by c.name, k.name, p.from_day, p.id) x
    where true ${state ? sql`and state = ${state}` : sql``}
      ${left === undefined ? sql`` : sql`and "left" <= ${left}`}`.execute(ctx.tx)
  const { language } = ctx.caller
  return rows.map(({ why, isRenewed, customerId, ...row }) => ({
    ...row,
    open: `/invoice/invoiceCustomer/${customerId}/passes`,
    reason: [
      why === 'expired' && say(language, 'passes.why.expired'),
      isRenewed && say(language, 'passes.renewals'),
    ]
      .filter(Boolean)
      .join(' · '),
  }))
}
