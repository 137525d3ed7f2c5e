import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Earning } from '#domain/standingOrders/recurring.ts'
import { monthlyOf } from '#domain/standingOrders/price.ts'
import type { Agorot } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { versionsOf, type StoredOrder } from './order.ts'
import { comingOf } from './turns.ts'

export interface NamedEarning extends Earning {
  customer: string
  title: string
  /** The month its paper bears, or will bear. */
  day: Day
  netAgorot: Agorot
  isAhead: boolean
}

/**
 * What orders earned and will earn, charge by charge: what was charged, from the charges themselves and their papers; what comes, from the versions of the
 * orders. Charges that were left out or let go are none.
 */
export async function earningsOf(ctx: Ctx, until: Day): Promise<NamedEarning[]> {
  const { rows } =
    await sql<NamedEarning>`select p.order_id as "orderId", o.customer_id as "customerId", p.period_start as from, p.period_end as to,
      p.monthly_agorot as "monthlyAgorot", c.name as customer, o.title, coalesce(d.day, p.due_day) as day,
      coalesce(case when d.ils_net_agorot <> 0 then d.ils_net_agorot else d.ils_total_agorot end, p.net_agorot) as "netAgorot", false as "isAhead"
    from standing_periods p join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
      join parties c on c.company_id = o.company_id and c.id = o.customer_id
      left join documents d on d.company_id = p.company_id and d.id = p.document_id
    where p.company_id = ${ctx.companyId} and p.state <> 'skipped' and (p.state <> 'givenUp' or p.document_id is not null)
    order by p.order_id, p.period_start`.execute(ctx.tx)
  if (until <= ctx.today) return rows
  const { rows: orders } = await sql<StoredOrder & { customer: string }>`select o.*, c.name as customer from standing_orders o
    join parties c on c.company_id = o.company_id and c.id = o.customer_id
    where o.company_id = ${ctx.companyId} and o.state in ('active', 'failing') and o.next_from is not null order by o.number limit 5000`.execute(
    ctx.tx,
  )
  for (const order of orders)
    for (const one of await comingOf(ctx, order, await versionsOf(ctx, order.id), order.next_from, 400, until).catch(() => []))
      rows.push({
        orderId: order.id,
        customerId: order.customer_id,
        customer: order.customer,
        title: order.title,
        from: one.from,
        to: one.to,
        day: one.day,
        // A part of a period is worth what a whole one is.
        monthlyAgorot: one.partDays
          ? Math.round((monthlyOf(one.netAgorot, order.every_n, order.unit) * one.partOf!) / one.partDays)
          : monthlyOf(one.netAgorot, order.every_n, order.unit),
        netAgorot: one.netAgorot,
        isAhead: true,
      })
  return rows
}
