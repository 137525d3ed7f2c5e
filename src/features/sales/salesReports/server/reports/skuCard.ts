import { sql } from 'kysely'
import { documentTypeNames } from '#domain/documents/kinds.ts'
import { fail } from '#kit/describe/errors.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { choice, day, money, number, price, quantity, ref, text } from '#kit/fields/field.ts'
import { receivesGoods } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { moveKinds } from '#features/sales/stock/endpoints.ts'
import { ledgerMoves, moves, seesCost } from '#features/sales/stock/server/index.ts'
import { decimal, named, sameItem } from '../parts.ts'

/**
 * The card of one item, found by its SKU: what came, what went, and how many that leaves. Of what is kept in
 * stock every movement of its ledger, also those without a paper, and what each was worth; of everything else
 * the papers. An item shows its variants as well. For those who see all papers.
 */
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
    movement: { ...choice(moveKinds, { words: 'stock.reports.stockMovements.kind' }), whenFilled: true },
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
    costAgorot: { ...money(), whenFilled: true },
  },
  totals: [],
  rows: async (ctx, { item, from, to }, most) => {
    const { rows: known } = await sql<{
      name: string
    }>`select name from items where company_id = ${ctx.companyId} and id = ${item}`.execute(ctx.tx)
    if (!known[0]) throw fail('kit.notFound')
    const cost = seesCost(ctx) ? sql`m.cost` : sql`null::bigint`
    const { rows } = await sql<ReportRow & { sum: boolean | null }>`
      with m as (
        select x.id, x.day, 0 as seq, x.type, null as kind, x.number, x.customer, x.description, x.item_id,
          x.moved, x.unit_price, x.currency, x.net, null::bigint as cost, x.line, '' as reason
          from (${moves(ctx, { to }, sameItem(ctx, item))}) x join items i on i.company_id = ${ctx.companyId}
            and i.id = x.item_id and not i.is_stocked where x.moved <> 0
        union all select x.id, x.day, x.seq, x.type, x.kind, x.number, x.customer, x.description, x.item_id,
          x.moved, x.unit_price, x.currency, x.net, x.value, x.line, x.reason
          from (${ledgerMoves(ctx, { to }, sameItem(ctx, item))}) x
          join items i on i.company_id = ${ctx.companyId} and i.id = x.item_id and i.is_stocked),
      all_ as (
        select null::date as day, null::int as "typeId", null as movement, null::bigint as number,
          null as party, ${known[0].name}::text as description, null as sku, null as "in", null as "out",
          ${decimal(sql`coalesce(sum(m.moved), 0)`)} as balance, null as "unitPrice", null as currency,
          null::bigint as "netAgorot", null::bigint as "costAgorot", null as open, true as sum,
          'opening' as kind, 0 as place, null::int as seq, null::smallint as line
        from m where m.day < ${from}
        union all select m.day, m.type, m.kind, m.number, m.customer->>'name',
          coalesce(m.description, nullif(m.reason, '')), i.sku, case
          when m.moved > 0 then ${decimal(sql`m.moved`)} end, case
          when m.moved < 0 then ${decimal(sql`-m.moved`)} end,
          ${decimal(sql`(select coalesce(sum(b.moved), 0) from m b where b.day < ${from}) + sum(m.moved) over
              (order by m.day, m.item_id, m.seq, m.type, m.number, m.line)`)}, trim_scale(m.unit_price)::text,
              m.currency, m.net, ${cost},
          case when ${receivesGoods('m')} then '/invoice/previewex/' || m.id
          when m.id is not null then '/invoice/preview/' || m.id else '/invoice/stockproducts/' || m.item_id
          end, null, null, 1,
          row_number() over (order by m.day, m.item_id, m.seq, m.type, m.number, m.line)::int, m.line
        from m left join items i on i.company_id = ${ctx.companyId} and i.id = m.item_id
        where m.day >= ${from}
      )
      select day, "typeId", movement, number, party, description, sku, "in", "out", balance, "unitPrice",
        currency, "netAgorot", "costAgorot", open, sum, kind from all_
      order by place, seq limit ${most}`.execute(ctx.tx)
    return named(rows).map(({ sum, kind, ...row }) => (sum ? { ...row, sum: true, kind: String(kind) } : row))
  },
  must: {
    balanceRuns: (_, rows) =>
      rows.every(
        (row, i) =>
          i === 0 ||
          tenThousandths(rows[i - 1]!.balance) + tenThousandths(row.in) - tenThousandths(row.out) ===
            tenThousandths(row.balance),
      ),
  },
})

const tenThousandths = (quantity: unknown): number => Math.round(Number(quantity ?? 0) * 10_000)
