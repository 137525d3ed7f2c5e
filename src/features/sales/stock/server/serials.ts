import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addMonths, type Day } from '#domain/day.ts'
import { Failure, fail, failField, type FieldError } from '#kit/describe/errors.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { isLive, suppliesGoods, takesGoodsIn } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import type * as calls from '../serials.ts'
import type { Serial, serialKinds, SerialLife } from '../serials.ts'
import { checkPlace } from './commands.ts'
import { dayFor } from './days.ts'
import { mainPlace, moveStock } from './move.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>
type Kind = (typeof serialKinds)[number]

/** The document a unit came or went with, where the caller may see it. */
const paper = (
  column: string,
) => sql`(select jsonb_build_object('id', d.id, 'type', d.type, 'number', d.number) from documents d
  where d.company_id = s.company_id and d.id = ${sql.ref(`s.${column}`)} and sees_type(d.type))`
const columns = sql`${paper('in_document_id')} as "inPaper", ${paper('out_document_id')} as "outPaper", s.id,
    s.number, s.item_id as "itemId", i.name as item, i.sku, s.state, p.name as place, c.name as customer,
    s.in_day as "inDay", s.out_day as "outDay", s.warranty_until as "warrantyUntil"`
const from = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`serials s join items i on i.company_id = s.company_id and i.id = s.item_id left
  join stock_places p on p.company_id = s.company_id and p.id = s.place_id
  left join parties c on c.company_id = s.company_id and c.id = s.customer_id
  where s.company_id = ${ctx.companyId}`

export async function find(
  ctx: Ctx,
  { q, itemId }: In<typeof calls.findSerials>,
): Promise<{ rows: Serial[] }> {
  const typed = q.toLowerCase()
  const pattern = `%${typed.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Serial>`select ${columns}
      from ${from(ctx)} ${typed ? sql`and s.number_ci like ${pattern}` : sql``}
        ${itemId ? sql`and s.item_id = ${itemId}` : sql``}
    order by (s.number_ci = ${typed}) desc, s.updated_at desc, s.number limit 50`.execute(ctx.tx)
  return { rows }
}

export async function life(ctx: Ctx, { id }: { id: string }): Promise<SerialLife> {
  const { rows } = await sql<Serial>`select ${columns} from ${from(ctx)} and s.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: events } = await sql<
    SerialLife['events'][number]
  >`select e.kind, e.day, d.id as "documentId", d.type as "documentType", d.number,
      c.name as customer, e.note,
      (select u.full_name from users u where u.id = e.user_id) as by
    from serial_events e left join documents d on d.company_id = e.company_id and d.id = e.document_id
      and sees_type(d.type) left
    join parties c on c.company_id = e.company_id and c.id = e.customer_id
    where e.company_id = ${ctx.companyId} and e.serial_id = ${id} order by e.seq`.execute(ctx.tx)
  return { ...rows[0], events }
}

const dayOf = (ctx: Ctx, day: Day | undefined): Day => {
  if (day && day > ctx.today) throw failField('day', 'stock.dayAhead', { day, today: ctx.today })
  return day ?? ctx.today
}

async function serialItem(ctx: Ctx, id: string): Promise<{ stocked: boolean }> {
  const { rows } = await sql<{
    tracking: string
    stocked: boolean
  }>`select tracking, is_stocked as stocked from items where company_id = ${ctx.companyId} and id = ${id}
      and archived_at is null for share`.execute(ctx.tx)
  if (!rows[0]) throw failField('itemId', 'fields.ref')
  if (rows[0].tracking !== 'serial') throw failField('itemId', 'stock.notSerial')
  return rows[0]
}

const wrong = (errors: FieldError[]): void => {
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
}

/** Each number that occurs twice in what was scanned, by its place. */
function twice(numbers: readonly string[], at = 'numbers'): FieldError[] {
  const seen = new Set<string>()
  return numbers.flatMap((number, i) => {
    const key = number.toLowerCase()
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ path: `${at}.${i}`, code: 'stock.serialTwice', params: { number } }]
  })
}

