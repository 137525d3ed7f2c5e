import { sql } from 'kysely'
import { divideRounded, splitByLargestRemainder, sum, timesFraction, toSafeNumber } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { z } from 'zod'
import { accountIds, post } from '#features/base/ledger/server/index.ts'
import type * as calls from '../endpoints.ts'
import { dayFor } from './days.ts'
import { seesCost } from './figures.ts'
import {
  mainPlace,
  moveStock,
  postStock,
  settingsOf,
  stockChange,
  type Settings,
  type Wanted,
} from './move.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

/** The items of an input, all of them kept in stock; the refusal is at the field. */
export async function checkItems(ctx: Ctx, wanted: readonly { id: string; path: string }[]): Promise<void> {
  const { rows } = await sql<{ id: string; stocked: boolean }>`select id, is_stocked as stocked from items
    where company_id = ${ctx.companyId} and id = any(${wanted.map((one) => one.id)}::uuid[])
      and archived_at is null`.execute(ctx.tx)
  for (const { id, path } of wanted) {
    const found = rows.find((row) => row.id === id)
    if (!found) throw path ? failField(path, 'fields.ref') : fail('kit.notFound')
    if (!found.stocked) throw path ? failField(path, 'stock.notStocked') : fail('stock.notStocked')
  }
}

/** A place where goods may lie; what is on the way is none of those people choose. */
export async function checkPlace(ctx: Ctx, field: string, id: string | undefined): Promise<string> {
  if (!id) return mainPlace(ctx)
  const { rows } = await sql`select 1 from stock_places where company_id = ${ctx.companyId} and id = ${id}
        and kind <> 'transit' and archived_at is null`.execute(ctx.tx)
  if (!rows.length) throw failField(field, 'fields.ref')
  return id
}

export async function saveSettings(ctx: Ctx, wanted: Settings): Promise<Settings> {
  const before = await settingsOf(ctx)
  if (before.costing !== wanted.costing) {
    const { rows } = await sql`select 1 from stock_moves where company_id = ${ctx.companyId} limit 1`.execute(
      ctx.tx,
    )
    if (rows.length) throw fail('stock.costingAfterMoves')
  }
  await sql`insert into stock_settings (company_id, refuses_below_zero, costing, perpetual, reserve_days)
    values (${ctx.companyId}, ${wanted.refusesBelowZero}, ${wanted.costing}, ${wanted.perpetual},
      ${wanted.reserveDays})
    on conflict (company_id) do update set refuses_below_zero = excluded.refuses_below_zero,
      costing = excluded.costing, perpetual = excluded.perpetual, reserve_days = excluded.reserve_days,
      updated_at = now()`.execute(ctx.tx)
  await ctx.audit('stock.saveSettings', 'companies', ctx.companyId, { ...before }, { ...wanted })
  // From now on the books follow: they begin from what stock is worth now.
  if (wanted.perpetual && !before.perpetual) await bringBooks(ctx, ctx.today)
  return wanted
}

/** Brings the stock account to what stock was worth on a day; answers both. */
async function bringBooks(ctx: Ctx, day: string): Promise<{ valueAgorot: number; changeAgorot: number }> {
  const { rows } = await sql<{
    value: number
  }>`select coalesce(sum(value_agorot), 0)::bigint as value from stock_days
    where company_id = ${ctx.companyId} and day <= ${day}`.execute(ctx.tx)
  const accounts = await accountIds(ctx)
  const stock = accounts.of('stock')
  const { rows: books } = await sql<{
    balance: number
  }>`select coalesce(sum(amount_agorot), 0)::bigint as balance from postings
    where company_id = ${ctx.companyId} and account_id = ${stock} and day <= ${day}`.execute(ctx.tx)
  const changeAgorot = rows[0]!.value - books[0]!.balance
  if (changeAgorot)
    await post(ctx, { day, kind: 'stock', postings: postStock(changeAgorot, stock, stockChange(accounts)) })
  return { valueAgorot: rows[0]!.value, changeAgorot }
}

export async function close(ctx: Ctx, { day }: In<typeof calls.closeStock>) {
  if (day > ctx.today) throw failField('day', 'stock.dayAhead', { day, today: ctx.today })
  // Where the books follow every movement there is nothing to bring.
  if ((await settingsOf(ctx)).perpetual) throw fail('stock.nothingToClose')
  const closed = await bringBooks(ctx, day)
  await ctx.audit('stock.close', 'companies', ctx.companyId, undefined, { day, ...closed })
  return closed
}

