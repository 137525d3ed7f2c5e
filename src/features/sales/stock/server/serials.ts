import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { addMonths, type Day } from '#domain/day.ts'
import { Failure, fail, failField, type FieldError } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type * as calls from '../serials.ts'
import type { Serial, serialKinds, SerialLife } from '../serials.ts'
import { checkPlace } from './commands.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>
type Kind = (typeof serialKinds)[number]

/** The paper a unit came or went with, of those whoever asks may see. */
const paper = (column: string) => sql`(select jsonb_build_object('id', d.id, 'type', d.type, 'number', d.number) from documents d
  where d.company_id = s.company_id and d.id = ${sql.ref(`s.${column}`)})`
const columns = sql`${paper('in_document_id')} as "inPaper", ${paper('out_document_id')} as "outPaper", s.id, s.number, s.item_id as "itemId", i.name as item, i.sku, s.state, p.name as place, c.name as customer, s.in_day as "inDay", s.out_day as "outDay", s.warranty_until as "warrantyUntil"`
const from = (
  ctx: Ctx,
): RawBuilder<unknown> => sql`serials s join items i on i.company_id = s.company_id and i.id = s.item_id left join stock_places p on p.company_id = s.company_id and p.id = s.place_id
  left join parties c on c.company_id = s.company_id and c.id = s.customer_id where s.company_id = ${ctx.companyId}`

export async function find(ctx: Ctx, { q, itemId }: In<typeof calls.findSerials>): Promise<{ rows: Serial[] }> {
  const typed = q.toLowerCase()
  const pattern = `%${typed.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } =
    await sql<Serial>`select ${columns} from ${from(ctx)} ${typed ? sql`and s.number_ci like ${pattern}` : sql``} ${itemId ? sql`and s.item_id = ${itemId}` : sql``}
    order by (s.number_ci = ${typed}) desc, s.updated_at desc, s.number limit 50`.execute(ctx.tx)
  return { rows }
}

export async function life(ctx: Ctx, { id }: { id: string }): Promise<SerialLife> {
  const { rows } = await sql<Serial>`select ${columns} from ${from(ctx)} and s.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: events } = await sql<
    SerialLife['events'][number]
  >`select e.kind, e.day, e.document_id as "documentId", d.type as "documentType", d.number, c.name as customer, e.note,
      (select u.full_name from users u where u.id = e.user_id) as by
    from serial_events e left join documents d on d.company_id = e.company_id and d.id = e.document_id left join parties c on c.company_id = e.company_id and c.id = e.customer_id
    where e.company_id = ${ctx.companyId} and e.serial_id = ${id} order by e.seq`.execute(ctx.tx)
  return { ...rows[0], events }
}

const dayOf = (ctx: Ctx, day: Day | undefined): Day => {
  if (day && day > ctx.today) throw failField('day', 'stock.dayAhead', { day, today: ctx.today })
  return day ?? ctx.today
}

async function serialItem(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql<{
    tracking: string
  }>`select tracking from items where company_id = ${ctx.companyId} and id = ${id} and archived_at is null for share`.execute(ctx.tx)
  if (!rows[0]) throw failField('itemId', 'fields.ref')
  if (rows[0].tracking !== 'serial') throw failField('itemId', 'stock.notSerial')
}

const wrong = (errors: FieldError[]): void => {
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
}

/** Each number that stands twice in what was scanned, by its place. */
function twice(numbers: readonly string[]): FieldError[] {
  const seen = new Set<string>()
  return numbers.flatMap((number, i) => {
    const key = number.toLowerCase()
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ path: `numbers.${i}`, code: 'stock.serialTwice', params: { number } }]
  })
}

interface Held {
  id: string
  number: string
  state: Serial['state']
}

async function hold(ctx: Ctx, itemId: string, numbers: readonly string[]): Promise<Map<string, Held>> {
  const { rows } =
    await sql<Held>`select id, number, state from serials where company_id = ${ctx.companyId} and item_id = ${itemId} and number_ci = any(${numbers.map((number) => number.toLowerCase())}::text[])
    order by id for update`.execute(ctx.tx)
  return new Map(rows.map((row) => [row.number.toLowerCase(), row]))
}

