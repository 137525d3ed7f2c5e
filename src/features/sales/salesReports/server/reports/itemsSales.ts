import { sql } from 'kysely'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, money, number, percent, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { say } from '#kit/server/words.ts'
import { decimal, inCategory, linesApart, sameItem, shareBp, soldLines } from '../parts.ts'

/** What was sold of each item in a period: how much, what came back, for how much. What was sold without an item stands by itself, so that all of it is the income. */
export const itemsSales = defineReport({
  name: 'itemsSales',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportitemssales',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    item: ref('items'),
    category: ref('categories'),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
  },
  columns: {
    item: text(),
    sku: text(),
    unit: text(),
    lastDay: day(),
    papers: number(),
    soldQuantity: quantity(),
    returnedQuantity: quantity(),
    quantity: quantity(),
    netAgorot: { ...money(), main: true },
    averageAgorot: money(),
    shareBp: percent(),
  },
  totals: ['netAgorot'],
  rows: async (ctx, { from, to, item, category, ...asked }) => {
    const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
    const { rows } = await sql<ReportRow & { netAgorot: number; quantity: string | null; id: string | null }>`
      with s as (${soldLines(ctx, from, to, asked, chosen)}),
      g as (
        select item_id, count(distinct id)::int as papers, max(day) as last, sum(quantity) filter (where quantity > 0) as sold,
          sum(quantity) filter (where quantity < 0) as returned, sum(quantity) as quantity, sum(net)::bigint as net from s group by item_id
      )
      select i.id, coalesce(i.name, ${say(ctx.caller.language, 'salesReports.noItem')}) as item, i.sku, i.unit, g.last as "lastDay", g.papers,
        case when i.id is not null then ${decimal(sql`coalesce(g.sold, 0)`)} end as "soldQuantity", case when i.id is not null then ${decimal(sql`g.returned`)} end as "returnedQuantity",
        case when i.id is not null then ${decimal(sql`g.quantity`)} end as quantity, g.net as "netAgorot",
        case when i.id is not null and g.quantity <> 0 then round(g.net / g.quantity)::bigint end as "averageAgorot",
        case when i.id is not null then '/invoice/reportitemmovements?item=' || i.id || '&from=' || ${from}::text || '&to=' || ${to}::text end as open
      from g left join items i on i.company_id = ${ctx.companyId} and i.id = g.item_id order by g.net desc, 2, i.id`.execute(ctx.tx)
    const whole = rows.reduce((sum, { netAgorot }) => sum + netAgorot, 0)
    return rows.map(({ id: _, ...row }) => ({ ...row, shareBp: ctx.caller.hideTotalPrices ? null : shareBp(row.netAgorot, whole) }))
  },
  apart: {
    linesAreIncome: (ctx, { from, to, item, category, ...asked }) => linesApart(ctx, from, to, asked, !!(item ?? category)),
  },
})
