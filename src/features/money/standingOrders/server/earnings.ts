import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Earning, Share } from '#domain/standingOrders/recurring.ts'
import { monthlyOf } from '#domain/standingOrders/price.ts'
import { lineAmount } from '#domain/documents/arithmetic.ts'
import type { Agorot } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { Ctx } from '#kit/server/context.ts'
import { incomeNet } from '#kit/server/data/documentFacts.ts'
import { versionsOf, type StoredOrder } from './order.ts'
import type { OrderLine } from '../endpoints.ts'
import { aheadOf } from './turns.ts'

export interface NamedEarning extends Earning {
  customer: string
  title: string
  /** The month its paper bears, or will bear. */
  day: Day
  netAgorot: Agorot
  isAhead: boolean
  /** What of it is of which product. */
  shares: Share[]
}

/**
 * What a line is of: its item, or where it has none what was written, before months and numbers were filled
 * in: those differ from charge to charge.
 */
const productOf = (line: Pick<OrderLine, 'itemId' | 'description'>): string => line.itemId ?? line.description

/** Charges whose paper has no lines yet share by quantity and price. */
const priced = ({ quantity, unitPrice }: Pick<OrderLine, 'quantity' | 'unitPrice'>): number =>
  lineAmount({ quantity: parseDecimal4(quantity) ?? 0, unitPrice: parseDecimal4(unitPrice) ?? 0 })

interface Past extends Omit<NamedEarning, 'shares'> {
  lines: OrderLine[] | null
  nets: number[] | null
}

/**
 * What orders earned and will earn, charge by charge: what was charged, from the charges themselves and their
 * papers; what comes, from the versions of the orders. Charges that were left out or let go are none.
 */
export async function earningsOf(ctx: Ctx, until: Day): Promise<NamedEarning[]> {
  const { rows } =
    await sql<Past>`select p.order_id as "orderId", o.customer_id as "customerId", p.period_start as
      from, p.period_end as to,
      p.monthly_agorot as "monthlyAgorot", c.name as customer, o.title, coalesce(d.day, p.due_day) as day,
      coalesce(case when d.ils_net_agorot <> 0 then ${incomeNet('d')} else d.ils_total_agorot end,
      p.net_agorot) as "netAgorot", false as "isAhead",
      v.lines, (select jsonb_agg(l.ils_net_agorot order by l.line) from document_lines l
      where l.company_id = p.company_id and l.document_id = p.document_id) as nets
    from standing_periods p join standing_orders o on o.company_id = p.company_id and o.id = p.order_id
      join parties c on c.company_id = o.company_id and c.id = o.customer_id
      left join documents d on d.company_id = p.company_id and d.id = p.document_id
      left join standing_versions v on v.company_id = p.company_id and v.order_id = p.order_id
        and v.no = p.version_no
    where p.company_id = ${ctx.companyId} and p.state <> 'skipped'
      and (p.state <> 'givenUp' or p.document_id is not null)
    order by p.order_id, p.period_start`.execute(ctx.tx)
  const earnings = rows.map(({ lines, nets, ...one }): NamedEarning => {
    if (!lines?.length) return { ...one, shares: [{ product: one.title, weight: 1 }] }
    // A paper whose lines are others than the order's was changed by hand: what was sold is the order's.
    const weights = nets?.length === lines.length && nets.some(Boolean) ? nets : lines.map(priced)
    return { ...one, shares: lines.map((line, i) => ({ product: productOf(line), weight: weights[i]! })) }
  })
  if (until <= ctx.today) return earnings
  const { rows: orders } = await sql<
    StoredOrder & { customer: string }
  >`select o.*, c.name as customer from standing_orders o
    join parties c on c.company_id = o.company_id and c.id = o.customer_id
    where o.company_id = ${ctx.companyId} and o.state in ('active', 'failing') and o.next_from is not null
    order by o.number limit 5000`.execute(ctx.tx)
  for (const order of orders)
    for (const { coming: one, version, lineNets } of await aheadOf(
      ctx,
      order,
      await versionsOf(ctx, order.id),
      order.next_from,
      400,
      until,
    ).catch(() => []))
      earnings.push({
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
        shares: version.lines.map((line, i) => ({ product: productOf(line), weight: lineNets[i]! })),
      })
  return earnings
}
