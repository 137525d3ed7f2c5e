import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { dueRows, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { proposed } from './orders.ts'

const lowStock = dueRows({
  name: 'stock.low',
  due: (app) => sql`select company_id, company_id::text as key, ${app.now()}::timestamptz as at from (
      select company_id from items where is_stocked and minimum_quantity is not null and archived_at is null
      union select company_id from stock_low) c`,
  serve: async (ctx) => {
    const { rows: low } = await proposed(ctx)
    await sql`delete from stock_low where company_id = ${ctx.companyId}
        and not item_id = any (${low.map((one) => one.itemId)}::uuid[])`.execute(ctx.tx)
    let fresh = 0
    for (const one of low) {
      // The process that comes first notifies.
      const { rows: made } = await sql`insert into stock_low (company_id, item_id, since)
          values (${ctx.companyId}, ${one.itemId}, ${ctx.today}) on conflict do nothing
          returning 1`.execute(ctx.tx)
      if (!made.length) continue
      await ctx.audit('stock.low', 'items', one.itemId, undefined, {
        name: one.name,
        quantity: one.quantity,
      })
      fresh++
    }
    return fresh
  },
})

/**
 * Each night the businesses that set a minimum are checked: what fell below it and is not on order is reported once.
 * Answers how many items were reported.
 */
export const lookForLow = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, lowStock, { isOver })

const hour = 3_600_000

/** Once a night, between two and five. */
export function startNights(app: App): () => Promise<void> {
  let done = ''
  return everyRound(app, 'stock below its minimum', hour, async (isOver) => {
    const { day, time } = momentInJerusalem(app.now())
    if (day === done || time < '02:00' || time >= '05:00') return
    await lookForLow(app, isOver)
    done = day
  })
}
