import { sql, type RawBuilder } from 'kysely'
import { addDays } from '#domain/day.ts'
import { choice, day, money, number, text } from '#kit/fields/field.ts'
import { isType } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import type { Ctx } from '#kit/server/context.ts'
import { shopOf } from './engine/rows.ts'

export interface DayRow {
  day: string
  shopId: string
  shop: string
  currency: string
  orders: number
  shopAgorot: number
  booksAgorot: number
  differenceAgorot: number
  trouble: number
}

/**
 * Shop and books beside each other by the day of payment: what was paid less what went back, and what the
 * documents of those orders and the credits of those refunds come to. An order that a person or a rule left
 * aside is in neither.
 */
export const shopDays = (
  ctx: Ctx,
  where: RawBuilder<unknown>,
): RawBuilder<DayRow> => sql<DayRow>`select o.paid_day as day, o.shop_id as "shopId", s.name as shop,
    o.currency,
    count(*)::int as orders, sum(o.total_agorot - coalesce(r.back, 0))::bigint as "shopAgorot",
    sum(coalesce(d.total_agorot, 0) - coalesce(r.credited, 0))::bigint as "booksAgorot",
    sum(o.total_agorot - coalesce(r.back, 0) - coalesce(d.total_agorot, 0) + coalesce(r.credited, 0))::bigint
    as "differenceAgorot",
    count(*) filter (where o.state = 'trouble' or coalesce(r.trouble, 0) > 0)::int as trouble
  from shop_orders o join shops s on s.company_id = o.company_id and s.id = o.shop_id
    left join documents d on d.company_id = o.company_id and d.id = o.document_id
    left join lateral (select sum(f.amount_agorot) filter (where f.state <> 'ignored') as back,
      count(*) filter (where f.state = 'trouble') as trouble,
        sum(case when ${isType('c', 'receipt')} then -c.total_agorot else c.total_agorot end) filter
        (where f.state = 'issued') as credited
      from shop_refunds f left join documents c on c.company_id = f.company_id and c.id = f.credit_id
      where f.company_id = o.company_id and f.order_id = o.id) r on true
  where o.company_id = ${ctx.companyId} and o.is_paid and o.state <> 'ignored' and ${where}
  group by o.paid_day, o.shop_id, s.name, o.currency order by o.paid_day desc, s.name, o.currency`

export async function days(ctx: Ctx, id: string) {
  await shopOf(ctx, id)
  const { rows } = await shopDays(
    ctx,
    sql`o.shop_id = ${id} and o.paid_day >= ${addDays(ctx.today, -60)}`,
  ).execute(ctx.tx)
  // A day may be one document.
  const hidden =
    ctx.caller.hideTotalPrices || ctx.caller.docsAllow.length
      ? { shopAgorot: 0, booksAgorot: 0, differenceAgorot: 0 }
      : {}
  return { rows: rows.map(({ shopId: _, shop: __, ...row }) => ({ ...row, ...hidden })) }
}

const outcomes = ['same', 'differs'] as const

/** Shop and books by day, for closing a month; like any report it can be sent automatically each morning. */
export const shopDifferences = defineReport({
  name: 'shopDifferences',
  feature: 'shops',
  group: 'sales',
  path: '/invoice/reportshops',
  allow: 'shops.see',
  filters: { from: day({ need: true }), to: day({ need: true }), outcome: choice(outcomes) },
  columns: {
    day: day(),
    shop: text(),
    currency: text(),
    orders: number(),
    shopAgorot: money(),
    booksAgorot: money(),
    differenceAgorot: money(),
    outcome: choice(outcomes),
  },
  totals: [],
  rows: async (ctx, { from, to, outcome }, most) => {
    const { rows } = await shopDays(ctx, sql`o.paid_day between ${from} and ${to}`).execute(ctx.tx)
    return rows
      .map((row): ReportRow => ({
        ...row,
        outcome: row.differenceAgorot === 0 ? 'same' : 'differs',
        open: `/invoice/shops/${row.shopId}`,
      }))
      .filter((row) => !outcome || row.outcome === outcome)
      .slice(0, most ?? undefined)
  },
})
