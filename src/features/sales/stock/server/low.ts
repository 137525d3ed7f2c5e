import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { asCaller, systemCaller, type App } from '#kit/server/context.ts'
import { proposed } from './orders.ts'

/** Each night the businesses that say a minimum are looked at: what fell below it and is not on order is told once. Answers how many items were told. */
export async function lookForLow(app: App): Promise<number> {
  const { rows } = await sql<{
    company_id: string
  }>`select distinct company_id from items where is_stocked and minimum_quantity is not null
      and archived_at is null
    union select company_id from stock_low`.execute(app.db.kysely)
  let told = 0
  for (const { company_id: companyId } of rows)
    told += await asCaller(app, systemCaller(companyId), '', async (ctx) => {
      const { rows: low } = await proposed(ctx)
      await sql`delete from stock_low where company_id = ${ctx.companyId}
          and not item_id = any (${low.map((one) => one.itemId)}::uuid[])`.execute(ctx.tx)
      let fresh = 0
      for (const one of low) {
        // Whichever process comes first tells it.
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
    })
  return told
}

const hour = 3_600_000

/** Once a night, between two and five. */
export function startNights(app: App): () => Promise<void> {
  let [done, running] = ['', Promise.resolve() as Promise<unknown>]
  const round = async () => {
    const { day, time } = momentInJerusalem(app.now())
    if (day === done || time < '02:00' || time >= '05:00') return
    await lookForLow(app)
    done = day
  }
  const timer = setInterval(
    () =>
      void (running = running
        .then(round)
        .catch((e: Error) => app.log.warn({ err: e.message }, 'stock below its minimum'))),
    hour,
  )
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
