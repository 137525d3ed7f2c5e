import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { timesFraction } from '#domain/money.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import type * as calls from '../counts.ts'
import type { Count, CountLine, CountSummary } from '../counts.ts'
import { dayFor } from './days.ts'
import { decimal, seesCost } from './figures.ts'
import { moveStock, noBatch } from './move.ts'
import { inCategory } from './narrow.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

interface Stored {
  id: string
  number: number
  name: string
  state: CountSummary['state']
  day: string
  isBlind: boolean
  placeId: string | null
  categoryId: string | null
  place: string | null
  category: string | null
  frozenAt: string
}

async function load(ctx: Ctx, where: RawBuilder<unknown>, hold = false): Promise<Stored[]> {
  const { rows } = await sql<Stored>`select c.id, c.number, c.name, c.state, c.day, c.is_blind as "isBlind",
        c.place_id as "placeId", c.category_id as "categoryId", c.frozen_at as "frozenAt",
      (select p.name from stock_places p where p.company_id = c.company_id and p.id = c.place_id) as place,
      category_path(c.company_id, c.category_id) as category
    from stock_counts c where c.company_id = ${ctx.companyId} and ${where} order by c.number desc
    limit 200 ${hold ? sql`for update of c` : sql``}`.execute(ctx.tx)
  return rows
}

async function one(ctx: Ctx, id: string, hold = false): Promise<Stored> {
  const [found] = await load(ctx, sql`c.id = ${id}`, hold)
  if (!found) throw fail('kit.notFound')
  return found
}

async function open(ctx: Ctx, id: string): Promise<Stored> {
  const found = await one(ctx, id, true)
  if (found.state !== 'counting') throw fail('stock.countClosed')
  return found
}

/** The places of a count: a warehouse with its shelves, or all. */
const placesOf = (ctx: Ctx, placeId: string | null): RawBuilder<unknown> =>
  sql`(select p.id from stock_places p where p.company_id = ${ctx.companyId}
      and p.kind <> 'transit' ${placeId ? sql`and (p.id = ${placeId} or p.parent_id = ${placeId})` : sql``})`

