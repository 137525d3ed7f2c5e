import { sql } from 'kysely'
import { documentTypeNames, documentTypes, type DocumentTypeId } from '#domain/documents/kinds.ts'
import { toText } from '#domain/quantity.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, percent, quantity, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { say } from '#kit/server/words.ts'
import { costOfLine, costs } from '../cost.ts'
import { agentsOf, customersOf, itemsOf } from '../names.ts'
import { decimal, inCategory, sameItem, shareBp, soldLines } from '../parts.ts'
import { linesApart, soldBy, type Asked, type Way } from '../sold.ts'

const ways = ['item', 'customer', 'agent', 'line'] as const

/**
 * The gross profit of sales: the price less the cost of what was sold. A line with unknown cost is no profit and no
 * loss: its amount is in a separate column, and the report says so until its item has a cost.
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
    project: ref('projects'),
  },
  key: ['name'],
  columns: {
    name: text(),
    sku: { ...text(), whenFilled: true },
    customer: { ...text(), whenFilled: true },
    soldDay: { ...day(), whenFilled: true },
    // In words from here: those of documents would come late, and the page would lose the row one left by.
    type: { ...text(), whenFilled: true },
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
  rows: async (ctx, { by = 'item', ...asked }, most) => {
    const rows = by === 'line' ? await linesOf(ctx, asked, most) : await sumsOf(ctx, by, asked)
    // People who may not see amounts learn nothing of them by their parts.
    return rows.map((row) => ({
      ...row,
      marginBp: ctx.caller.hideTotalPrices
        ? null
        : shareBp(row.profitAgorot, row.netAgorot - (row.unknownAgorot ?? 0)),
    }))
  },
  must: {
    profitIsTheRest: (t) => t.netAgorot === t.unknownAgorot! + t.costAgorot! + t.profitAgorot!,
    costsAreKnown: (t) => t.unknownLines === 0,
  },
  // Each line has its own amount; the totals cover all lines.
  apart: {
    linesAreIncome: (ctx, { by, ...asked }) =>
      by === 'line' ? Promise.resolve(0) : linesApart(ctx, asked, by),
  },
  entered: { costsAreKnown: { path: '/invoice/reportitems?cost=without', word: 'screens.itemsCatalogue' } },
})

type Line = ReportRow & { profitAgorot: number; netAgorot: number; unknownAgorot: number | null }

/** The totals by items, customers or agents, the most profitable first. */
async function sumsOf(ctx: Ctx, by: Way, asked: Asked): Promise<Line[]> {
  const words = (key: string) => say(ctx.caller.language, key)
  const sold = await soldBy(ctx, by, asked)
  const names: ReadonlyMap<string, { id: string; name: string; sku?: string | null }> =
    by === 'item'
      ? await itemsOf(ctx)
      : by === 'customer'
        ? await customersOf(ctx)
        : await agentsOf(
            ctx,
            sold.flatMap(({ id }) => id ?? []),
          )
  const unnamed = words(
    by === 'item'
      ? 'salesReports.noItem'
      : by === 'customer'
        ? 'salesReports.noCustomer'
        : 'documents.noAgent',
  )
  const rows = new Map<string, Line & { name: string; costAgorot: number }>()
  for (const one of sold) {
    const found = one.id === null ? undefined : names.get(one.id)
    // Merged customers have one total.
    const before = rows.get(found?.id ?? '')
    const quantity = one.sold + one.returned
    rows.set(found?.id ?? '', {
      name: found?.name ?? unnamed,
      sku: found?.sku ?? null,
      quantity: by === 'item' && found ? toText(quantity) : null,
      netAgorot: (before?.netAgorot ?? 0) + one.netAgorot,
      unknownLines: Number(before?.unknownLines ?? 0) + one.unknownLines || null,
      unknownAgorot: (before?.unknownAgorot ?? 0) + one.unknownAgorot || null,
      costAgorot: (before?.costAgorot ?? 0) + one.costAgorot,
      profitAgorot: (before?.profitAgorot ?? 0) + one.netAgorot - one.unknownAgorot - one.costAgorot,
      open: found
        ? `/invoice/reportprofitsales?by=line&${by}=${found.id}&from=${asked.from}&to=${asked.to}`
        : null,
    })
  }
  return [...rows.values()].toSorted(
    (one, other) => other.profitAgorot - one.profitAgorot || (one.name < other.name ? -1 : 1),
  )
}

/** The lines themselves, in the order of their papers. */
async function linesOf(
  ctx: Ctx,
  { from, to, item, category, ...narrow }: Asked,
  most: number | null,
): Promise<Line[]> {
  const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
  const { rows } = await sql<Line & { typeId: number }>`
    with c as materialized (${costs(ctx)}), s as (${soldLines(ctx, from, to, narrow, chosen, most)}),
      l as (select s.*, ${costOfLine(ctx)} as cost from s left join c on c.id = s.item_id)
    select coalesce(i.name, nullif(l.description, ''), ${say(ctx.caller.language, 'salesReports.noItem')}) as
      name, i.sku, l.customer->>'name' as customer, l.day as "soldDay", l.type as "typeId", l.number,
      ${decimal(sql`l.quantity`)} as quantity, l.net::bigint as "netAgorot", case
      when l.cost is null then 1 end as "unknownLines", case when l.cost is null then l.net end::bigint as
      "unknownAgorot",
      coalesce(l.cost, 0)::bigint as "costAgorot", case when l.cost is null then 0
      else l.net - l.cost end::bigint as "profitAgorot", '/invoice/preview/' || l.id as open
    from l left join items i on i.company_id = ${ctx.companyId} and i.id = l.item_id
    order by l.day, l.type, l.number, l.line limit ${most}`.execute(ctx.tx)
  const typeWords = new Map(
    documentTypeNames.map((name) => [
      documentTypes[name].id,
      say(ctx.caller.language, `documents.types.${name}`),
    ]),
  )
  return rows.map(
    ({ typeId, ...row }) => ({ ...row, type: typeWords.get(typeId as DocumentTypeId) ?? '' }) as Line,
  )
}
