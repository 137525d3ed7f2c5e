import { sql, type RawBuilder } from 'kysely'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import type { z } from 'zod'
import type * as calls from '../endpoints.ts'
import type { Transfer } from '../endpoints.ts'
import { checkItems, checkPlace } from './commands.ts'
import { dayFor } from './days.ts'
import { decimal } from './figures.ts'
import { moveStock, transitPlace, type Wanted } from './move.ts'
import { loseUnits, putUnits, sentWith, unitsAt, unitsOnTheWay } from './serials.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

const page = 50

async function read(ctx: Ctx, where: RawBuilder<unknown>, most: number): Promise<Transfer[]> {
  const { rows } =
    await sql<Transfer>`select t.id, t.number, t.from_id as "fromId", f.name as "from", t.to_id as "toId",
        w.name as "to", t.day, t.arrived_day as "arrivedDay", t.note,
      (select coalesce(jsonb_agg(jsonb_build_object('itemId', l.item_id, 'name', i.name, 'unit', i.unit,
      'quantity', ${decimal(sql`l.quantity`)}, 'arrived', ${decimal(sql`l.arrived`)},
          'numbers', case when t.arrived_day is null and i.tracking = 'serial' then
          (select coalesce(jsonb_agg(s.number order by s.number), '[]') from serials s ${sentWith(sql`t.id`)}
            where s.company_id = t.company_id and s.item_id = l.item_id
              and s.state in ('inStock', 'returned')) else '[]' end) order by i.name), '[]')
        from stock_transfer_lines l join items i on i.company_id = l.company_id and i.id = l.item_id
        where l.company_id = t.company_id and l.transfer_id = t.id) as lines
    from stock_transfers t join stock_places f on f.company_id = t.company_id and f.id = t.from_id
    join stock_places w on w.company_id = t.company_id and w.id = t.to_id
    where t.company_id = ${ctx.companyId} and ${where} order by t.number desc limit ${most}`.execute(ctx.tx)
  return rows
}

export async function list(ctx: Ctx, { onTheWay, before }: In<typeof calls.listTransfers>) {
  const where = sql`${before ? sql`t.number < ${before}` : sql`true`}
      ${
        onTheWay === undefined
          ? sql``
          : onTheWay === 'true'
            ? sql`and t.arrived_day is
          null`
            : sql`and t.arrived_day is not null`
      }`
  const rows = await read(ctx, where, page + 1)
  return { rows: rows.slice(0, page), nextBefore: rows.length > page ? rows[page - 1]!.number : null }
}

/**
 * Goods leave one place; they are there at once, or between the two until somebody says that they arrived.
 */
export async function make(ctx: Ctx, input: In<typeof calls.makeTransfer>): Promise<Transfer> {
  const [from, to] = [
    await checkPlace(ctx, 'fromId', input.fromId),
    await checkPlace(ctx, 'toId', input.toId),
  ]
  if (from === to) throw failField('toId', 'stock.samePlace')
  const day = await dayFor(ctx, input.day)
  await checkItems(
    ctx,
    input.lines.map((line, i) => ({ id: line.itemId, path: `lines.${i}.itemId` })),
  )
  const twice = input.lines.findIndex(
    (line, i) => input.lines.findIndex((other) => other.itemId === line.itemId) !== i,
  )
  if (twice >= 0) throw failField(`lines.${twice}.itemId`, 'fields.taken', { name: '' })
  const id = newId()
  const by = byOf(ctx)
  await sql`insert into stock_transfers (company_id, id, number, from_id, to_id, day, arrived_day, note,
      user_id)
    values (${ctx.companyId}, ${id}, 0, ${from}, ${to}, ${day}, ${input.arrives ? day : null}, ${input.note},
      ${by})`.execute(ctx.tx)
  for (const line of input.lines)
    await sql`insert into stock_transfer_lines (company_id, transfer_id, item_id, quantity, arrived)
      values (${ctx.companyId}, ${id}, ${line.itemId}, ${line.quantity},
        ${input.arrives ? line.quantity : null})`.execute(ctx.tx)
  const reaches = input.arrives ? to : await transitPlace(ctx)
  const lines = input.lines
    .map((line, i) => ({ ...line, i, quantity: parseDecimal4(line.quantity)! }))
    .toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1))
  const ids = await moveStock(
    ctx,
    lines.flatMap(({ itemId, quantity, i }): Wanted[] =>
      both(from, reaches, {
        itemId,
        quantity,
        day,
        causeId: id,
        reason: input.note,
        path: `lines.${i}.quantity`,
      }),
    ),
  )
  for (const [n, { itemId, quantity, numbers, i }] of lines.entries()) {
    const units = await unitsAt(ctx, { itemId, numbers, placeId: from, quantity, at: `lines.${i}.numbers` })
    await putUnits(ctx, units, reaches, day, ids[n * 2 + 1]!, input.note)
  }
  await ctx.audit('stock.transfer', 'stocktransfers', id, undefined, { day, lines: input.lines.length })
  return (await read(ctx, sql`t.id = ${id}`, 1))[0]!
}

