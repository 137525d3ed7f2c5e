import { sql } from 'kysely'
import { timesFraction } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { money, price, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { decimal, seesCost } from '../figures.ts'

/**
 * The list of a count as the income-tax rules want it kept: item, unit, quantity, price, value, place, who
 * counted, and a line to sign. What a unit cost is what the movements up to the day of the count say, of
 * those that were known when it was approved: nothing that comes later changes a list that was signed. The
 * difference the count itself made is valued as the ledger stood when it was approved, so it tells the price
 * only of what no movement brought before.
 */
export const stockCountList = defineReport({
  name: 'stockCountList',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/stocktaking?part=list',
  allow: 'stock.count',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { count: ref('stockcounts', { need: true }) },
  columns: {
    place: text(),
    item: text(),
    sku: text(),
    unit: text(),
    quantity: { ...quantity(), main: true },
    unitCost: { ...price(), whenFilled: true },
    valueAgorot: { ...money(), whenFilled: true },
    countedBy: text(),
    signature: text(),
  },
  groupBy: 'place',
  totals: ['valueAgorot'],
  rows: async (ctx, { count }) => {
    const { rows: known } =
      await sql`select 1 from stock_counts where company_id = ${ctx.companyId} and id = ${count}
          and state <> 'dropped'`.execute(ctx.tx)
    if (!known.length) throw fail('kit.notFound')
    const { rows } = await sql<ReportRow & { quantity: string; whole: string; value: number }>`
      select p.name as place, i.name as item, i.sku, i.unit,
        ${decimal(sql`coalesce(l.approved, (select sum(e.quantity) from stock_count_entries e
          where e.company_id = l.company_id and e.count_id = l.count_id and e.item_id = l.item_id
          and e.place_id = l.place_id and e.batch_id = l.batch_id
          and e.round = (select max(x.round) from stock_count_entries x where x.company_id = l.company_id
          and x.count_id = l.count_id and x.item_id = l.item_id and x.place_id = l.place_id
          and x.batch_id = l.batch_id)), l.book)`)} as quantity,
        coalesce(w.quantity, 0)::text as whole, coalesce(w.value_agorot, 0)::bigint as value,
        (select string_agg(distinct u.full_name, ', ') from stock_count_entries e
        join users u on u.id = e.user_id where e.company_id = l.company_id and e.count_id = l.count_id
          and e.item_id = l.item_id and e.place_id = l.place_id and e.batch_id = l.batch_id) as "countedBy",
        '' as signature, '/invoice/stockproducts/' || i.id as open
      from stock_count_lines l join stock_counts c on c.company_id = l.company_id and c.id = l.count_id
      join items i on i.company_id = l.company_id and i.id = l.item_id
      join stock_places p on p.company_id = l.company_id and p.id = l.place_id
        left join lateral (select case when before > 0 then before else quantity end as quantity, case
          when before > 0 then worth_before else worth end as value_agorot
          from (select sum(m.quantity) as quantity, sum(m.value_agorot) as worth,
            sum(m.quantity) filter (where m.cause_id <> c.id) as before,
              sum(m.value_agorot) filter (where m.cause_id <> c.id) as worth_before from stock_moves m
            where m.company_id = l.company_id and m.item_id = l.item_id
              and (m.day <= c.day or m.cause_id = c.id) and (l.priced_seq is null or m.seq <= l.priced_seq))
              x) w on true
      where l.company_id = ${ctx.companyId} and l.count_id = ${count} order by p.name, i.name`.execute(ctx.tx)
    const cost = seesCost(ctx)
    return rows.map(({ whole, value, ...row }) => {
      const [held, here] = [parseDecimal4(whole)!, parseDecimal4(row.quantity)!]
      const worth = held > 0 ? timesFraction(value, here, held, 'halfAwayFromZero') : 0
      return {
        ...row,
        unitCost: cost && held > 0 ? ((value / held) * 100).toFixed(4).replace(/\.?0+$/, '') : null,
        valueAgorot: cost ? worth : null,
      } as ReportRow
    })
  },
})