export async function begin(
  ctx: Ctx,
  { name, placeId, categoryId, isBlind }: In<typeof calls.beginCount>,
): Promise<{ id: string; lines: number }> {
  if (placeId) {
    const { rows } =
      await sql`select 1 from stock_places where company_id = ${ctx.companyId} and id = ${placeId}
          and kind <> 'transit' and archived_at is null`.execute(ctx.tx)
    if (!rows.length) throw failField('placeId', 'fields.ref')
  }
  if (categoryId) {
    const { rows } =
      await sql`select 1 from categories where company_id = ${ctx.companyId} and id = ${categoryId}
          and archived_at is null`.execute(ctx.tx)
    if (!rows.length) throw failField('categoryId', 'fields.ref')
  }
  const id = newId()
  const by = byOf(ctx)
  await sql`insert into stock_counts (company_id, id, number, name, place_id, category_id, is_blind, day,
      user_id)
    values (${ctx.companyId}, ${id}, 0, ${name}, ${placeId ?? null}, ${categoryId ?? null}, ${isBlind},
      ${ctx.today}, ${by})`.execute(ctx.tx)
  const chosen = categoryId ? sql`and i.category_id in ${inCategory(ctx, categoryId)}` : sql``
  // What is there or should be: each place and batch that holds something, and what is kept in stock and lies
  // nowhere, in the first place of the count.
  const { rows } =
    await sql`insert into stock_count_lines (company_id, count_id, item_id, place_id, batch_id, book,
        frozen_seq)
    select ${ctx.companyId}, ${id}, x.item_id, x.place_id, x.batch_id, x.quantity, coalesce(s.last_seq, 0)
    from (
      select h.item_id, h.place_id, h.batch_id, h.quantity from stock_on_hand h
      join items i on i.company_id = h.company_id and i.id = h.item_id and i.is_stocked
      where h.company_id = ${ctx.companyId} and h.quantity <> 0
        and h.place_id in ${placesOf(ctx, placeId ?? null)} ${chosen}
      union all
      select i.id, coalesce(${placeId ?? null}::uuid,
        (select p.id from stock_places p where p.company_id = i.company_id and p.is_main)), ${noBatch}::uuid,
        0 from items i
      where i.company_id = ${ctx.companyId} and i.is_stocked and i.archived_at is null
        and exists (select 1 from stock_places p where p.company_id = i.company_id and p.is_main) ${chosen}
        and not exists (select 1 from stock_on_hand h where h.company_id = i.company_id and h.item_id = i.id
        and h.quantity <> 0)) x
      left join stock_items s on s.company_id = ${ctx.companyId} and s.item_id = x.item_id
      returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('stock.nothingToCount')
  await ctx.audit('stockCounts.begin', 'stockcounts', id, undefined, { name, lines: rows.length })
  return { id, lines: rows.length }
}

interface Row extends Omit<CountLine, 'gap' | 'gapAgorot'> {
  book: string
  quantity: string
  value: number
  approved: string | null
  approvedAgorot: number | null
}

/**
 * What a count of the same line that was approved meanwhile has put right already: a difference is booked
 * once.
 */
const settled = sql`coalesce((select sum(m.quantity) from stock_moves m where m.company_id = l.company_id
    and m.item_id = l.item_id and m.place_id = l.place_id and m.batch_id = l.batch_id
  and m.seq > l.frozen_seq and m.seq <= coalesce(l.priced_seq, m.seq) and m.kind = 'count'
  and m.reverses_id is null and m.cause_id <> l.count_id), 0)`

/** What was counted of each line: by the second count where there is one, everybody's together. */
async function linesOf(ctx: Ctx, id: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with e as (select item_id, place_id, batch_id, round, sum(quantity) as quantity,
      sum(quantity) filter (where user_id = ${ctx.caller.userId}) as own, count(distinct user_id)::int as
      people
      from stock_count_entries where company_id = ${ctx.companyId} and count_id = ${id} group by 1, 2, 3, 4),
    c as (select distinct on (item_id, place_id, batch_id) * from e order by item_id, place_id, batch_id,
    round desc)
    select l.item_id as "itemId", l.place_id as "placeId", l.batch_id as "batchId", i.name as item, i.sku,
      i.barcode, i.unit, p.name as place, b.number as batch, ${decimal(sql`l.book + ${settled}`)} as book,
      ${decimal(sql`c.quantity`)} as counted, ${decimal(sql`c.own`)} as own, l.wants_second as "wantsSecond",
      coalesce(c.people, 0) as people, coalesce(s.quantity, 0)::text as quantity,
      coalesce(s.value_agorot, 0)::bigint as value, ${decimal(sql`l.approved`)} as approved,
      l.value_agorot as "approvedAgorot"
    from stock_count_lines l join items i on i.company_id = l.company_id and i.id = l.item_id
    join stock_places p on p.company_id = l.company_id and p.id = l.place_id
      left join stock_batches b on b.company_id = l.company_id and b.id = l.batch_id left
      join stock_items s on s.company_id = l.company_id and s.item_id = l.item_id
      left join c on c.item_id = l.item_id and c.place_id = l.place_id and c.batch_id = l.batch_id
    where l.company_id = ${ctx.companyId} and l.count_id = ${id} order by p.name, i.name, b.number`.execute(
    ctx.tx,
  )
  return rows
}

/** A difference at what a unit costs now; the movement itself may find it a little otherwise. */
function gapOf(row: Row): { gap: string | null; gapAgorot: number | null } {
  if (row.counted === null) return { gap: null, gapAgorot: null }
  const gap = parseDecimal4(row.counted)! - parseDecimal4(row.book)!
  const held = parseDecimal4(row.quantity)!
  return {
    gap: toText(gap),
    gapAgorot: held > 0 ? timesFraction(row.value, gap, held, 'halfAwayFromZero') : 0,
  }
}