interface Held {
  id: string
  number: string
  state: Serial['state']
  placeId: string | null
  onTheWay: boolean
  inDocumentId: string | null
  /** When it went missing a movement was posted in the books. */
  booked: boolean
}

async function hold(ctx: Ctx, itemId: string, numbers: readonly string[]): Promise<Map<string, Held>> {
  const { rows } = await sql<Held>`select s.id, s.number, s.state, s.place_id as "placeId",
        s.in_document_id as "inDocumentId",
      coalesce((select p.kind = 'transit' from stock_places p where p.company_id = s.company_id
      and p.id = s.place_id), false) as "onTheWay",
      coalesce((select e.move_id is not null from serial_events e where e.company_id = s.company_id
      and e.serial_id = s.id and e.kind = 'missing' order by e.seq desc limit 1), false) as booked
    from serials s where s.company_id = ${ctx.companyId} and s.item_id = ${itemId}
      and s.number_ci = any(${numbers.map((number) => number.toLowerCase())}::text[])
    order by s.id for update of s`.execute(ctx.tx)
  return new Map(rows.map((row) => [row.number.toLowerCase(), row]))
}

async function tell(
  ctx: Ctx,
  ids: readonly string[],
  kind: Kind,
  day: Day,
  more: {
    documentId?: string | undefined
    customerId?: string | null
    moveId?: string | undefined
    note?: string
  },
): Promise<void> {
  if (!ids.length) return
  const by = byOf(ctx)
  await sql`insert into serial_events (company_id, serial_id, seq, kind, day, document_id, customer_id,
      move_id, note, user_id)
    select ${ctx.companyId}, x.id,
      coalesce((select max(e.seq) from serial_events e where e.company_id = ${ctx.companyId}
      and e.serial_id = x.id), 0) + 1, ${kind}, ${day}, ${more.documentId ?? null}::uuid,
      ${more.customerId ?? null}::uuid, ${more.moveId ?? null}::uuid, ${more.note ?? ''}, ${by}::uuid
      from unnest(${[...ids]}::uuid[]) x (id)`.execute(ctx.tx)
}

export async function receive(ctx: Ctx, input: In<typeof calls.receiveSerials>): Promise<{ done: number }> {
  await serialItem(ctx, input.itemId)
  const day = dayOf(ctx, input.day)
  const placeId = input.expected ? null : await checkPlace(ctx, 'placeId', input.placeId)
  if (input.documentId) {
    const { rows } = await sql`select 1 from document_lines l join documents d on d.company_id = l.company_id
          and d.id = l.document_id and ${takesGoodsIn('d')} and ${isLive('d')}
      where l.company_id = ${ctx.companyId} and l.document_id = ${input.documentId}
        and l.item_id = ${input.itemId} limit 1`.execute(ctx.tx)
    if (!rows.length) throw failField('documentId', 'fields.ref')
  }
  wrong(twice(input.numbers))
  const known = await hold(ctx, input.itemId, input.numbers)
  // Expected units are confirmed, and units here without a document get the one they came with; what is known otherwise
  // is reported as it is.
  const lacksPaper = (held: Held) =>
    input.documentId !== undefined &&
    held.inDocumentId === null &&
    (held.state === 'inStock' || held.state === 'returned')
  wrong(
    input.numbers.flatMap((number, i) => {
      const held = known.get(number.toLowerCase())
      return held && (input.expected || (held.state !== 'expected' && !lacksPaper(held)))
        ? [{ path: `numbers.${i}`, code: 'stock.serialTaken', params: { number: held.number } }]
        : []
    }),
  )
  const fresh = input.numbers
    .filter((number) => !known.has(number.toLowerCase()))
    .map((number) => ({ id: newId(), number }))
  await sql`insert into serials (company_id, id, item_id, number, state, place_id, in_document_id, in_day)
    select ${ctx.companyId}, x.id, ${input.itemId}, x.number, ${input.expected ? 'expected' : 'inStock'},
      ${placeId}::uuid, ${input.documentId ?? null}::uuid, ${input.expected ? null : day}::date
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) x (id uuid, number text)`.execute(ctx.tx)
  const ticked = [...known.values()].filter(({ state }) => state === 'expected').map(({ id }) => id)
  const here = [...known.values()].filter(({ state }) => state !== 'expected').map(({ id }) => id)
  if (here.length)
    await sql`update serials set in_document_id = ${input.documentId!}, updated_at = now()
      where company_id = ${ctx.companyId} and id = any(${here}::uuid[])`.execute(ctx.tx)
  if (ticked.length)
    await sql`update serials set state = 'inStock', place_id = ${placeId},
        in_document_id = ${input.documentId ?? null}, in_day = ${day}, updated_at = now()
      where company_id = ${ctx.companyId} and id = any(${ticked}::uuid[])`.execute(ctx.tx)
  await tell(
    ctx,
    [...fresh.map(({ id }) => id), ...ticked, ...here],
    input.expected ? 'expected' : 'received',
    day,
    {
      documentId: input.documentId,
      note: input.note,
    },
  )
  await ctx.audit('serials.receive', 'items', input.itemId, undefined, {
    count: input.numbers.length,
    expected: input.expected,
  })
  return { done: input.numbers.length }
}