async function tell(
  ctx: Ctx,
  ids: readonly string[],
  kind: Kind,
  day: Day,
  more: { documentId?: string | undefined; customerId?: string | null; note: string },
): Promise<void> {
  const by = ctx.caller.userId.startsWith('00000000') ? null : ctx.caller.userId
  await sql`insert into serial_events (company_id, serial_id, seq, kind, day, document_id, customer_id, note, user_id)
    select ${ctx.companyId}, x.id, coalesce((select max(e.seq) from serial_events e where e.company_id = ${ctx.companyId} and e.serial_id = x.id), 0) + 1, ${kind}, ${day}, ${more.documentId ?? null}::uuid,
      ${more.customerId ?? null}::uuid, ${more.note}, ${by}::uuid from unnest(${[...ids]}::uuid[]) x (id)`.execute(ctx.tx)
}

export async function receive(ctx: Ctx, input: In<typeof calls.receiveSerials>): Promise<{ done: number }> {
  await serialItem(ctx, input.itemId)
  const day = dayOf(ctx, input.day)
  const placeId = input.expected ? null : await checkPlace(ctx, 'placeId', input.placeId)
  if (input.documentId) {
    const { rows } =
      await sql`select 1 from document_lines l join documents d on d.company_id = l.company_id and d.id = l.document_id and d.type in (4, 10, 12, 13) and d.status not in ('draft', 'cancelled')
      where l.company_id = ${ctx.companyId} and l.document_id = ${input.documentId} and l.item_id = ${input.itemId} limit 1`.execute(ctx.tx)
    if (!rows.length) throw failField('documentId', 'fields.ref')
  }
  wrong(twice(input.numbers))
  const known = await hold(ctx, input.itemId, input.numbers)
  // What was expected is ticked off; what is known otherwise is named with the number as it stands.
  wrong(
    input.numbers.flatMap((number, i) => {
      const held = known.get(number.toLowerCase())
      return held && (input.expected || held.state !== 'expected')
        ? [{ path: `numbers.${i}`, code: 'stock.serialTaken', params: { number: held.number } }]
        : []
    }),
  )
  const fresh = input.numbers.filter((number) => !known.has(number.toLowerCase())).map((number) => ({ id: newId(), number }))
  await sql`insert into serials (company_id, id, item_id, number, state, place_id, in_document_id, in_day)
    select ${ctx.companyId}, x.id, ${input.itemId}, x.number, ${input.expected ? 'expected' : 'inStock'}, ${placeId}::uuid, ${input.documentId ?? null}::uuid, ${input.expected ? null : day}::date
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) x (id uuid, number text)`.execute(ctx.tx)
  const ticked = [...known.values()].map(({ id }) => id)
  if (ticked.length)
    await sql`update serials set state = 'inStock', place_id = ${placeId}, in_document_id = ${input.documentId ?? null}, in_day = ${day}, updated_at = now()
      where company_id = ${ctx.companyId} and id = any(${ticked}::uuid[])`.execute(ctx.tx)
  await tell(ctx, [...fresh.map(({ id }) => id), ...ticked], input.expected ? 'expected' : 'received', day, {
    documentId: input.documentId,
    note: input.note,
  })
  await ctx.audit('serials.receive', 'items', input.itemId, undefined, { count: input.numbers.length, expected: input.expected })
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
      (select count(*) from serials s where s.company_id = d.company_id and s.out_document_id = d.id and s.item_id = ${input.itemId})::int as given
    from documents d join document_lines l on l.company_id = d.company_id and l.document_id = d.id and l.item_id = ${input.itemId}
    where d.company_id = ${ctx.companyId} and d.id = ${input.documentId} and d.type in (3, 8, 9) and d.status not in ('draft', 'cancelled') group by d.company_id, d.id, d.day, d.customer_id`.execute(
    ctx.tx,
  )
  const [paper] = rows
  if (!paper) throw failField('documentId', 'fields.ref')
  if (paper.given + input.numbers.length > paper.quantity)
    throw failField('numbers', 'stock.serialTooMany', { count: Math.max(0, paper.quantity - paper.given) })
  wrong(twice(input.numbers))
  const held = await hold(ctx, input.itemId, input.numbers)
  wrong(notHere(input.numbers, held, (state) => state === 'inStock' || state === 'returned'))
  const ids = [...held.values()].map(({ id }) => id)
  await sql`update serials set state = 'sold', place_id = null, out_document_id = ${input.documentId}, out_day = ${paper.day}, customer_id = ${paper.customerId},
      warranty_until = ${input.warrantyMonths ? addMonths(paper.day, input.warrantyMonths) : null}, updated_at = now() where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(
    ctx.tx,
  )
  await tell(ctx, ids, 'sold', paper.day, { documentId: input.documentId, customerId: paper.customerId, note: input.note })
  await ctx.audit('serials.issue', 'documents', input.documentId, undefined, { count: ids.length, itemId: input.itemId })
  return { done: ids.length }
}