/** The person who counts blind sees no book; the person who approves does. */
const hides = (ctx: Ctx, count: Stored): boolean =>
  count.isBlind && count.state === 'counting' && !can(ctx.caller, 'stock.approve')

export async function get(ctx: Ctx, { id }: { id: string }): Promise<Count> {
  const count = await one(ctx, id)
  const hidden = hides(ctx, count)
  const cost = seesCost(ctx)
  const rows = (await linesOf(ctx, id)).map(
    ({ quantity: _, value: __, approved, approvedAgorot, ...row }): CountLine => {
      const { gap, gapAgorot } = gapOf({ ...row, quantity: _, value: __, approved, approvedAgorot })
      return {
        ...row,
        book: hidden ? null : row.book,
        gap: hidden ? null : gap,
        gapAgorot: hidden || !cost ? null : count.state === 'approved' ? approvedAgorot : gapAgorot,
      }
    },
  )
  return {
    ...summaryOf(count, rows),
    rows,
    late: can(ctx.caller, 'stock.approve')
      ? (await lateOf(ctx, count)).map(
          ({ itemId: _, placeId: __, batchId: ___, value: ____, ...late }) => late,
        )
      : [],
  }
}

const summaryOf = (
  { placeId: _, categoryId: __, frozenAt: ___, ...count }: Stored,
  rows: readonly CountLine[],
): CountSummary => ({
  ...count,
  lines: rows.length,
  counted: rows.filter((row) => row.counted !== null).length,
  gapAgorot: rows.some((row) => row.gapAgorot !== null)
    ? rows.reduce((sum, row) => sum + (row.gapAgorot ?? 0), 0)
    : null,
})

export async function list(ctx: Ctx): Promise<{ rows: CountSummary[] }> {
  const counts = await load(ctx, sql`true`)
  const { rows } = await sql<{
    id: string
    lines: number
    counted: number
    gap: number | null
  }>`select l.count_id as id, count(*)::int as lines, sum(l.value_agorot)::bigint as gap,
      count(*) filter
      (where exists (select 1 from stock_count_entries e where e.company_id = l.company_id
      and e.count_id = l.count_id and e.item_id = l.item_id and e.place_id = l.place_id
      and e.batch_id = l.batch_id))::int as counted
    from stock_count_lines l where l.company_id = ${ctx.companyId}
      and l.count_id = any(${counts.map(({ id }) => id)}::uuid[]) group by 1`.execute(ctx.tx)
  return {
    rows: counts.map(({ placeId: _, categoryId: __, frozenAt: ___, ...count }) => {
      const of = rows.find(({ id }) => id === count.id)
      return {
        ...count,
        lines: of?.lines ?? 0,
        counted: of?.counted ?? 0,
        gapAgorot: count.state === 'approved' && seesCost(ctx) ? (of?.gap ?? 0) : null,
      }
    }),
  }
}

