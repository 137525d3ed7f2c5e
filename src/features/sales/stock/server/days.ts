import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'

/** The day of a movement somebody makes: not ahead, and not in a period that is closed. */
export async function dayFor(ctx: Ctx, day: Day = ctx.today, path = 'day'): Promise<Day> {
  if (day > ctx.today) throw failField(path, 'stock.dayAhead', { day, today: ctx.today })
  const { rows } =
    await sql`select 1 from locked_periods where company_id = ${ctx.companyId} and reopened_at is null
        and kind in ('month', 'year')
    and ${day}::date between from_day and to_day limit 1`.execute(ctx.tx)
  if (rows.length) throw failField(path, 'stock.dayClosed', { day })
  return day
}
