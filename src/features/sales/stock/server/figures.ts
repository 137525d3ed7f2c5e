import { sql, type RawBuilder } from 'kysely'
import { takers } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { divideRounded } from '#domain/money.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive, isOpen } from '#kit/server/data/documentFacts.ts'
import type { StockOf } from '../endpoints.ts'

export const decimal = (of: RawBuilder<unknown>): RawBuilder<string> => sql`trim_scale(${of})::text`

/** Who may see what stock cost: nobody from whom amounts are hidden. */
export const seesCost = (ctx: Ctx): boolean => can(ctx.caller, 'stock.cost') && !ctx.caller.hideTotalPrices

/**
 * What open orders still want of each item, or purchase orders still bring, in the item's own unit: columns
 * `item_id` and `quantity`. Of the items of `among`, a list in parentheses, where it is given. An order that
 * is past its promised day by more days than the business waits holds nothing back.
 */
export const awaited = (
  ctx: Ctx,
  side: 'order' | 'purchaseOrder',
  among?: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  return sql`select l.item_id,
      sum(greatest(0,
      round((l.quantity - coalesce(t.taken, 0)) * coalesce(u.times, 1)::numeric / coalesce(u.per, 1), 4))) as
      quantity
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
      left join item_units u on u.company_id = l.company_id and u.item_id = l.item_id and u.unit = l.unit
      left join lateral (select sum(x.takes) as taken from document_lines x
      join documents f on f.company_id = x.company_id and f.id = x.document_id
        where x.company_id = l.company_id and x.source_document_id = l.document_id and x.source_line = l.line
          and ${isLive('f')} and f.type = any(${[...takers[side]]}::int[])) t on true
    where d.company_id = ${ctx.companyId}
      and d.type = ${documentTypes[side].id}
      ${
        side === 'order'
          ? sql`and coalesce(d.valid_until, d.day) +
          coalesce((select s.reserve_days from stock_settings s where s.company_id = d.company_id), 100000) >=
          ${ctx.today}::date`
          : sql``
      } and ${isOpen('d')}
          and l.item_id ${among ? sql`in ${among}` : sql`is not null`} group by 1`
}

interface Found {
  id: string
  name: string
  sku: string | null
  barcode: string | null
  unit: string | null
  isStocked: boolean
  tracking: StockOf['tracking']
  madeOf: StockOf['madeOf']
  minimum: string | null
  onHand: string
  onTheWay: string
  reserved: string
  onOrder: string
  value: number
}

/** Everything about one item. */
export async function stockOfItem(ctx: Ctx, id: string): Promise<StockOf> {
  const only = sql`(${id}::uuid)`
  const { rows } =
    await sql<Found>`select i.id, i.name, i.sku, i.barcode, i.unit, i.is_stocked as "isStocked", i.tracking,
        i.made_of as "madeOf", ${decimal(sql`i.minimum_quantity`)} as minimum,
        ${decimal(sql`coalesce(s.quantity, 0)`)} as "onHand",
      ${decimal(sql`coalesce((select sum(h.quantity) from stock_on_hand h
        join stock_places p on p.company_id = h.company_id and p.id = h.place_id and p.kind = 'transit'
        where h.company_id = i.company_id and h.item_id = i.id), 0)`)} as "onTheWay",
      ${decimal(sql`coalesce((select quantity from (${awaited(ctx, 'order', only)}) r), 0)`)} as reserved,
      ${decimal(sql`coalesce((select quantity from (${awaited(ctx, 'purchaseOrder', only)}) r), 0)`)} as
      "onOrder",
      coalesce(s.value_agorot, 0)::bigint as value
    from items i left join stock_items s on s.company_id = i.company_id and s.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.id = ${id}`.execute(ctx.tx)
  const [found] = rows
  if (!found) throw fail('kit.notFound')
  const { value, ...item } = found
  const onHand = parseDecimal4(item.onHand)!
  const places = await sql<
    StockOf['places'][number]
  >`select h.place_id as "placeId", p.name as place, p.kind, b.id as "batchId", b.number as batch, b.expires,
      ${decimal(sql`h.quantity`)} as quantity
    from stock_on_hand h join stock_places p on p.company_id = h.company_id and p.id = h.place_id left
    join stock_batches b on b.company_id = h.company_id and b.id = h.batch_id
    where h.company_id = ${ctx.companyId} and h.item_id = ${id} and h.quantity <> 0
    order by p.is_main desc, p.name, b.expires nulls last, b.number`.execute(ctx.tx)
  const units = await sql<
    StockOf['units'][number]
  >`select unit, times, per from item_units where company_id = ${ctx.companyId} and item_id = ${id}
    order by unit`.execute(ctx.tx)
  const parts = await sql<
    StockOf['parts'][number]
  >`select p.part_id as "itemId", i.name, i.unit, ${decimal(sql`p.quantity`)} as quantity,
      ${decimal(sql`coalesce(s.quantity, 0)`)} as "onHand"
    from item_parts p join items i on i.company_id = p.company_id and i.id = p.part_id left
    join stock_items s on s.company_id = p.company_id and s.item_id = p.part_id
    where p.company_id = ${ctx.companyId} and p.item_id = ${id} order by i.name`.execute(ctx.tx)
  return {
    ...item,
    // What is on the way cannot be given to anybody yet.
    free: toText(onHand - parseDecimal4(item.onTheWay)! - parseDecimal4(item.reserved)!),
    valueAgorot: seesCost(ctx) ? value : null,
    unitCost:
      seesCost(ctx) && onHand > 0
        ? toText(Number(divideRounded(BigInt(value) * 1_000_000n, BigInt(onHand))))
        : null,
    places: places.rows,
    units: units.rows,
    parts: parts.rows,
  }
}