/** Entries of phones: what is known already is not taken again, whichever way it comes. */
export async function enter(
  ctx: Ctx,
  { id, entries }: In<typeof calls.countEntries>,
): Promise<{ taken: number; known: number }> {
  // Many phones enter at once; only an approval must not come between.
  const { rows: held } = await sql<{
    state: string
    placeId: string | null
    categoryId: string | null
  }>`select state, place_id as "placeId", category_id as "categoryId" from stock_counts
    where company_id = ${ctx.companyId} and id = ${id} for share`.execute(ctx.tx)
  if (!held[0]) throw fail('kit.notFound')
  if (held[0].state !== 'counting') throw fail('stock.countClosed')
  const { rows: lines } = await sql<{
    itemId: string
    placeId: string
    batchId: string
  }>`select item_id as "itemId", place_id as "placeId", batch_id as "batchId" from stock_count_lines
    where company_id = ${ctx.companyId} and count_id = ${id}
      and item_id = any(${[...new Set(entries.map((entry) => entry.itemId))]}::uuid[])`.execute(ctx.tx)
  const kept = []
  for (const [at, entry] of entries.entries()) {
    const of = lines.filter(
      (line) =>
        line.itemId === entry.itemId &&
        (!entry.placeId || line.placeId === entry.placeId) &&
        (!entry.batchId || line.batchId === entry.batchId),
    )
    // Where nothing was said, what lies in one place is there, and of several the first.
    const line = of[0] ?? (await found(ctx, id, held[0], entry, at))
    if (!of[0]) lines.push(line)
    kept.push({ ...entry, ...line })
  }
  const by = byOf(ctx)
  const { rows } =
    await sql`insert into stock_count_entries (company_id, count_id, client_id, item_id, place_id, batch_id,
        round, quantity, serial, note, user_id, counted_at)
    select ${ctx.companyId}, ${id}, e.client_id, e.item_id, e.place_id, e.batch_id, e.round, e.quantity,
      e.serial, e.note, ${by}, least(e.counted_at, now())
    from jsonb_populate_recordset(null::stock_count_entries, ${JSON.stringify(
      kept.map((one) => ({
        client_id: one.clientId,
        item_id: one.itemId,
        place_id: one.placeId,
        batch_id: one.batchId,
        round: one.round,
        quantity: one.quantity,
        serial: one.serial ?? null,
        note: one.note,
        counted_at: one.countedAt,
      })),
    )}::jsonb) e on conflict do nothing returning 1`.execute(ctx.tx)
  return { taken: rows.length, known: entries.length - rows.length }
}

/**
 * Something that lies here and the books do not know of: it is counted as well, unless it is of another
 * sheet.
 */
async function found(
  ctx: Ctx,
  countId: string,
  count: { placeId: string | null; categoryId: string | null },
  entry: In<typeof calls.countEntries>['entries'][number],
  at: number,
): Promise<{ itemId: string; placeId: string; batchId: string }> {
  const { rows: items } = await sql<{
    seq: number
  }>`select coalesce(s.last_seq, 0) as seq from items i left join stock_items s on s.company_id = i.company_id
      and s.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.id = ${entry.itemId}
      and i.is_stocked
      ${count.categoryId ? sql`and i.category_id in ${inCategory(ctx, count.categoryId)}` : sql``}`.execute(
    ctx.tx,
  )
  if (!items[0]) throw failField(`entries.${at}.itemId`, 'stock.otherSheet')
  const { rows: places } = await sql<{
    id: string
  }>`select p.id from stock_places p where p.company_id = ${ctx.companyId}
      and p.id in ${placesOf(ctx, count.placeId)} ${entry.placeId ? sql`and p.id = ${entry.placeId}` : sql``}
    order by p.id = ${count.placeId}::uuid desc nulls last, p.is_main desc, p.name limit 1`.execute(ctx.tx)
  if (!places[0]) throw failField(`entries.${at}.placeId`, 'stock.otherSheet')
  if (entry.batchId) {
    const { rows } =
      await sql`select 1 from stock_batches where company_id = ${ctx.companyId} and id = ${entry.batchId}
          and item_id = ${entry.itemId}`.execute(ctx.tx)
    if (!rows.length) throw failField(`entries.${at}.batchId`, 'fields.ref')
  }
  const line = { itemId: entry.itemId, placeId: places[0].id, batchId: entry.batchId ?? noBatch }
  await sql`insert into stock_count_lines (company_id, count_id, item_id, place_id, batch_id, book,
      frozen_seq)
    values (${ctx.companyId}, ${countId}, ${line.itemId}, ${line.placeId}, ${line.batchId}, 0,
      ${items[0].seq}) on conflict do nothing`.execute(ctx.tx)
  return line
}

