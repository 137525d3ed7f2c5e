import { sql } from 'kysely'
import { vatRateOn } from '#domain/vat/rates.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, flag, percent, price, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { vatKinds } from '#features/registers/items/items.ts'
import { costs } from '../cost.ts'
import { inCategory } from '../parts.ts'

const states = ['active', 'inactive', 'all'] as const
const known = ['with', 'without', 'above'] as const

/** The catalogue of today: prices, costs and the difference. */
export const itemsCatalogue = defineReport({
  name: 'itemsCatalogue',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportitems',
  allow: 'items.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    category: ref('categories'),
    state: choice(states),
    cost: choice(known),
    vatKind: choice(vatKinds, { words: 'items.vatKind' }),
    stocked: flag(),
  },
  columns: {
    category: text(),
    item: text(),
    sku: text(),
    barcode: text(),
    unit: text(),
    state: choice(states),
    vatKind: choice(vatKinds, { words: 'items.vatKind' }),
    currency: text(),
    minimum: { ...quantity(), whenFilled: true },
    price: { ...price(), main: true },
    cost: price(),
    marginBp: percent(),
  },
  groupBy: 'category',
  totals: [],
  rows: async (ctx, { category, state, cost, vatKind, stocked }, most) => {
    // The price before VAT is compared with the cost; from a price that includes VAT today's VAT is subtracted.
    const { rows } = await sql<ReportRow>`
      with recursive tree as (select id, name as path from categories where company_id = ${ctx.companyId}
        and kind = 'items' and parent_id is null
        union all select c.id, t.path || ' › ' || c.name from categories c join tree t on t.id = c.parent_id
        where c.company_id = ${ctx.companyId} and c.kind = 'items'),
      c as (${costs(ctx)})
      select coalesce(t.path, ${say(ctx.caller.language, 'salesReports.noCategory')}) as category,
        i.name as item, i.sku, i.barcode, i.unit,
        case when i.is_active and i.archived_at is null then 'active' else 'inactive' end as state,
        i.vat_kind as "vatKind", i.currency, trim_scale(i.minimum_quantity)::text as minimum,
        trim_scale(i.price)::text as price, case when c.currency = i.currency then trim_scale(c.cost)::text
        end as cost, '/invoice/items/' || i.id as open,
        case when c.currency = i.currency
        and b.price > 0 then round((b.price - c.cost) * 10000 / b.price)::int end as "marginBp"
      from items i join c on c.id = i.id left join tree t on t.id = i.category_id,
        lateral (select case when i.vat_kind = 'includingVat' then i.price * 10000 /
        (10000 + ${vatRateOn(ctx.today)}::int) else i.price end as price) b
      where i.company_id = ${ctx.companyId}
        ${category ? sql`and i.id in ${inCategory(ctx, category)}` : sql``}
        ${
          state === 'all'
            ? sql``
            : state === 'inactive'
              ? sql`and
            (not i.is_active or i.archived_at is not null)`
              : sql`and i.is_active and i.archived_at is null`
        }
        ${
          cost === 'with'
            ? sql`and c.cost is not
            null`
            : cost === 'without'
              ? sql`and c.cost is
                null`
              : cost === 'above'
                ? sql`and c.cost > b.price and c.currency = i.currency`
                : sql``
        }
        ${vatKind ? sql`and i.vat_kind = ${vatKind}` : sql``}
        ${stocked === undefined ? sql`` : sql`and i.is_stocked = ${stocked}`}
      order by t.path nulls last, i.name, i.id limit ${most}`.execute(ctx.tx)
    return ctx.caller.hideTotalPrices ? rows.map((row) => ({ ...row, marginBp: null })) : rows
  },
})
