import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, number, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { decimal } from '../figures.ts'

/** Batches that expire, the first to expire first; what expired already has a number of days below zero. */
export const stockExpiry = defineReport({
  name: 'stockExpiry',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/storage?part=expiry',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: { until: day(), place: ref('stockplaces') },
  columns: {
    expires: day(),
    daysLeft: { ...number(), main: true },
    item: text(),
    sku: text(),
    batch: text(),
    place: text(),
    quantity: quantity(),
    unit: text(),
  },
  totals: [],
  rows: async (ctx, { until, place }, most) => {
    const { rows } =
      await sql<ReportRow>`select b.expires, b.expires - ${ctx.today}::date as "daysLeft", i.name as item,
          i.sku, b.number as batch, p.name as place, ${decimal(sql`h.quantity`)} as quantity, i.unit,
        '/invoice/stockproducts/' || i.id as open
      from stock_batches b join stock_on_hand h on h.company_id = b.company_id and h.batch_id = b.id
        and h.item_id = b.item_id and h.quantity <> 0
        join items i on i.company_id = b.company_id and i.id = b.item_id
        join stock_places p on p.company_id = h.company_id and p.id = h.place_id
      where b.company_id = ${ctx.companyId}
        and b.expires is not null ${until ? sql`and b.expires <= ${until}` : sql``}
        ${place ? sql`and (p.id = ${place} or p.parent_id = ${place})` : sql``}
      order by b.expires, i.name, p.name limit ${most}`.execute(ctx.tx)
    return rows
  },
})
