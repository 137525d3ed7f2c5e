import { sql, type RawBuilder } from 'kysely'
import type { Day } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'
import { onlyAllowed, openSince, wasInBooks } from '#features/sales/documents/server/index.ts'
import { narrowed, type Narrowed } from './parts.ts'

/** Today, or the day that was asked for when it has passed. */
export const dayOf = (ctx: Ctx, asked: Day | undefined): Day =>
  asked && asked < ctx.today ? asked : ctx.today

const all = sql`d.id, d.type, d.series, d.number, d.day, d.due_day, d.customer_id, d.currency, d.company_id,
    d.subject, d.ils_total_agorot, d.total_agorot, d.open_in_currency_agorot`

/** Only amounts are read: the index of open items covers them. */
export const sumsOnly: RawBuilder<unknown> = sql`d.customer_id, d.due_day`

/**
 * What customers owe and what waits for them, paper by paper, as `o` stood at the end of a day: what is open
 * now, and what was closed since put back. Debts stand with a plus, credits and money that closed nothing yet
 * with a minus.
 */
export const openItems = (
  ctx: Ctx,
  day: Day,
  asked: Narrowed,
  columns: RawBuilder<unknown> = all,
): RawBuilder<unknown> => {
  return day >= ctx.today
    ? sql`select ${columns}, d.open_agorot as open from documents d where d.company_id = ${ctx.companyId}
        and d.open_agorot <> 0${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}`
    : sql`
    with since as materialized (${openSince(ctx, day)})
    select * from (select ${columns}, (d.open_agorot + coalesce(s.back, 0))::bigint as open
      from (select id from documents where company_id = ${ctx.companyId} and open_agorot <> 0 union select id
      from since) x
        join documents d on d.company_id = ${ctx.companyId} and d.id = x.id left join since s on s.id = d.id
      where ${isIssued('d')} and ${wasInBooks(day)}${onlyAllowed(ctx, 'd.type')}${narrowed(ctx, asked)}) x
      where x.open <> 0`
}