export async function adjust(ctx: Ctx, input: In<typeof calls.adjustStock>): Promise<{ id: string }> {
  await checkItems(ctx, [{ id: input.id, path: '' }])
  const [day, placeId] = [await dayFor(ctx, input.day), await checkPlace(ctx, 'placeId', input.placeId)]
  const batchId = input.batchNumber
    ? await batchOf(ctx, input.id, input.batchNumber, input.expires)
    : undefined
  const quantity = parseDecimal4(input.quantity)!
  const [id] = await moveStock(ctx, [
    {
      itemId: input.id,
      placeId,
      batchId,
      quantity,
      kind: 'adjust',
      day,
      causeId: newId(),
      ...(quantity > 0 ? { worth: input.worthAgorot } : {}),
      reason: input.reason,
      path: 'quantity',
    },
  ])
  await ctx.audit('stock.adjust', 'items', input.id, undefined, {
    quantity: input.quantity,
    day,
    reason: input.reason,
  })
  return { id: id! }
}

/** A batch by its number, made where it is new; the day it expires is what was first said. */
export async function batchOf(
  ctx: Ctx,
  itemId: string,
  number: string,
  expires: string | undefined,
): Promise<string> {
  await sql`insert into stock_batches (company_id, id, item_id, number, expires)
    values (${ctx.companyId}, ${newId()}, ${itemId}, ${number}, ${expires ?? null})
    on conflict (company_id, item_id, number) do update
    set expires = coalesce(stock_batches.expires, excluded.expires)`.execute(ctx.tx)
  const { rows } = await sql<{
    id: string
  }>`select id from stock_batches where company_id = ${ctx.companyId} and item_id = ${itemId}
      and number = ${number}`.execute(ctx.tx)
  return rows[0]!.id
}

export async function landed(ctx: Ctx, { documentId, agorot, by, reason }: In<typeof calls.revalueStock>) {
  const day = await dayFor(ctx)
  const { rows } = await sql<{
    itemId: string
    placeId: string
    came: number
    worth: number
    weight: number
    left: number
  }>`
    select m.item_id as "itemId", (array_agg(m.place_id))[1] as "placeId", (sum(m.quantity) * 10000)::bigint
      as came, sum(m.value_agorot)::bigint as worth,
      round(sum(m.quantity) * coalesce(max(i.weight), 0) * 10000)::bigint as weight,
      (max(s.quantity) * 10000)::bigint as "left"
    from stock_moves m join items i on i.company_id = m.company_id and i.id = m.item_id
    join stock_items s on s.company_id = m.company_id and s.item_id = m.item_id
    where m.company_id = ${ctx.companyId} and m.document_id = ${documentId}
      and m.kind in ('receive', 'cancel') group by m.item_id having sum(m.quantity) > 0
      order by m.item_id`.execute(ctx.tx)
  if (!rows.length) throw failField('documentId', 'stock.nothingThere', { item: '' })
  const weights = rows.map((row) => (by === 'value' ? row.worth : by === 'weight' ? row.weight : row.came))
  if (sum(weights) <= 0) throw failField('by', 'fields.choice')
  const shares = splitByLargestRemainder(agorot, weights)
  const causeId = newId()
  const wanted: Wanted[] = []
  for (const [i, row] of rows.entries()) {
    // Of what was sold meanwhile the share is a cost already: the bill of the freight is one.
    const onStock = timesFraction(
      shares[i]!,
      Math.max(0, Math.min(row.left, row.came)),
      row.came,
      'halfAwayFromZero',
    )
    if (onStock > 0)
      wanted.push({
        itemId: row.itemId,
        placeId: row.placeId,
        quantity: 0,
        revaluesBy: onStock,
        kind: 'landed',
        day,
        causeId,
        documentId,
        reason,
        path: 'documentId',
      })
  }
  await moveStock(ctx, wanted)
  const onStockAgorot = sum(wanted.map((one) => one.revaluesBy!))
  await ctx.audit('stock.landed', 'documents', documentId, undefined, { agorot, by, reason })
  return { onStockAgorot, onSoldAgorot: agorot - onStockAgorot }
}

