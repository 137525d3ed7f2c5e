import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

/**
 * What a unit of each item costs, until stock keeps what it really cost: the item's own cost, or that of the item it is a variant of; null where
 * nobody said. A cost in another currency is worth what the sale was exchanged at where both are in that currency, else the rate of its day.
 */
export const costs = (ctx: Ctx): RawBuilder<unknown> => sql`
  select i.id, coalesce(i.cost, w.cost) as cost, case when i.cost is null then w.currency else i.currency end as currency
  from items i left join items w on w.company_id = i.company_id and w.id = i.parent_id where i.company_id = ${ctx.companyId}`

/** The cost of a sold line `s` by its item's `c`, in agorot of the shekel, rounded once for the line; null where it is not known. */
export const costOfLine = (ctx: Ctx): RawBuilder<number | null> => sql`round(s.quantity * c.cost * 100 * case
  when c.currency = 'ILS' then 1 when c.currency = s.currency then s.rate
  else (select r.rate from (select currency, day, rate, 1 as own from company_rates where company_id = ${ctx.companyId}
    union all select currency, day, rate, 0 from exchange_rates) r
    where r.currency = c.currency and r.day <= s.day order by r.day desc, r.own desc limit 1) end)`
