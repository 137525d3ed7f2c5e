import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

/**
 * What a unit of each item costs by its card, for what stock does not keep: the item's own cost, or that of
 * the item it is a variant of; null where nobody said. A cost in another currency is worth what the sale was
 * exchanged at where both are in that currency, else the rate of its day. `kept`: stock says what a sale of
 * it cost.
 */
export const costs = (ctx: Ctx): RawBuilder<unknown> => sql`
  select i.id, coalesce(i.cost, w.cost) as cost, case when i.cost is null then w.currency
    else i.currency end as currency, i.is_stocked or i.made_of = 'kit' as kept
  from items i left join items w on w.company_id = i.company_id and w.id = i.parent_id
  where i.company_id = ${ctx.companyId}`

/**
 * What goods of a paper's line went for by the ledger of stock, as it was known then; nothing where nobody
 * knew what they cost.
 */
const wentFor = (
  ctx: Ctx,
  document: RawBuilder<unknown>,
  line: RawBuilder<unknown>,
): RawBuilder<number | null> =>
  sql`(select case when bool_or(m.guessed) and sum(m.value_agorot) = 0 then null
      else abs(sum(m.value_agorot)) end from stock_moves m
    where m.company_id = ${ctx.companyId} and m.document_id = ${document} and m.line = ${line}
      and m.kind in ('issue', 'return'))`

/**
 * The cost of a sold line `s` by its item's `c`, in agorot of the shekel; null where it is not known. Of what
 * is kept in stock it is what the ledger says its goods went for: with the line itself, or with the note (or
 * the invoice that is credited) it follows, by its part of that line. Of everything else the card's, rounded
 * once for the line.
 */
export const costOfLine = (ctx: Ctx): RawBuilder<number | null> => sql`coalesce(
  case when c.kept then sign(s.quantity) * coalesce(${wentFor(ctx, sql`s.id`, sql`s.line`)},
    (select round(coalesce(${wentFor(ctx, sql`o.document_id`, sql`o.line`)},
    (select ${wentFor(ctx, sql`n.document_id`, sql`n.line`)} * o.quantity / nullif(n.quantity, 0)
    from document_lines n
        where n.company_id = o.company_id and n.document_id = o.source_document_id
          and n.line = o.source_line)) * abs(s.quantity) / nullif(o.quantity, 0))
      from document_lines x join document_lines o on o.company_id = x.company_id
        and o.document_id = x.source_document_id and o.line = x.source_line
      where x.company_id = ${ctx.companyId} and x.document_id = s.id and x.line = s.line)) end,
  round(s.quantity * c.cost * 100 * case
  when c.currency = 'ILS' then 1 when c.currency = s.currency then s.rate
  else (select r.rate
  from (select currency, day, rate, 1 as own from company_rates where company_id = ${ctx.companyId}
    union all select currency, day, rate, 0 from exchange_rates) r
    where r.currency = c.currency and r.day <= s.day order by r.day desc, r.own desc limit 1) end))`