export async function second(
  ctx: Ctx,
  { id, aboveAgorot }: In<typeof calls.wantSecond>,
): Promise<{ lines: number }> {
  await open(ctx, id)
  const apart = (await linesOf(ctx, id)).filter((row) => {
    const { gap, gapAgorot } = gapOf(row)
    return gap !== null && gap !== '0' && Math.abs(gapAgorot ?? 0) >= aboveAgorot
  })
  for (const row of apart)
    await sql`update stock_count_lines set wants_second = true where company_id = ${ctx.companyId}
        and count_id = ${id} and item_id = ${row.itemId} and place_id = ${row.placeId}
        and batch_id = ${row.batchId}`.execute(ctx.tx)
  await ctx.audit('stockCounts.second', 'stockcounts', id, undefined, { lines: apart.length })
  return { lines: apart.length }
}

/** What is apart becomes movements, of the day it was frozen: what was sold since has its own. */
export async function approve(
  ctx: Ctx,
  { id, uncounted }: In<typeof calls.approveCount>,
): Promise<{ moves: number; gapAgorot: number }> {
  const count = await open(ctx, id)
  // Of two counts that are approved at once the later one sees what the first has put right.
  await sql`select 1 from stock_items s where s.company_id = ${ctx.companyId}
      and s.item_id in (select l.item_id from stock_count_lines l where l.company_id = ${ctx.companyId}
      and l.count_id = ${id})
    order by s.item_id for update`.execute(ctx.tx)
  const rows = await linesOf(ctx, id)
  const { rows: again } = await sql<{
    item: string
  }>`select i.name as item from stock_count_lines l join items i on i.company_id = l.company_id
      and i.id = l.item_id
    where l.company_id = ${ctx.companyId} and l.count_id = ${id} and l.wants_second
      and not exists (select 1 from stock_count_entries e where e.company_id = l.company_id
      and e.count_id = l.count_id
      and e.item_id = l.item_id and e.place_id = l.place_id and e.batch_id = l.batch_id and e.round = 2)
      limit 1`.execute(ctx.tx)
  if (again[0]) throw fail('stock.secondMissing', { item: again[0].item })
  const day = await dayFor(ctx, count.day, 'day')
  const said = rows.flatMap((row) => {
    const counted = row.counted ?? (uncounted === 'zero' ? '0' : null)
    return counted === null
      ? []
      : [{ row, counted, quantity: parseDecimal4(counted)! - parseDecimal4(row.book)! }]
  })
  const apart = said
    .filter(({ quantity }) => quantity !== 0)
    .toSorted((a, b) => (a.row.itemId < b.row.itemId ? -1 : 1))
  const ids = await moveStock(
    ctx,
    apart.map(({ row, quantity }) => ({
      itemId: row.itemId,
      placeId: row.placeId,
      batchId: row.batchId,
      quantity,
      kind: 'count' as const,
      day,
      causeId: id,
      reason: count.name,
    })),
  )
  const { rows: values } = await sql<{
    itemId: string
    placeId: string
    batchId: string
    value: number
  }>`select item_id as "itemId", place_id as "placeId", batch_id as "batchId",
      sum(value_agorot)::bigint as value
    from stock_moves where company_id = ${ctx.companyId} and cause_id = ${id} group by 1, 2, 3`.execute(
    ctx.tx,
  )
  await sql`update stock_count_lines l set approved = m.approved, value_agorot = m.value_agorot
    from jsonb_populate_recordset(null::stock_count_lines, ${JSON.stringify(
      said.map(({ row, counted }) => ({
        item_id: row.itemId,
        place_id: row.placeId,
        batch_id: row.batchId,
        approved: counted,
        value_agorot:
          values.find(
            (one) => one.itemId === row.itemId && one.placeId === row.placeId && one.batchId === row.batchId,
          )?.value ?? 0,
      })),
    )}::jsonb) m where l.company_id = ${ctx.companyId} and l.count_id = ${id} and l.item_id = m.item_id
  and l.place_id = m.place_id and l.batch_id = m.batch_id`.execute(ctx.tx)
  // The cost of each unit in the list of this count derives from the movements up to here.
  await sql`update stock_count_lines l
    set priced_seq =
      coalesce((select s.last_seq from stock_items s where s.company_id = l.company_id
      and s.item_id = l.item_id), 0)
    where l.company_id = ${ctx.companyId} and l.count_id = ${id}`.execute(ctx.tx)
  await sql`update stock_counts set state = 'approved', approved_at = now(), approved_by = ${byOf(ctx)}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const gapAgorot = values.reduce((sum, one) => sum + one.value, 0)
  await ctx.audit('stockCounts.approve', 'stockcounts', id, undefined, { moves: ids.length, gapAgorot })
  return { moves: ids.length, gapAgorot }
}

export async function drop(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  await open(ctx, id)
  await sql`update stock_counts set state = 'dropped' where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('stockCounts.drop', 'stockcounts', id)
  return { done: true }
}

