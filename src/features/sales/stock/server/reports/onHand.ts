import { sql, type RawBuilder } from 'kysely'
import { splitByLargestRemainder } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { ReportRow } from '#kit/describe/report.ts'
import { day, flag, money, price, quantity, ref, text } from '#kit/fields/field.ts'
import type { Ctx } from '#kit/server/context.ts'
import { defineReport } from '#kit/server/described/reports.ts'
import { awaited, decimal, seesCost } from '../figures.ts'
import { inCategory } from '../narrow.ts'

/**
 * What there is of each item and what it is worth, now or as it stood at the end of a past day: quantities by
 * the days of the papers, values as the ledger told them. In one place an item is worth its part of what it
 * is worth in all; `byPlace` says of each item where it lies.
 */
export const stockOnHand = defineReport({
  name: 'stockOnHand',
  feature: 'stock',
  group: 'stock',
  path: '/invoice/storage',
  allow: 'stock.see',
  respects: ['ownCustomers', 'documentTypes'],
  filters: {
    on: day(),
    place: ref('stockplaces'),
    category: ref('categories'),
    item: ref('items'),
    low: flag(),
    byPlace: flag(),
  },
  key: ['item', 'place'],
  columns: {
    item: text(),
    place: { ...text(), whenFilled: true },
    sku: text(),
    unit: text(),
    onHand: { ...quantity(), main: true },
    reserved: { ...quantity(), whenFilled: true },
    free: { ...quantity(), whenFilled: true },
    onOrder: { ...quantity(), whenFilled: true },
    onTheWay: { ...quantity(), whenFilled: true },
    minimum: { ...quantity(), whenFilled: true },
    unitCost: { ...price(), whenFilled: true },
    valueAgorot: { ...money(), whenFilled: true },
  },
  totals: ['valueAgorot'],
  rows: async (ctx, { on, place, category, item, low, byPlace }) => {
    const past = on !== undefined && on < ctx.today
    const places = place
      ? sql`(select p.id from stock_places p where p.company_id = ${ctx.companyId}
          and (p.id = ${place} or p.parent_id = ${place}))`
      : undefined
    const chosen = sql`${category ? sql`and i.category_id in ${inCategory(ctx, category)}` : sql``}
        ${item ? sql`and (i.id = ${item} or i.parent_id = ${item})` : sql``}`
    const held = past
      ? sql`select m.item_id, sum(m.quantity) as whole, sum(m.value_agorot)::bigint as value,
          ${
            places
              ? sql`coalesce(sum(m.quantity) filter (where m.place_id in ${places}),
              0)`
              : sql`sum(m.quantity)`
          } as here
          from stock_moves m where m.company_id = ${ctx.companyId} and m.day <= ${on} group by 1`
      : sql`select s.item_id, s.quantity as whole, s.value_agorot as value, ${
          places
            ? sql`coalesce((select sum(h.quantity) from stock_on_hand h where h.company_id = s.company_id
                and h.item_id = s.item_id and h.place_id in ${places}), 0)`
            : sql`s.quantity`
        } as here from stock_items s where s.company_id = ${ctx.companyId}`
    // What is promised and what comes are of now; a past day has none of them.
    const now = !past && !places
    const { rows } = await sql<Held>`
      with h as (${held})${
        now
          ? sql`, o as materialized (${awaited(ctx, 'order')}),
              b as materialized (${awaited(ctx, 'purchaseOrder')}), w as materialized (
        select h.item_id, sum(h.quantity) as quantity from stock_on_hand h
        join stock_places p on p.company_id = h.company_id and p.id = h.place_id and p.kind = 'transit'
        where h.company_id = ${ctx.companyId} and h.quantity <> 0 group by 1)`
          : sql``
      }
      select i.id, i.name as item, i.sku, i.unit, ${decimal(sql`h.whole`)} as whole,
        ${decimal(sql`h.here`)} as "onHand", h.value, ${decimal(sql`i.minimum_quantity`)} as minimum,
        ${
          now
            ? sql`${decimal(sql`nullif(o.quantity, 0)`)} as reserved,
            ${decimal(sql`h.here - coalesce(w.quantity, 0) - coalesce(o.quantity, 0)`)} as free,
            ${decimal(sql`nullif(b.quantity, 0)`)} as "onOrder", ${decimal(sql`nullif(w.quantity, 0)`)} as
            "onTheWay"`
            : sql`null as reserved, null as free, null as "onOrder", null as "onTheWay"`
        },
        '/invoice/stockproducts/' || i.id as open
      from h join items i on i.company_id = ${ctx.companyId}
        and i.id = h.item_id
        ${
          now
            ? sql`left join o on o.item_id = i.id left join b on b.item_id = i.id left
          join w on w.item_id = i.id`
            : sql``
        }
      where ${
        places
          ? sql`h.here <>
          0`
          : sql`(h.whole <> 0 or h.value <> 0 or (i.is_stocked and i.archived_at is null))`
      } ${chosen}
        ${
          low === undefined
            ? sql``
            : low
              ? sql`and h.here <
            i.minimum_quantity`
              : sql`and (i.minimum_quantity is null or h.here >= i.minimum_quantity)`
        }
            order by i.name, i.id`.execute(ctx.tx)
    const cost = seesCost(ctx)
    const shown = byPlace ? await parted(ctx, rows, past ? on : undefined, places) : rows
    return shown.map(({ id: _, whole, value, worth: said, ...row }) => {
      const [all, here] = [parseDecimal4(whole)!, parseDecimal4(row.onHand)!]
      const worth =
        (said as number | undefined) ??
        (all === here || all === 0 ? value : splitByLargestRemainder(value, [here, all - here])[0]!)
      return {
        ...row,
        unitCost: cost && here > 0 ? (worth / here / 0.01).toFixed(4).replace(/\.?0+$/, '') : null,
        valueAgorot: cost ? worth : null,
      } as ReportRow
    })
  },
})

