import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { onlyAllowed } from '#features/sales/documents/server/index.ts'
import { narrowed, type Narrowed } from './parts.ts'

/** Today, or the day that was asked for when it has passed. */
export const dayOf = (ctx: Ctx, asked: Day | undefined): Day => (asked && asked < ctx.today ? asked : ctx.today)

/**
 * What customers owe and what waits for them, paper by paper, as `o` stood at the end of a day: what is open now, and what was closed since put
 * back. Debts stand with a plus, credits and money that closed nothing yet with a minus.
 */
export const openItems = (ctx: Ctx, day: Day, asked: Narrowed): RawBuilder<unknown> => {
  const columns = sql`d.id, d.type, d.series, d.number, d.day, d.due_day, d.customer_id, d.currency, d.company_id, d.subject, d.ils_total_agorot, d.total_agorot, d.open_in_currency_agorot`
  return day >= ctx.today
    ? sql`select ${columns}, d.open_agorot as open from documents d where d.company_id = ${ctx.companyId} and d.open_agorot <> 0${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}`
    : sql`select * from (select ${columns}, (d.open_agorot
          + coalesce((select sum(s.to_ils_agorot) from settlements s where s.company_id = d.company_id and s.to_id = d.id and s.day > ${day}), 0)
          - coalesce((select sum(s.from_ils_agorot) from settlements s where s.company_id = d.company_id and s.from_id = d.id and s.day > ${day}), 0))::bigint as open
        from documents d where d.company_id = ${ctx.companyId} and d.status <> 'draft' and d.day <= ${day}${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}) x where x.open <> 0`
}