export async function issue(ctx: Ctx, input: In<typeof calls.issueSerials>): Promise<{ done: number }> {
  await serialItem(ctx, input.itemId)
  const { rows } = await sql<{
    day: Day
    customerId: string | null
    quantity: number
    given: number
  }>`select d.day, d.customer_id as "customerId", sum(l.quantity)::float8 as quantity,
      (select count(*) from serials s where s.company_id = d.company_id and s.out_document_id = d.id
      and s.item_id = ${input.itemId})::int as given
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id
      and l.item_id = ${input.itemId}
    where d.company_id = ${ctx.companyId} and d.id = ${input.documentId} and ${suppliesGoods('d')}
      and ${isLive('d')} group by d.company_id, d.id, d.day, d.customer_id`.execute(ctx.tx)
  const [paper] = rows
  if (!paper) throw failField('documentId', 'fields.ref')
  if (paper.given + input.numbers.length > paper.quantity)
    throw failField('numbers', 'stock.serialTooMany', { count: Math.max(0, paper.quantity - paper.given) })
  wrong(twice(input.numbers))
  const held = await hold(ctx, input.itemId, input.numbers)
  wrong(notHere(input.numbers, held, ({ state }) => state === 'inStock' || state === 'returned'))
  const ids = [...held.values()].map(({ id }) => id)
  await sql`update serials set state = 'sold', place_id = null, out_document_id = ${input.documentId},
      out_day = ${paper.day}, customer_id = ${paper.customerId},
      warranty_until = ${input.warrantyMonths ? addMonths(paper.day, input.warrantyMonths) : null},
      updated_at = now() where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(ctx.tx)
  await tell(ctx, ids, 'sold', paper.day, {
    documentId: input.documentId,
    customerId: paper.customerId,
    note: input.note,
  })
  await ctx.audit('serials.issue', 'documents', input.documentId, undefined, {
    count: ids.length,
    itemId: input.itemId,
  })
  return { done: ids.length }
}

const notHere = (
  numbers: readonly string[],
  held: ReadonlyMap<string, Held>,
  may: (one: Held) => boolean,
  at = 'numbers',
): FieldError[] =>
  numbers.flatMap((number, i) => {
    const one = held.get(number.toLowerCase())
    if (!one) return [{ path: `${at}.${i}`, code: 'stock.serialUnknown', params: { number } }]
    return may(one)
      ? []
      : [{ path: `${at}.${i}`, code: 'stock.serialNotHere', params: { number: one.number } }]
  })

const mayBecome: Readonly<Record<In<typeof calls.moveSerials>['to'], readonly Serial['state'][]>> = {
  returned: ['sold'],
  scrapped: ['inStock', 'returned'],
  missing: ['inStock', 'returned', 'expected'],
  found: ['missing'],
  moved: ['inStock', 'returned'],
}

export async function move(
  ctx: Ctx,
  { itemId, numbers, to, day, placeId, note }: In<typeof calls.moveSerials>,
): Promise<{ done: number }> {
  const { stocked } = await serialItem(ctx, itemId)
  const on = dayOf(ctx, day)
  if (to === 'moved' && !placeId) throw failField('placeId', 'fields.need')
  const place =
    to === 'returned' || to === 'found' || to === 'moved' ? await checkPlace(ctx, 'placeId', placeId) : null
  wrong(twice(numbers))
  const held = await hold(ctx, itemId, numbers)
  wrong(notHere(numbers, held, (one) => mayBecome[to].includes(one.state) && !one.onTheWay))
  const units = [...held.values()]
  // What is lost or scrapped is not there in the books either; what had never come, no book knows of.
  const from = (one: Held) =>
    !stocked
      ? null
      : to === 'found'
        ? one.booked
          ? place
          : null
        : to === 'moved' || to === 'returned'
          ? null
          : one.placeId
  for (const at of new Set(units.map(from))) {
    const of = units.filter((one) => from(one) === at)
    const moveId =
      at === null
        ? undefined
        : await bookUnits(ctx, itemId, at, (to === 'found' ? 1 : -1) * of.length, on, to, note)
    await tell(
      ctx,
      of.map(({ id }) => id),
      to,
      on,
      { note, moveId },
    )
  }
  // The previous customer is in its history; it belongs to nobody now.
  await sql`update serials set state = case ${to} when 'found' then 'inStock' when 'moved' then state
      else ${to} end, place_id = ${place}, updated_at = now(), customer_id = case
      when ${to} = 'returned' then null else customer_id end,
      out_document_id = case when ${to} = 'returned' then null else out_document_id end
      where company_id = ${ctx.companyId} and id = any(${units.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
  await ctx.audit('serials.move', 'items', itemId, undefined, { count: units.length, to })
  return { done: units.length }
}

async function bookUnits(
  ctx: Ctx,
  itemId: string,
  placeId: string,
  count: number,
  day: Day,
  to: Kind,
  note: string,
): Promise<string> {
  const [id] = await moveStock(ctx, [
    {
      itemId,
      placeId,
      quantity: count * 10_000,
      kind: 'adjust',
      day: await dayFor(ctx, day),
      causeId: newId(),
      reason: note || say(ctx.caller.language, `serials.kind.${to}`),
      path: 'numbers',
    },
  ])
  return id!
}

/** The units that go with a transfer: they lie where it begins. */
export async function unitsAt(
  ctx: Ctx,
  {
    itemId,
    numbers,
    placeId,
    quantity,
    at,
  }: { itemId: string; numbers: readonly string[]; placeId: string; quantity: number; at: string },
): Promise<string[]> {
  if (!numbers.length) return []
  await serialItem(ctx, itemId)
  if (numbers.length * 10_000 > quantity)
    throw failField(at, 'stock.moreUnits', { count: Math.floor(quantity / 10_000) })
  wrong(twice(numbers, at))
  const held = await hold(ctx, itemId, numbers)
  wrong(
    notHere(
      numbers,
      held,
      (one) => (one.state === 'inStock' || one.state === 'returned') && one.placeId === placeId,
      at,
    ),
  )
  return [...held.values()].map(({ id }) => id)
}

/** Units lie in another place now, with the movement that brought them there. */
export async function putUnits(
  ctx: Ctx,
  ids: readonly string[],
  placeId: string,
  day: Day,
  moveId: string,
  note: string,
): Promise<void> {
  await sql`update serials set place_id = ${placeId}, updated_at = now() where company_id = ${ctx.companyId}
      and id = any(${[...ids]}::uuid[])`.execute(ctx.tx)
  await tell(ctx, ids, 'moved', day, { moveId, note })
}

/** Units that were sent and did not arrive; the write-off of the rest posted them in the books. */
export async function loseUnits(
  ctx: Ctx,
  ids: readonly string[],
  day: Day,
  moveId: string,
  note: string,
): Promise<void> {
  await sql`update serials set state = 'missing', place_id = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::uuid[])`.execute(ctx.tx)
  await tell(ctx, ids, 'missing', day, { moveId, note })
}

/** Units on the way with a transfer: what last happened to them is that it took them along. */
export async function unitsOnTheWay(
  ctx: Ctx,
  transferId: string,
): Promise<{ id: string; itemId: string; number: string }[]> {
  const { rows } = await sql<{
    id: string
    itemId: string
    number: string
  }>`select s.id, s.item_id as "itemId", s.number from serials s ${sentWith(sql`${transferId}`)}
    where s.company_id = ${ctx.companyId} and s.state in ('inStock', 'returned') order by s.number for
    update of s`.execute(ctx.tx)
  return rows
}

/** Joins to units `s` the transfer whose goods they went with and have not arrived. */
export const sentWith = (transferId: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  join stock_places w on w.company_id = s.company_id and w.id = s.place_id and w.kind = 'transit'
  join stock_moves m on m.company_id = s.company_id and m.cause_id = ${transferId}
    and m.id = (select e.move_id from serial_events e
    where e.company_id = s.company_id and e.serial_id = s.id order by e.seq desc limit 1)`

/**
 * Where all that a paper sold of an item came back, its units came back too; which ones of a part, a person
 * says.
 */
export async function unitsReturned(ctx: Ctx, papers: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string; paper: string; day: Day }>`
    with back as (select distinct r.document_id as paper, r.day, o.document_id as source, o.item_id
    from stock_moves r
        join stock_moves o on o.company_id = r.company_id and o.id = r.reverses_id
      where r.company_id = ${ctx.companyId} and r.kind = 'return'
        and r.document_id = any(${[...papers]}::uuid[]))
    select s.id, b.paper, b.day from back b join serials s on s.company_id = ${ctx.companyId}
      and s.out_document_id = b.source and s.item_id = b.item_id and s.state = 'sold'
    where (select
      sum(o.quantity +
      coalesce((select sum(r.quantity) from stock_moves r where r.company_id = o.company_id
      and r.reverses_id = o.id), 0)) from stock_moves o
      where o.company_id = ${ctx.companyId} and o.document_id = b.source and o.item_id = b.item_id
        and o.kind = 'issue') >= 0
    order by s.id for update of s`.execute(ctx.tx)
  if (!rows.length) return
  await sql`update serials set state = 'returned', place_id = ${await mainPlace(ctx)}, out_document_id = null,
      customer_id = null, updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(ctx.tx)
  for (const { paper, day } of new Map(rows.map((row) => [row.paper, row])).values())
    await tell(
      ctx,
      rows.filter((row) => row.paper === paper).map(({ id }) => id),
      'returned',
      day,
      { documentId: paper },
    )
}

/**
 * A cancelled paper never was: what it sold is here, what it brought is only expected, and what it brought
 * back is with its customer.
 */
export async function unitsOfCancelled(ctx: Ctx, documentId: string): Promise<void> {
  const none = sql`out_document_id = null, out_day = null, customer_id = null, warranty_until = null`
  const { rows: sold } = await sql<{
    id: string
  }>`update serials set state = 'inStock', place_id = ${await mainPlace(ctx)}, ${none}, updated_at = now()
    where company_id = ${ctx.companyId} and out_document_id = ${documentId} and state = 'sold'
    returning id`.execute(ctx.tx)
  const { rows: came } = await sql<{
    id: string
  }>`update serials set state = 'expected', place_id = null, in_document_id = null, in_day = null,
      updated_at = now()
    where company_id = ${ctx.companyId} and in_document_id = ${documentId}
      and state in ('inStock', 'returned') returning id`.execute(ctx.tx)
  const { rows: back } = await sql<{
    id: string
  }>`update serials s set state = 'sold', place_id = null, out_document_id = x.document_id,
      customer_id = x.customer_id, updated_at = now()
    from serial_events e, lateral (select o.document_id, o.customer_id from serial_events o
      where o.company_id = e.company_id and o.serial_id = e.serial_id and o.kind = 'sold' and o.seq < e.seq
      order by o.seq desc limit 1) x
    where s.company_id = ${ctx.companyId} and s.state = 'returned' and e.company_id = s.company_id
      and e.serial_id = s.id and e.document_id = ${documentId} and e.kind = 'returned'
      and e.seq = (select max(y.seq) from serial_events y where y.company_id = s.company_id
      and y.serial_id = s.id) returning s.id`.execute(ctx.tx)
  await tell(
    ctx,
    [...sold, ...came, ...back].map(({ id }) => id),
    'cancelled',
    ctx.today,
    { documentId },
  )
}

const written = (prefix: string, digits: number, number: number): string =>
  `${prefix}${String(number).padStart(digits, '0')}`

const mostCounters = 500

export async function counters(ctx: Ctx, { q }: In<typeof calls.listCounters>) {
  const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<{
    itemId: string
    item: string
    sku: string | null
    prefix: string
    digits: number
    nextNumber: number
  }>`select i.id as "itemId", i.name as item, i.sku, coalesce(c.prefix, '') as prefix,
      coalesce(c.digits, 6) as digits, coalesce(c.next_number, 1) as "nextNumber"
    from items i left join serial_counters c on c.company_id = i.company_id and c.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.tracking = 'serial' and i.archived_at is null
      ${q ? sql`and (lower(i.name) like ${pattern} or lower(i.sku) like ${pattern})` : sql``}
      order by i.name, i.id limit ${mostCounters + 1}`.execute(ctx.tx)
  return {
    more: rows.length > mostCounters,
    rows: rows
      .slice(0, mostCounters)
      .map((row) => ({ ...row, next: written(row.prefix, row.digits, row.nextNumber) })),
  }
}

/** Numbers are given out under the counter's row: each once, the person who asks. */
export async function takeNumbers(
  ctx: Ctx,
  input: In<typeof calls.takeNumbers>,
): Promise<{ numbers: string[] }> {
  await serialItem(ctx, input.itemId)
  await sql`insert into serial_counters (company_id, item_id) values (${ctx.companyId}, ${input.itemId})
    on conflict do nothing`.execute(ctx.tx)
  const { rows } = await sql<{
    prefix: string
    digits: number
    next: number
  }>`update serial_counters set prefix = coalesce(${input.prefix ?? null}, prefix),
      digits = coalesce(${input.digits ?? null}::smallint, digits),
      next_number = coalesce(${input.nextNumber ?? null}::bigint, next_number) + ${input.count}
      where company_id = ${ctx.companyId} and item_id = ${input.itemId}
    returning prefix, digits, next_number - ${input.count} as next`.execute(ctx.tx)
  const { prefix, digits, next } = rows[0]!
  const numbers = Array.from({ length: input.count }, (_, i) => written(prefix, digits, Number(next) + i))
  await ctx.audit('serials.take', 'items', input.itemId, undefined, { count: input.count })
  if (input.receive && numbers.length)
    await receive(ctx, { itemId: input.itemId, numbers, expected: false, note: '' })
  return { numbers }
}