const both = (from: string, to: string, one: Omit<Wanted, 'kind' | 'placeId'>): Wanted[] => [
  { ...one, kind: 'transfer', placeId: from, quantity: -one.quantity, within: true },
  { ...one, kind: 'transfer', placeId: to, within: true },
]

/** What arrived is at its place; what is missing is written off, with the reason. */
export async function arrive(ctx: Ctx, input: In<typeof calls.arriveTransfer>): Promise<Transfer> {
  const { rows: held } = await sql<{
    to: string
    day: string
    arrived: string | null
  }>`select to_id as "to", day, arrived_day as arrived from stock_transfers
    where company_id = ${ctx.companyId} and id = ${input.id} for update`.execute(ctx.tx)
  if (!held[0]) throw fail('kit.notFound')
  if (held[0].arrived) throw fail('stock.alreadyArrived')
  const day = await dayFor(ctx, input.day)
  if (day < held[0].day) throw failField('day', 'fields.range')
  const { rows: lines } = await sql<{
    itemId: string
    quantity: number
  }>`select item_id as "itemId", (quantity * 10000)::bigint as quantity from stock_transfer_lines
    where company_id = ${ctx.companyId} and transfer_id = ${input.id} order by item_id`.execute(ctx.tx)
  const said = new Map(
    input.lines.map((line, i) => [
      line.itemId,
      { quantity: parseDecimal4(line.quantity)!, missing: line.missing, i },
    ]),
  )
  for (const [itemId, { i }] of said)
    if (!lines.some((line) => line.itemId === itemId)) throw failField(`lines.${i}.itemId`, 'fields.ref')
  const transit = await transitPlace(ctx)
  const units = await unitsOnTheWay(ctx, input.id)
  const wanted: (Wanted & { came?: string[]; lost?: string[] })[] = []
  for (const { itemId, quantity } of lines) {
    const arrived = said.get(itemId)?.quantity ?? quantity
    if (arrived > quantity)
      throw failField(`lines.${said.get(itemId)!.i}.quantity`, 'stock.arrivedTooMuch', {
        sent: toText(quantity),
      })
    if (arrived < quantity && !input.reason) throw failField('reason', 'fields.need')
    await sql`update stock_transfer_lines set arrived = ${toText(arrived)} where company_id = ${ctx.companyId}
        and transfer_id = ${input.id} and item_id = ${itemId}`.execute(ctx.tx)
    const { came, lost } = apart(
      units.filter((unit) => unit.itemId === itemId),
      said.get(itemId),
      arrived,
      quantity,
    )
    const shared = { itemId, day, causeId: input.id, reason: input.reason }
    if (arrived) {
      const [out, there] = both(transit, held[0].to, { ...shared, quantity: arrived })
      wanted.push(out!, { ...there!, came })
    }
    if (arrived < quantity)
      wanted.push({ ...shared, kind: 'adjust', placeId: transit, quantity: arrived - quantity, lost })
  }
  await sql`update stock_transfers set arrived_day = ${day} where company_id = ${ctx.companyId}
      and id = ${input.id}`.execute(ctx.tx)
  const ids = await moveStock(ctx, wanted)
  for (const [n, { came, lost }] of wanted.entries()) {
    if (came) await putUnits(ctx, came, held[0].to, day, ids[n]!, input.reason)
    if (lost) await loseUnits(ctx, lost, day, ids[n]!, input.reason)
  }
  await ctx.audit('stock.arrive', 'stocktransfers', input.id, undefined, { day })
  return (await read(ctx, sql`t.id = ${input.id}`, 1))[0]!
}

/**
 * Which of the units of a line arrived: all, where nothing else was said; where fewer came than were named,
 * it is said which did not.
 */
function apart(
  units: readonly { id: string; number: string }[],
  said: { missing: readonly string[]; i: number } | undefined,
  arrived: number,
  quantity: number,
): { came: string[]; lost: string[] } {
  const missing = new Set(
    (arrived ? (said?.missing ?? []) : units.map(({ number }) => number)).map((number) =>
      number.toLowerCase(),
    ),
  )
  const at = `lines.${said?.i ?? 0}.missing`
  for (const [n, number] of (said?.missing ?? []).entries())
    if (!units.some((unit) => unit.number.toLowerCase() === number.toLowerCase()))
      throw failField(`${at}.${n}`, 'stock.serialUnknown', { number })
  if (missing.size * 10_000 > quantity - arrived)
    throw failField(at, 'stock.moreUnits', { count: Math.floor((quantity - arrived) / 10_000) })
  const [came, lost] = [
    units.filter(({ number }) => !missing.has(number.toLowerCase())),
    units.filter(({ number }) => missing.has(number.toLowerCase())),
  ]
  const over = Math.ceil(came.length - arrived / 10_000)
  if (over > 0) throw failField(at, 'stock.unitsUnsaid', { count: over })
  return { came: came.map(({ id }) => id), lost: lost.map(({ id }) => id) }
}