interface Late {
  moveId: string
  day: string
  kind: string
  itemId: string
  item: string
  placeId: string
  batchId: string
  place: string
  quantity: string
  value: number
}

/**
 * Movements of before the count that were not known when it was frozen: they do not change what was counted
 * until somebody says so.
 */
async function lateOf(ctx: Ctx, { id, state, day, frozenAt }: Stored, moveId?: string): Promise<Late[]> {
  if (state !== 'approved') return []
  const { rows } =
    await sql<Late>`select m.id as "moveId", m.day, m.kind, m.item_id as "itemId", i.name as item,
        m.place_id as "placeId", m.batch_id as "batchId", p.name as place, ${decimal(sql`m.quantity`)} as
        quantity, m.value_agorot as value
    from stock_count_lines l join stock_moves m on m.company_id = l.company_id and m.item_id = l.item_id
      and m.place_id = l.place_id and m.batch_id = l.batch_id and m.seq > l.frozen_seq
      join items i on i.company_id = m.company_id and i.id = m.item_id
      join stock_places p on p.company_id = m.company_id and p.id = m.place_id
    where l.company_id = ${ctx.companyId} and l.count_id = ${id} and l.approved is not null and m.day < ${day}
      and m.at > ${frozenAt} and m.quantity <> 0
      and m.kind <> 'count' ${moveId ? sql`and m.id = ${moveId}` : sql``}
      and not exists (select 1 from stock_count_answers a where a.company_id = m.company_id
      and a.move_id = m.id) order by m.day, m.at limit 100`.execute(ctx.tx)
  return rows
}

export async function answer(
  ctx: Ctx,
  { id, moveId, wasCounted }: In<typeof calls.answerLate>,
): Promise<{ done: true }> {
  const count = await one(ctx, id, true)
  const [late] = await lateOf(ctx, count, moveId)
  if (!late) throw fail('kit.notFound')
  await sql`insert into stock_count_answers (company_id, count_id, move_id, was_counted, user_id)
    values (${ctx.companyId}, ${id}, ${moveId}, ${wasCounted}, ${byOf(ctx)})`.execute(ctx.tx)
  if (wasCounted)
    await moveStock(ctx, [
      {
        itemId: late.itemId,
        placeId: late.placeId,
        batchId: late.batchId,
        quantity: -parseDecimal4(late.quantity)!,
        kind: 'count',
        day: await dayFor(ctx, count.day),
        causeId: newId(),
        worth: Math.abs(late.value),
        reversesId: moveId,
        reason: count.name,
      },
    ])
  await ctx.audit('stockCounts.answer', 'stockcounts', id, undefined, { moveId, wasCounted })
  return { done: true }
}