export async function produce(ctx: Ctx, input: In<typeof calls.produceStock>): Promise<{ id: string }> {
  await checkItems(ctx, [{ id: input.id, path: '' }])
  const { rows } = await sql<{
    partId: string
    quantity: number
  }>`select p.part_id as "partId", (p.quantity * 10000)::bigint as quantity from item_parts p
    join items i on i.company_id = p.company_id and i.id = p.item_id and i.made_of = 'recipe'
    where p.company_id = ${ctx.companyId} and p.item_id = ${input.id} order by p.part_id`.execute(ctx.tx)
  if (!rows.length) throw fail('stock.noParts')
  const [day, placeId, quantity, causeId] = [
    await dayFor(ctx, input.day),
    await checkPlace(ctx, 'placeId', input.placeId),
    parseDecimal4(input.quantity)!,
    newId(),
  ]
  const shared = { placeId, kind: 'produce' as const, day, causeId, path: 'quantity' }
  const gone = await moveStock(
    ctx,
    rows.map((part) => ({
      ...shared,
      itemId: part.partId,
      quantity: -toSafeNumber(divideRounded(BigInt(part.quantity) * BigInt(quantity), 10_000n)),
    })),
  )
  const { rows: worth } = await sql<{
    agorot: number
  }>`select -sum(value_agorot)::bigint as agorot from stock_moves where company_id = ${ctx.companyId}
      and cause_id = ${causeId}`.execute(ctx.tx)
  const [id] = await moveStock(ctx, [
    { ...shared, itemId: input.id, quantity, worth: Math.max(0, worth[0]!.agorot) },
  ])
  await ctx.audit('stock.produce', 'items', input.id, undefined, {
    quantity: input.quantity,
    day,
    parts: gone.length,
  })
  return { id: id! }
}

export async function keepParts(
  ctx: Ctx,
  { id, madeOf, parts }: In<typeof calls.saveParts>,
): Promise<{ done: true }> {
  const { rows: known } =
    await sql`select 1 from items where company_id = ${ctx.companyId} and id = ${id} and archived_at is null
      for update`.execute(ctx.tx)
  if (!known.length) throw fail('kit.notFound')
  if (madeOf !== 'none' && !parts.length) throw failField('parts', 'stock.noParts')
  const kept = madeOf === 'none' ? [] : parts
  await checkItems(
    ctx,
    kept.map((part, i) => ({ id: part.itemId, path: `parts.${i}.itemId` })),
  )
  const twice = kept.findIndex((part, i) => kept.findIndex((other) => other.itemId === part.itemId) !== i)
  if (twice >= 0) throw failField(`parts.${twice}.itemId`, 'fields.taken', { name: '' })
  // A part that is made of the item itself, however far down, would never be finished.
  const { rows: circle } = await sql<{ part: string }>`with recursive below as (
      select x.part, x.part as first from unnest(${kept.map((part) => part.itemId)}::uuid[]) x (part)
      union select p.part_id, b.first from below b join item_parts p on p.company_id = ${ctx.companyId}
        and p.item_id = b.part)
    select first as part from below where part = ${id} limit 1`.execute(ctx.tx)
  if (circle[0])
    throw failField(
      `parts.${kept.findIndex((part) => part.itemId === circle[0]!.part)}.itemId`,
      'stock.partsCircle',
    )
  await sql`delete from item_parts where company_id = ${ctx.companyId} and item_id = ${id}`.execute(ctx.tx)
  for (const part of kept)
    await sql`insert into item_parts (company_id, item_id, part_id, quantity)
      values (${ctx.companyId}, ${id}, ${part.itemId}, ${part.quantity})`.execute(ctx.tx)
  await sql`update items set made_of = ${madeOf}, updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('stock.saveParts', 'items', id, undefined, { madeOf, parts: kept.length })
  return { done: true }
}

export async function keepUnits(
  ctx: Ctx,
  { id, units }: In<typeof calls.saveUnits>,
): Promise<{ done: true }> {
  const { rows: known } = await sql<{
    unit: string | null
  }>`select unit from items where company_id = ${ctx.companyId} and id = ${id} and archived_at is null for
    update`.execute(ctx.tx)
  if (!known[0]) throw fail('kit.notFound')
  for (const [i, { unit }] of units.entries())
    if (unit === known[0].unit || units.findIndex((other) => other.unit === unit) !== i)
      throw failField(`units.${i}.unit`, 'fields.taken', { name: unit })
  await sql`delete from item_units where company_id = ${ctx.companyId} and item_id = ${id}`.execute(ctx.tx)
  for (const { unit, times, per } of units)
    await sql`insert into item_units (company_id, item_id, unit, times, per)
      values (${ctx.companyId}, ${id}, ${unit}, ${times}, ${per})`.execute(ctx.tx)
  await ctx.audit('stock.saveUnits', 'items', id, undefined, { units: units.length })
  return { done: true }
}

/** What all stock was worth at the end of a day: what it moved by until then. */
export async function valueAt(
  ctx: Ctx,
  { day }: In<typeof calls.stockValue>,
): Promise<{ day: string; valueAgorot: number | null }> {
  const { rows } = await sql<{
    value: number
  }>`select coalesce(sum(value_agorot), 0)::bigint as value from stock_days
    where company_id = ${ctx.companyId} and day <= ${day}`.execute(ctx.tx)
  return { day, valueAgorot: seesCost(ctx) ? rows[0]!.value : null }
}
