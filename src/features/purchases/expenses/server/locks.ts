import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'

/**
 * Whether a day is closed: 'books' by a closed month or year, 'vat' also by a VAT period that was reported.
 */
export async function lockOn(ctx: Ctx, day: Day, what: 'books' | 'vat'): Promise<boolean> {
  const kinds = what === 'vat' ? ['vat', 'month', 'year'] : ['month', 'year']
  const { rows } =
    await sql`select 1 from locked_periods where company_id = ${ctx.companyId} and reopened_at is null
        and kind = any(${kinds})
    and ${day} between from_day and to_day limit 1`.execute(ctx.tx)
  return rows.length > 0
}
