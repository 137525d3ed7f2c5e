import { sql } from 'kysely'
import { documentTypeNames } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, price, quantity, ref, text } from '#kit/fields/field.ts'
import { defineReport } from '#kit/server/reports.ts'
import { moves } from '#features/sales/stock/server/index.ts'
import { decimal, named, sameItem } from '../parts.ts'

/** The card of one item, found by its SKU: every paper that moved it, what came, what went, and how many that leaves. An item shows its variants as well. For those who see all papers. */
export const skuCard = defineReport({
  name: 'skuCard',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportmk',
  allow: 'items.see',
  filters: { item: ref('items', { need: true }), from: day({ need: true }), to: day({ need: true }) },
  columns: {
    day: day(),
    type: choice(documentTypeNames, { words: 'documents.types' }),
    number: number(),
    party: text(),
    description: text(),
    sku: text(),
    in: quantity(),
    out: quantity(),
    balance: { ...quantity(), main: true },
    unitPrice: price(),
    currency: text(),
    netAgorot: money(),
  },
  totals: [],
  rows: async (ctx, { item, from, to }, most) => {
    const { rows: known } = await sql<{
      name: string
    }>`select name from items where company_id = ${ctx.companyId} and id = ${item}`.execute(ctx.tx)
    if (!known[0]) throw fail('kit.notFound')
    const { rows } = await sql<ReportRow & { sum: boolean | null }>`
      with m as (select * from (${moves(ctx, { to }, sameItem(ctx, item))}) x where x.moved <> 0),
      all_ as (
        select null::date as day, null::int as "typeId", null::bigint as number, null as party, ${known[0].name}::text as description, null as sku, null as "in", null as "out",
          ${decimal(sql`coalesce(sum(m.moved), 0)`)} as balance, null as "unitPrice", null as currency, null::bigint as "netAgorot", null as open, true as sum, 'opening' as kind, 0 as place, null::smallint as line
        from m where m.day < ${from}
        union all select m.day, m.type, m.number, m.customer->>'name', m.description, i.sku, case when m.moved > 0 then ${decimal(sql`m.moved`)} end, case when m.moved < 0 then ${decimal(sql`-m.moved`)} end,
          ${decimal(sql`(select coalesce(sum(b.moved), 0) from m b where b.day < ${from}) + sum(m.moved) over (order by m.day, m.type, m.number, m.line)`)}, trim_scale(m.unit_price)::text, m.currency, m.net,
          case when m.type in (12, 13) then '/invoice/previewex/' else '/invoice/preview/' end || m.id, null, null, 1, m.line
        from m left join items i on i.company_id = ${ctx.companyId} and i.id = m.item_id where m.day >= ${from}
      )
      select day, "typeId", number, party, description, sku, "in", "out", balance, "unitPrice", currency, "netAgorot", open, sum, kind from all_
      order by place, day, "typeId", number, line limit ${most}`.execute(ctx.tx)
    return named(rows).map(({ sum, kind, ...row }) => (sum ? { ...row, sum: true, kind: String(kind) } : row))
  },
  must: {
    balanceRuns: (_, rows) =>
      rows.every(
        (row, i) =>
          i === 0 ||
          tenThousandths(rows[i - 1]!.balance) + tenThousandths(row.in) - tenThousandths(row.out) === tenThousandths(row.balance),
      ),
  },
})

const tenThousandths = (quantity: unknown): number => Math.round(Number(quantity ?? 0) * 10_000)
