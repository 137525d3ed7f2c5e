import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Agorot } from '#domain/money.ts'
import type { Ctx } from '#kit/server/context.ts'
import { versionsOf, type StoredOrder } from './order.ts'
import { comingOf } from './turns.ts'

/** A charge to come, as the cash ahead is interested in it. */
export interface ComingCharge {
  orderId: string
  day: Day
  agorot: Agorot
  vatAgorot: Agorot
  customer: string
  title: string
  /** By card: its money comes with it. */
  isAtOnce: boolean
}

/** What standing orders in shekels will charge or bill up to a day. */
export async function comingIncome(ctx: Ctx, until: Day): Promise<ComingCharge[]> {
  const { rows } = await sql<
    StoredOrder & { customer: string }
  >`select o.*, p.name as customer from standing_orders o
    join parties p on p.company_id = o.company_id and p.id = o.customer_id
    where o.company_id = ${ctx.companyId} and o.state in ('active', 'failing') and o.currency = 'ILS'
      and o.next_from is not null and o.next_day <= ${until}
    order by o.number limit 5000`.execute(ctx.tx)
  const found: ComingCharge[] = []
  for (const order of rows)
    for (const one of await comingOf(
      ctx,
      order,
      await versionsOf(ctx, order.id),
      order.next_from,
      100,
      until,
    ).catch(() => []))
      if (one.day <= until && one.totalAgorot > 0)
        found.push({
          orderId: order.id,
          day: one.day > ctx.today ? one.day : ctx.today,
          agorot: one.totalAgorot,
          vatAgorot: one.vatAgorot,
          customer: order.customer,
          title: order.title,
          isAtOnce: order.means === 'card',
        })
  return found
}
