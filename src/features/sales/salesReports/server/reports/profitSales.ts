import { sql } from 'kysely'
import { documentTypeNames } from '#domain/documents/kinds.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { say } from '#kit/server/words.ts'
import { costOfLine, costs } from '../cost.ts'
import { decimal, inCategory, linesApart, named, sameItem, shareBp, soldLines } from '../parts.ts'

const ways = ['item', 'customer', 'agent', 'line'] as const

/**
 * The gross profit of sales: the price less the cost of what was sold. A line whose cost nobody knows is no profit and no loss: its sum stands
 * in a column of its own, and the report says so until its item has a cost.
 */
export const profitSales = defineReport({
  name: 'profitSales',
  feature: 'salesReports',
  group: 'sales',
  path: '/invoice/reportprofitsales',
  allow: 'reports.sales',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    by: choice(ways),
    item: ref('items'),
    category: ref('categories'),
    customer: ref('customers'),
    customerType: ref('customerTypes'),
    agent: ref('agents'),
  },
  columns: {
    name: text(),
    sku: { ...text(), whenFilled: true },
    customer: { ...text(), whenFilled: true },
    day: { ...day(), whenFilled: true },
    type: { ...choice(documentTypeNames, { words: 'documents.types' }), whenFilled: true },
    number: { ...number(), whenFilled: true },
    quantity: { ...quantity(), whenFilled: true },
    netAgorot: money(),
    unknownLines: { ...number(), whenFilled: true },
    unknownAgorot: { ...money(), whenFilled: true },
    costAgorot: money(),
    profitAgorot: { ...money(), main: true },
    marginBp: percent(),
  },
  totals: ['netAgorot', 'unknownLines', 'unknownAgorot', 'costAgorot', 'profitAgorot'],
  rows: async (ctx, { from, to, by = 'item', item, category, ...asked }, most) => {
    const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
    const lines = sql`with c as materialized (${costs(ctx)}), s as (${soldLines(ctx, from, to, asked, chosen)}),
      l as (select s.*, ${costOfLine(ctx)} as cost from s left join c on c.id = s.item_id)`
    const sums = sql`sum(l.net)::bigint as "netAgorot", nullif(count(*) filter (where l.cost is null), 0)::int as "unknownLines",
      nullif(coalesce(sum(l.net) filter (where l.cost is null), 0), 0)::bigint as "unknownAgorot",
      coalesce(sum(l.cost), 0)::bigint as "costAgorot", coalesce(sum(l.net - l.cost) filter (where l.cost is not null), 0)::bigint as "profitAgorot"`
    const words = (key: string) => say(ctx.caller.language, `salesReports.${key}`)
    const lead = (name: string, value: string) =>
      sql`'/invoice/reportprofitsales?by=line&' || ${`${name}=`}::text || ${sql.raw(value)} || '&from=' || ${from}::text || '&to=' || ${to}::text`
    const { rows } =
      by === 'line'
        ? await sql<Line>`${lines} select coalesce(i.name, nullif(l.description, ''), ${words('noItem')}) as name, i.sku, l.customer->>'name' as customer, l.day, l.type as "typeId", l.number,
            ${decimal(sql`l.quantity`)} as quantity, l.net::bigint as "netAgorot", case when l.cost is null then 1 end as "unknownLines", case when l.cost is null then l.net end::bigint as "unknownAgorot",
            coalesce(l.cost, 0)::bigint as "costAgorot", case when l.cost is null then 0 else l.net - l.cost end::bigint as "profitAgorot", '/invoice/preview/' || l.id as open
          from l left join items i on i.company_id = ${ctx.companyId} and i.id = l.item_id order by l.day, l.type, l.number, l.line limit ${most}`.execute(
            ctx.tx,
          )
        : by === 'customer'
          ? await sql<Line>`${lines} select coalesce(p.name, ${words('noCustomer')}) as name, ${sums}, case when p.id is not null then ${lead('customer', 'p.id')} end as open
            from l left join parties o on o.company_id = ${ctx.companyId} and o.id = l.customer_id
              left join parties p on p.company_id = o.company_id and p.id = coalesce(o.merged_into, o.id)
            group by p.id, p.name order by "profitAgorot" desc, 1, p.id`.execute(ctx.tx)
          : by === 'agent'
            ? await sql<Line>`${lines} select coalesce(u.full_name, ${say(ctx.caller.language, 'documents.noAgent')}) as name, ${sums}, case when u.id is not null then ${lead('agent', 'u.id')} end as open
              from l left join users u on u.id = l.agent_id group by u.id, u.full_name order by "profitAgorot" desc, 1, u.id`.execute(
                ctx.tx,
              )
            : await sql<Line>`${lines} select coalesce(i.name, ${words('noItem')}) as name, i.sku, case when i.id is not null then ${decimal(sql`sum(l.quantity)`)} end as quantity, ${sums},
                case when i.id is not null then ${lead('item', 'i.id')} end as open
              from l left join items i on i.company_id = ${ctx.companyId} and i.id = l.item_id group by i.id, i.name, i.sku order by "profitAgorot" desc, 1, i.id`.execute(
                ctx.tx,
              )
    // Who may not see sums learns nothing of them by their parts.
    return named(rows).map((row) => ({
      ...row,
      marginBp: ctx.caller.hideTotalPrices
        ? null
        : shareBp(Number(row.profitAgorot), Number(row.netAgorot) - Number(row.unknownAgorot ?? 0)),
    }))
  },
  must: {
    profitIsTheRest: (t) => t.netAgorot === t.unknownAgorot! + t.costAgorot! + t.profitAgorot!,
    costsAreKnown: (t) => t.unknownLines === 0,
  },
  apart: {
    linesAreIncome: (ctx, { from, to, by: _, item, category, ...asked }) => linesApart(ctx, from, to, asked, !!(item ?? category)),
  },
  entered: { costsAreKnown: { path: '/invoice/reportitems?cost=without', word: 'screens.itemsCatalogue' } },
})

type Line = ReportRow & { profitAgorot: number; netAgorot: number; unknownAgorot: number | null }