interface Held extends ReportRow {
  id: string
  whole: string
  onHand: string
  value: number
}

/**
 * A row for each place where something of an item lies, with its part of what the item is worth; what is
 * promised or comes is of no place.
 */
async function parted(
  ctx: Ctx,
  rows: readonly Held[],
  day: string | undefined,
  places: RawBuilder<unknown> | undefined,
): Promise<Held[]> {
  const { rows: found } = await sql<{ itemId: string; place: string; quantity: string; chosen: boolean }>`
    select x.item_id as "itemId", p.name as place, ${decimal(sql`sum(x.quantity)`)} as quantity,
      ${places ? sql`p.id in ${places}` : sql`true`} as chosen
    from ${day ? sql`stock_moves` : sql`stock_on_hand`} x join stock_places p on p.company_id = x.company_id
      and p.id = x.place_id
    where x.company_id = ${ctx.companyId} and x.item_id = any(${rows.map(({ id }) => id)}::uuid[])
      ${day ? sql`and x.day <= ${day}` : sql``}
    group by x.item_id, p.id, p.name, p.is_main having sum(x.quantity) <> 0
    order by p.is_main desc, p.name`.execute(ctx.tx)
  return rows.flatMap((row) => {
    const at = found.filter(({ itemId }) => itemId === row.id)
    const quantities = at.map(({ quantity }) => parseDecimal4(quantity)!)
    // Where one place is below zero there are no parts of the whole; the first place bears it.
    const worth = quantities.every((quantity) => quantity > 0)
      ? splitByLargestRemainder(row.value, quantities)
      : at.map((_, i) => (i ? 0 : row.value))
    const none = { reserved: null, free: null, onOrder: null, onTheWay: null, minimum: null }
    return at.length
      ? at.flatMap(({ place, quantity, chosen }, i) =>
          chosen ? [{ ...row, ...none, place, onHand: quantity, worth: worth[i]! }] : [],
        )
      : [row]
  })
}
