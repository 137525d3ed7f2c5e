import { sql, type RawBuilder } from 'kysely'
import { addDays, startOfMonth, type Day } from '#domain/day.ts'
import { toText } from '#domain/quantity.ts'
import { day, flag, quantity, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued, receivesGoods, returnsGoods, suppliesGoods } from '#kit/server/data/documentFacts.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { rowsOfUnits, unitOf, type OfUnit } from '../kept.ts'
import { ledgerMoves, moves } from '#features/sales/stock/server/index.ts'
import { decimal, inCategory, sameItem } from '../parts.ts'

/**
 * How much of each product came and went in a period: of what is kept in stock by its ledger, with what that
 * leaves; of everything else by the papers, which leave nothing on a shelf. A part of the papers would leave
 * a false balance, so it is for those who see all of them.
 */
export const productMovements = defineReport({
  name: 'productMovements',
  feature: 'salesReports',
  group: 'stock',
  path: '/invoice/reportproducts',
  allow: 'items.see',
  filters: {
    from: day({ need: true }),
    to: day({ need: true }),
    item: ref('items'),
    category: ref('categories'),
    stocked: flag(),
  },
  columns: {
    item: text(),
    sku: text(),
    unit: text(),
    opening: quantity(),
    received: { ...quantity(), band: 'in' },
    returned: { ...quantity(), band: 'in' },
    supplied: { ...quantity(), band: 'out', main: true },
    // Counts, what broke or was found, what was made: whatever moved without a paper.
    adjusted: { ...quantity(), whenFilled: true },
    closing: quantity(),
    minimum: { ...quantity(), whenFilled: true },
  },
  totals: [],
  rows: async (ctx, { from, to, item, category, stocked }) => {
    const chosen = item ? sameItem(ctx, item) : category ? inCategory(ctx, category) : undefined
    const { rows: firsts } = await sql<{
      day: Day | null
    }>`select min(day) as day from documents where company_id = ${ctx.companyId}
        and ${isIssued()}`.execute(ctx.tx)
    const first = startOfMonth(firsts[0]!.day ?? from)
    const sums = new Map<string, Moved & { opening: number }>()
    const add = (rows: readonly Moved[], isBefore: boolean) => {
      for (const { id, received, returned, supplied, adjusted } of rows) {
        const one = sums.get(id) ?? { id, opening: 0, received: 0, returned: 0, supplied: 0, adjusted: 0 }
        if (isBefore) one.opening += received + returned - supplied + adjusted
        else {
          one.received += received
          one.returned += returned
          one.supplied += supplied
          one.adjusted += adjusted
        }
        sums.set(id, one)
      }
    }
    const { rows: kept } = await sql<{
      id: string
    }>`select id from items where company_id = ${ctx.companyId} and is_stocked`.execute(ctx.tx)
    const inStock = new Set(kept.map(({ id }) => id))
    // Papers say nothing of what is kept in stock that its ledger does not say.
    const others = (rows: readonly Moved[]) => rows.filter(({ id }) => !inStock.has(id))
    if (inStock.size) {
      add(await inLedger(ctx, undefined, addDays(from, -1), chosen), true)
      add(await inLedger(ctx, from, to, chosen), false)
    }
    if (first < from) add(others(await movedIn(ctx, first, addDays(from, -1), chosen)), true)
    add(others(await movedIn(ctx, first < from ? from : first, to, chosen)), false)
    const { rows: items } = await sql<{
      id: string
      name: string
      sku: string | null
      unit: string | null
      isStocked: boolean
      minimum: string | null
    }>`
      select id, name, sku, unit, is_stocked as "isStocked", ${decimal(sql`minimum_quantity`)} as minimum
      from items where company_id = ${ctx.companyId} and id = any(${[...sums.keys()]}::uuid[])
      ${stocked === undefined ? sql`` : sql`and is_stocked = ${stocked}`} order by name, id`.execute(ctx.tx)
    return items.map(({ id, name, sku, unit, isStocked, minimum }) => {
      const { opening, received, returned, supplied, adjusted } = sums.get(id)!
      return {
        item: name,
        sku,
        unit,
        opening: isStocked ? toText(opening) : null,
        received: toText(received),
        returned: toText(returned),
        supplied: toText(supplied),
        adjusted: adjusted ? toText(adjusted) : null,
        closing: isStocked ? toText(opening + received + returned - supplied + adjusted) : null,
        minimum,
        open: `/invoice/reportmk?item=${id}&from=${from}&to=${to}`,
      }
    })
  },
  must: {
    closingIsTheRest: (_, rows) =>
      rows.every(
        (row) =>
          row.closing === null ||
          tenThousandths(row.opening) +
            tenThousandths(row.received) +
            tenThousandths(row.returned) -
            tenThousandths(row.supplied) +
            tenThousandths(row.adjusted) ===
            tenThousandths(row.closing),
      ),
  },
})

const tenThousandths = (quantity: unknown): number => Math.round(Number(quantity ?? 0) * 10_000)

/** What moved of one item, in ten-thousandths. */
interface Moved {
  id: string
  received: number
  returned: number
  supplied: number
  adjusted: number
}

/** The same of what is kept in stock, by its ledger. */
async function inLedger(
  ctx: Ctx,
  from: Day | undefined,
  to: Day,
  chosen: RawBuilder<unknown> | undefined,
): Promise<Moved[]> {
  const { rows } = await sql<Moved>`select m.item_id as id,
        coalesce(sum(m.moved) filter (where m.kind in ('receive', 'open')) * 10000, 0)::bigint as received,
      coalesce(sum(m.moved) filter (where m.kind = 'return') * 10000, 0)::bigint as returned,
      coalesce(-sum(m.moved) filter (where m.kind = 'issue') * 10000, 0)::bigint as supplied,
      coalesce(sum(m.moved) filter (where m.kind not in ('receive', 'open', 'return', 'issue')) * 10000,
      0)::bigint as adjusted
    from (${ledgerMoves(ctx, { ...(from ? { from } : {}), to }, chosen)}) m
    join items i on i.company_id = ${ctx.companyId} and i.id = m.item_id and i.is_stocked group by 1`.execute(
    ctx.tx,
  )
  return rows
}

/** The movements of a stretch of days by items; of all items they are kept by months and days. */
async function movedIn(
  ctx: Ctx,
  from: Day,
  to: Day,
  chosen: RawBuilder<unknown> | undefined,
): Promise<Moved[]> {
  const read = async (first: Day, last: Day) =>
    (
      await sql<Moved & OfUnit>`select ${unitOf(ctx, sql`m.day`)} as unit, m.item_id as id,
          coalesce(sum(m.moved) filter (where ${receivesGoods('m')}) * 10000, 0)::bigint as received,
        coalesce(sum(m.moved) filter (where ${returnsGoods('m')}) * 10000, 0)::bigint as returned,
        coalesce(-sum(m.moved) filter (where ${suppliesGoods('m')}) * 10000, 0)::bigint as supplied,
        0 as adjusted
      from (${moves(ctx, { from: first, to: last }, chosen)}) m where m.moved <> 0 group by 1, 2`.execute(
        ctx.tx,
      )
    ).rows
  return chosen ? read(from, to) : rowsOfUnits(ctx, 'moves', { from, to }, '', read)
}
