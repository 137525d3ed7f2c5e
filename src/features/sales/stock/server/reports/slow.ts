import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { addDays } from '#domain/day.ts'
import { day, money, number, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { decimal, seesCost } from '../figures.ts'
import { inCategory } from '../narrow.ts'

/**
 * What sleeps: items of which nothing went out since a day, ninety days ago unless another is asked, the most
 * valuable first.
 */
export const stockSlow = defineReport({
  name: 'stockSlow',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/storage?part=slow',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { since: day(), category: ref('categories') },
  columns: {
    item: text(),
    sku: text(),
    unit: text(),
    onHand: { ...quantity(), main: true },
    lastOut: day(),
    daysAsleep: number(),
    valueAgorot: { ...money(), whenFilled: true },
  },
  totals: ['valueAgorot'],
  rows: async (ctx, { since = addDays(ctx.today, -90), category }, most) => {
    const { rows } =
      await sql<ReportRow>`select i.name as item, i.sku, i.unit, ${decimal(sql`s.quantity`)} as "onHand",
          o.day as "lastOut", ${ctx.today}::date - coalesce(o.day, c.day) as "daysAsleep",
        ${seesCost(ctx) ? sql`s.value_agorot` : sql`null::bigint`} as "valueAgorot",
        '/invoice/stockproducts/' || i.id as open
      from stock_items s join items i on i.company_id = s.company_id and i.id = s.item_id
        left join lateral (select m.day from stock_moves m where m.company_id = s.company_id
          and m.item_id = s.item_id and m.kind in ('issue', 'produce') and m.quantity < 0 order by m.day desc
          limit 1) o on true
        left join lateral (select m.day from stock_moves m where m.company_id = s.company_id
          and m.item_id = s.item_id order by m.day limit 1) c on true
      where s.company_id = ${ctx.companyId} and s.quantity > 0 and coalesce(o.day, c.day) < ${since}
        ${category ? sql`and i.category_id in ${inCategory(ctx, category)}` : sql``}
      order by s.value_agorot desc, i.name limit ${most}`.execute(ctx.tx)
    return rows
  },
})