const notHere = (numbers: readonly string[], held: ReadonlyMap<string, Held>, may: (state: Serial['state']) => boolean): FieldError[] =>
  numbers.flatMap((number, i) => {
    const one = held.get(number.toLowerCase())
    if (!one) return [{ path: `numbers.${i}`, code: 'stock.serialUnknown', params: { number } }]
    return may(one.state) ? [] : [{ path: `numbers.${i}`, code: 'stock.serialNotHere', params: { number: one.number } }]
  })

const mayBecome: Readonly<Record<In<typeof calls.moveSerials>['to'], readonly Serial['state'][]>> = {
  returned: ['sold'],
  scrapped: ['inStock', 'returned'],
  missing: ['inStock', 'returned', 'expected'],
  found: ['missing'],
}

export async function move(ctx: Ctx, { itemId, numbers, to, day, note }: In<typeof calls.moveSerials>): Promise<{ done: number }> {
  await serialItem(ctx, itemId)
  const on = dayOf(ctx, day)
  wrong(twice(numbers))
  const held = await hold(ctx, itemId, numbers)
  wrong(notHere(numbers, held, (state) => mayBecome[to].includes(state)))
  const ids = [...held.values()].map(({ id }) => id)
  const back = to === 'returned' || to === 'found' ? await checkPlace(ctx, 'placeId', undefined) : null
  await tell(ctx, ids, to, on, { note })
  // The customer of before stands in its life; it is nobody's now.
  await sql`update serials set state = ${to === 'found' ? 'inStock' : to}, place_id = ${back}, updated_at = now(), customer_id = case when ${to} = 'returned' then null else customer_id end,
      out_document_id = case when ${to} = 'returned' then null else out_document_id end where company_id = ${ctx.companyId} and id = any(${ids}::uuid[])`.execute(
    ctx.tx,
  )
  await ctx.audit('serials.move', 'items', itemId, undefined, { count: ids.length, to })
  return { done: ids.length }
}

const written = (prefix: string, digits: number, number: number): string => `${prefix}${String(number).padStart(digits, '0')}`

export async function counters(ctx: Ctx) {
  const { rows } = await sql<{
    itemId: string
    item: string
    sku: string | null
    prefix: string
    digits: number
    nextNumber: number
  }>`select i.id as "itemId", i.name as item, i.sku, coalesce(c.prefix, '') as prefix, coalesce(c.digits, 6) as digits, coalesce(c.next_number, 1) as "nextNumber"
    from items i left join serial_counters c on c.company_id = i.company_id and c.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.tracking = 'serial' and i.archived_at is null order by i.name limit 500`.execute(ctx.tx)
  return { rows: rows.map((row) => ({ ...row, next: written(row.prefix, row.digits, row.nextNumber) })) }
}

/** Numbers are given out under the counter's row: each once, whoever asks. */
export async function takeNumbers(ctx: Ctx, input: In<typeof calls.takeNumbers>): Promise<{ numbers: string[] }> {
  await serialItem(ctx, input.itemId)
  await sql`insert into serial_counters (company_id, item_id) values (${ctx.companyId}, ${input.itemId}) on conflict do nothing`.execute(
    ctx.tx,
  )
  const { rows } = await sql<{
    prefix: string
    digits: number
    next: number
  }>`update serial_counters set prefix = coalesce(${input.prefix ?? null}, prefix), digits = coalesce(${input.digits ?? null}::smallint, digits),
      next_number = coalesce(${input.nextNumber ?? null}::bigint, next_number) + ${input.count} where company_id = ${ctx.companyId} and item_id = ${input.itemId}
    returning prefix, digits, next_number - ${input.count} as next`.execute(ctx.tx)
  const { prefix, digits, next } = rows[0]!
  const numbers = Array.from({ length: input.count }, (_, i) => written(prefix, digits, Number(next) + i))
  await ctx.audit('serials.take', 'items', input.itemId, undefined, { count: input.count })
  if (input.receive && numbers.length) await receive(ctx, { itemId: input.itemId, numbers, expected: false, note: '' })
  return { numbers }
}
