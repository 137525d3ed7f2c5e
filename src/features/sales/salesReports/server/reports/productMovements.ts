import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, flag, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { moves } from '../moves.ts'
import { decimal, inCategory, sameItem } from '../parts.ts'

/**
 * How much of each product came and went in a period by the papers. Of what is kept in stock also what all papers leave; work that is sold
 * leaves nothing on a shelf. A part of the papers would leave a false balance, so it is for those who see all of them.
 */
export const productMovements = defineReport({
  name: 'productMovements',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportproducts',
  allow: 'items.see',
  filters: { from: day({ need: true }), to: day({ need: true }), item: ref('items'), category: ref('categories'), stocked: flag() },
  columns: {
    item: text(),
    sku: text(),
    unit: text(),
    opening: quantity(),
    received: { ...quantity(), band: 'in' },
    returned: { ...quantity(), band: 'in' },
    supplied: { ...quantity(), band: 'out', main: true },
    closing: quantity(),
    minimum: { ...quantity(), whenFilled: true },
  },
  totals: [],
  rows: async (ctx, { from, to, item, category, stocked }) => {
    const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
    const { rows } = await sql<ReportRow>`
      with g as (
        select m.item_id, coalesce(sum(m.moved) filter (where m.day < ${from}), 0) as opening, coalesce(sum(m.moved) filter (where m.day >= ${from} and m.type in (12, 13)), 0) as received,
          coalesce(sum(m.moved) filter (where m.day >= ${from} and m.type in (4, 10)), 0) as returned, coalesce(-sum(m.moved) filter (where m.day >= ${from} and m.type in (3, 8, 9)), 0) as supplied,
          sum(m.moved) as closing from (${moves(ctx, to, chosen)}) m where m.moved <> 0 group by m.item_id
      )
      select i.name as item, i.sku, i.unit, case when i.is_stocked then ${decimal(sql`g.opening`)} end as opening, ${decimal(sql`g.received`)} as received, ${decimal(sql`g.returned`)} as returned, ${decimal(sql`g.supplied`)} as supplied,
        case when i.is_stocked then ${decimal(sql`g.closing`)} end as closing, ${decimal(sql`i.minimum_quantity`)} as minimum, '/invoice/reportmk?item=' || i.id || '&from=' || ${from}::text || '&to=' || ${to}::text as open
      from g join items i on i.company_id = ${ctx.companyId} and i.id = g.item_id ${stocked === undefined ? sql`` : sql`and i.is_stocked = ${stocked}`} order by i.name, i.id`.execute(
      ctx.tx,
    )
    return rows
  },
  must: {
    closingIsTheRest: (_, rows) =>
      rows.every(
        (row) =>
          row.closing === null ||
          tenThousandths(row.opening) + tenThousandths(row.received) + tenThousandths(row.returned) - tenThousandths(row.supplied) ===
            tenThousandths(row.closing),
      ),
  },
})

const tenThousandths = (quantity: unknown): number => Math.round(Number(quantity) * 10_000)
