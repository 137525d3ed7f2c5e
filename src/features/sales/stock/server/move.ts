import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { credit, debit, type Posting } from '#domain/ledger/entry.ts'
import { toText, type Decimal4 } from '#domain/quantity.ts'
import { move, revalue, type Costing, type Held, type Layer } from '#domain/stock/cost.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import { databaseFailures } from '#kit/server/contract/failures.ts'
import { byOf, newId, type Ctx } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { accountIds, postAll } from '#features/base/ledger/server/index.ts'
import type { MoveKind } from '../endpoints.ts'

databaseFailures.PK270 = () => fail('stock.stays')

/** The batch of what has none. */
export const noBatch = '00000000-0000-0000-0000-000000000000'

/** One movement that is wanted, in the item's own unit. */
export interface Wanted {
  itemId: string
  /** The main warehouse where absent. */
  placeId?: string | undefined
  /** Without one, what goes is taken of the batch that expires first. */
  batchId?: string | undefined
  /** Came above zero, went below it; zero for a sum alone. */
  quantity: Decimal4
  kind: MoveKind
  day: Day
  /** What belongs together. */
  causeId: string
  /** The value of what arrived, or of what is reversed. */
  worth?: number | undefined
  /** A sum on what is there, with a quantity of zero. */
  revaluesBy?: number | undefined
  /** The arrival that is reversed. */
  undoes?: Pick<Layer, 'day' | 'seq'> | undefined
  /** Only from place to place: nothing comes or goes. */
  within?: boolean
  documentId?: string | undefined
  line?: number | undefined
  reversesId?: string | undefined
  reason?: string | undefined
  /** The path of the input a refusal names. */
  path?: string | undefined
}

export interface Settings {
  refusesBelowZero: boolean
  costing: Costing
  perpetual: boolean
  reserveDays: number | null
}

export async function settingsOf(ctx: Ctx): Promise<Settings> {
  const { rows } = await sql<Settings>`select refuses_below_zero as "refusesBelowZero", costing, perpetual,
        reserve_days as "reserveDays" from stock_settings
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0] ?? { refusesBelowZero: false, costing: 'average', perpetual: false, reserveDays: null }
}

interface Item extends Omit<Held, 'value'> {
  value: number
  id: string
  name: string
  tracking: 'none' | 'batch' | 'serial'
  said: { agorot: number; of: Decimal4 }
  seq: number
  before: readonly Layer[]
}

interface Row {
  item_id: string
  seq: number
  id: string
  cause_id: string
  kind: MoveKind
  day: Day
  place_id: string
  batch_id: string
  quantity: string
  value_agorot: number
  guessed: boolean
  left_quantity: string
  left_agorot: number
  document_id: string | null
  line: number | null
  reverses_id: string | null
  entry_id: string | null
  reason: string
}

/**
 * Moves stock: the only writer of the ledger. It takes the row of each item, in the order of their ids, and
 * holds it to the end of the transaction: who sells the last piece makes the other one wait, and then there
 * is none. Values, corrections and, where the business keeps perpetual stock, the entries in the books come
 * with it. Answers the ids of what it wrote, in the order it was wanted.
 */
export async function moveStock(ctx: Ctx, wanted: readonly Wanted[]): Promise<string[]> {
  if (!wanted.length) return []
  const settings = await settingsOf(ctx)
  const items = await holdItems(
    ctx,
    [...new Set(wanted.map((one) => one.itemId))].toSorted(),
    settings.costing,
  )
  const main = wanted.some((one) => !one.placeId) ? await mainPlace(ctx) : ''
  const hand = await onHand(ctx, [...items.keys()])
  const [rows, written]: [Row[], string[]] = [[], []]
  for (const one of wanted) {
    const item = items.get(one.itemId)
    if (!item) throw fail('kit.notFound')
    const placeId = one.placeId ?? main
    const first = rows.length
    for (const part of batchesFor(item, placeId, one, hand, ctx.today))
      write(ctx, rows, item, placeId, one, part, settings)
    if (rows[first]) written.push(rows[first].id)
  }
  if (settings.refusesBelowZero) refuseBelow(wanted, rows, items, hand, ctx.today)
  await keep(ctx, rows, items, hand, settings)
  return written
}

/** Locks what is left of each item, in one order for all. */
async function holdItems(ctx: Ctx, ids: readonly string[], costing: Costing): Promise<Map<string, Item>> {
  await sql`insert into stock_items (company_id, item_id) select company_id, id from items
    where company_id = ${ctx.companyId} and id = any(${[...ids]}::uuid[])
    order by id on conflict do nothing`.execute(ctx.tx)
  const { rows } = await sql<{
    id: string
    name: string
    tracking: Item['tracking']
    quantity: number
    value: number
    agorot: number
    of: number
    said: number
    seq: number
  }>`select s.item_id as id, i.name, i.tracking, (s.quantity * 10000)::bigint as quantity,
      s.value_agorot as value, s.last_cost_agorot as agorot, (s.last_cost_of * 10000)::bigint as of,
      case when i.currency = 'ILS' then round(coalesce(i.cost, 0) * 10000)::bigint else 0 end as said,
      s.last_seq as seq
    from stock_items s join items i on i.company_id = s.company_id and i.id = s.item_id
    where s.company_id = ${ctx.companyId} and s.item_id = any(${[...ids]}::uuid[]) order by s.item_id for
    update of s`.execute(ctx.tx)
  const layers = new Map<string, Layer[]>()
  if (costing === 'fifo') {
    const found = await sql<
      Layer & { itemId: string }
    >`select item_id as "itemId", day, seq, (quantity * 10000)::bigint as quantity, value_agorot as value
      from stock_layers
      where company_id = ${ctx.companyId} and item_id = any(${[...ids]}::uuid[])
      order by item_id, day, seq`.execute(ctx.tx)
    for (const { itemId, ...layer } of found.rows) layers.set(itemId, [...(layers.get(itemId) ?? []), layer])
  }
  return new Map(
    rows.map(({ id, name, tracking, quantity, value, agorot, of, said, seq }) => [
      id,
      // A card says shekels with four decimals: a unit's cost in agorot for a hundred units, never rounded.
      {
        id,
        name,
        tracking,
        quantity,
        value,
        last: { agorot, of },
        said: { agorot: said, of: 1_000_000 },
        seq,
        layers: layers.get(id) ?? [],
        before: layers.get(id) ?? [],
      },
    ]),
  )
}

interface Hand {
  itemId: string
  placeId: string
  batchId: string
  expires: Day | null
  number: string | null
  quantity: Decimal4
}

const keyOf = (one: Pick<Hand, 'itemId' | 'placeId' | 'batchId'>): string =>
  `${one.itemId} ${one.placeId} ${one.batchId}`

/** What lies where. Under the item's row nobody else changes it. */
async function onHand(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Hand>> {
  const { rows } =
    await sql<Hand>`select h.item_id as "itemId", h.place_id as "placeId", h.batch_id as "batchId", b.expires,
        b.number, (h.quantity * 10000)::bigint as quantity
    from stock_on_hand h left join stock_batches b on b.company_id = h.company_id and b.id = h.batch_id
    where h.company_id = ${ctx.companyId} and h.item_id = any(${[...ids]}::uuid[])`.execute(ctx.tx)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** First expired, first out: what went is of the batches that are still good, the rest of none. */
function batchesFor(
  item: Item,
  placeId: string,
  { quantity, batchId, kind }: Wanted,
  hand: ReadonlyMap<string, Hand>,
  today: Day,
): { batchId: string; quantity: Decimal4 }[] {
  if (batchId || item.tracking !== 'batch' || quantity >= 0 || kind === 'count')
    return [{ batchId: batchId ?? noBatch, quantity }]
  const good = [...hand.values()]
    .filter(
      (one) =>
        one.itemId === item.id && one.placeId === placeId && one.batchId !== noBatch && one.quantity > 0,
    )
    .filter((one) => one.expires === null || one.expires >= today)
    .toSorted((a, b) =>
      (a.expires ?? '9999') + (a.number ?? '') < (b.expires ?? '9999') + (b.number ?? '') ? -1 : 1,
    )
  const parts: { batchId: string; quantity: Decimal4 }[] = []
  let missing = -quantity
  for (const one of good) {
    const part = Math.min(missing, one.quantity)
    if (part > 0) parts.push({ batchId: one.batchId, quantity: -part })
    missing -= part
  }
  return missing > 0 ? [...parts, { batchId: noBatch, quantity: -missing }] : parts
}

/** Values one movement and adds its row; a correction is a separate row, on the day it became known. */
function write(
  ctx: Ctx,
  rows: Row[],
  item: Item,
  placeId: string,
  one: Wanted,
  part: { batchId: string; quantity: Decimal4 },
  { costing }: Settings,
): void {
  const add = (more: Pick<Row, 'kind' | 'day' | 'value_agorot' | 'guessed'> & { quantity: Decimal4 }) =>
    rows.push({
      item_id: item.id,
      seq: ++item.seq,
      id: newId(),
      cause_id: one.causeId,
      place_id: placeId,
      batch_id: part.batchId,
      document_id: one.documentId ?? null,
      line: one.line ?? null,
      reverses_id: one.reversesId ?? null,
      entry_id: null,
      reason: one.reason ?? '',
      left_quantity: toText(item.quantity),
      left_agorot: item.value,
      ...more,
      quantity: toText(more.quantity),
    })
  const shared = { kind: one.kind, day: one.day }
  if (one.revaluesBy !== undefined) {
    if (item.quantity <= 0 || item.value + one.revaluesBy < 0)
      throw new Failure('kit.badInput', {}, [
        { path: one.path ?? '', code: 'stock.nothingThere', params: { item: item.name } },
      ])
    Object.assign(item, revalue(item, one.revaluesBy))
    add({ ...shared, quantity: 0, value_agorot: one.revaluesBy, guessed: false })
    return
  }
  if (one.within) {
    add({ ...shared, quantity: part.quantity, value_agorot: 0, guessed: false })
    return
  }
  const share =
    one.worth === undefined || part.quantity === one.quantity
      ? one.worth
      : Math.round((one.worth * part.quantity) / one.quantity)
  const step = { day: one.day, seq: item.seq + 1, quantity: part.quantity, worth: share, undoes: one.undoes }
  const { held, value, guessed, correction } = move(item, step, costing, item.said)
  // The row of the movement itself is left without the correction, which is the next row.
  Object.assign(item, held, { value: held.value - correction })
  add({ ...shared, quantity: part.quantity, value_agorot: value, guessed })
  if (!correction) return
  item.value = held.value
  add({ kind: 'revalue', day: ctx.today, quantity: 0, value_agorot: correction, guessed: false })
}

/** Where it is refused, nothing that went may leave less than nothing where it went from. */
function refuseBelow(
  wanted: readonly Wanted[],
  rows: readonly Row[],
  items: ReadonlyMap<string, Item>,
  hand: ReadonlyMap<string, Hand>,
  today: Day,
): void {
  const changes = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf({ itemId: row.item_id, placeId: row.place_id, batchId: row.batch_id })
    changes.set(key, (changes.get(key) ?? 0) + Math.round(Number(row.quantity) * 10_000))
  }
  for (const [key, change] of changes) {
    const before = hand.get(key)?.quantity ?? 0
    if (change >= 0 || before + change >= 0) continue
    const [itemId] = key.split(' ')
    const of = wanted.find((one) => one.itemId === itemId && one.quantity < 0)
    const path = of?.path ?? 'lines'
    const expired = lapsed(of, key, hand, today)
    if (expired)
      throw new Failure('kit.badInput', {}, [
        { path, code: 'stock.batchExpired', params: { batch: expired.number ?? '', day: expired.expires! } },
      ])
    throw new Failure('kit.badInput', {}, [
      {
        path,
        code: 'stock.notEnough',
        params: { item: items.get(itemId!)!.name, left: toText(Math.max(0, before)) },
      },
    ])
  }
}

const givesOut: ReadonlySet<MoveKind> = new Set(['issue', 'transfer', 'produce'])

/**
 * What is missing where goods are given out lies there, in a batch that expired: the one that did first.
 * The person who scraps it names it.
 */
function lapsed(
  of: Wanted | undefined,
  key: string,
  hand: ReadonlyMap<string, Hand>,
  today: Day,
): Hand | undefined {
  const [itemId, placeId, batchId] = key.split(' ')
  if (!of || !givesOut.has(of.kind) || batchId !== noBatch) return undefined
  return [...hand.values()]
    .filter(
      (one) =>
        one.itemId === itemId &&
        one.placeId === placeId &&
        one.quantity > 0 &&
        one.expires !== null &&
        one.expires < today,
    )
    .toSorted((a, b) => (a.expires! < b.expires! ? -1 : 1))[0]
}

async function keep(
  ctx: Ctx,
  rows: Row[],
  items: ReadonlyMap<string, Item>,
  hand: ReadonlyMap<string, Hand>,
  settings: Settings,
): Promise<void> {
  const entries = settings.perpetual ? await entriesFor(ctx, rows) : []
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  const by = byOf(ctx)
  await sql`insert into stock_moves (company_id, item_id, seq, id, cause_id, kind, day, place_id, batch_id,
      quantity, value_agorot, guessed, left_quantity, left_agorot, document_id, line, reverses_id, entry_id,
      reason, user_id, at)
    select ${ctx.companyId}, m.item_id, m.seq, m.id, m.cause_id, m.kind, m.day, m.place_id, m.batch_id,
      m.quantity, m.value_agorot, m.guessed, m.left_quantity, m.left_agorot, m.document_id, m.line,
      m.reverses_id, m.entry_id, m.reason, ${by}::uuid, now()
    from jsonb_populate_recordset(null::stock_moves, ${json(rows)}) m`.execute(ctx.tx)
  const moved = [...items.values()].filter((item) => rows.some((row) => row.item_id === item.id))
  const last = (id: string) =>
    rows.filter((row) => row.item_id === id).reduce((day, row) => (row.day > day ? row.day : day), '')
  await sql`update stock_items s set quantity = m.quantity, value_agorot = m.value_agorot,
      last_cost_agorot = m.last_cost_agorot, last_cost_of = m.last_cost_of, last_seq = m.last_seq,
      last_day = greatest(s.last_day, m.last_day)
    from jsonb_populate_recordset(null::stock_items, ${json(
      moved.map((one) => ({
        item_id: one.id,
        quantity: toText(one.quantity),
        value_agorot: one.value,
        last_cost_agorot: one.last.agorot,
        last_cost_of: toText(one.last.of),
        last_seq: one.seq,
        last_day: last(one.id),
      })),
    )}) m where s.company_id = ${ctx.companyId} and s.item_id = m.item_id`.execute(ctx.tx)
  const places = new Map<string, { item_id: string; place_id: string; batch_id: string; change: number }>()
  for (const row of rows) {
    const key = keyOf({ itemId: row.item_id, placeId: row.place_id, batchId: row.batch_id })
    const one = places.get(key) ?? {
      item_id: row.item_id,
      place_id: row.place_id,
      batch_id: row.batch_id,
      change: 0,
    }
    one.change += Math.round(Number(row.quantity) * 10_000)
    places.set(key, one)
  }
  const after = [...places].map(([key, { change, ...one }]) => ({
    ...one,
    quantity: toText((hand.get(key)?.quantity ?? 0) + change),
  }))
  await sql`insert into stock_on_hand as h (company_id, item_id, place_id, batch_id, quantity, may_go_below)
    select ${ctx.companyId}, m.item_id, m.place_id, m.batch_id, m.quantity, ${!settings.refusesBelowZero}
      or m.quantity < 0 from jsonb_populate_recordset(null::stock_on_hand, ${json(after)}) m
    on conflict (company_id, item_id, place_id, batch_id) do update set quantity = excluded.quantity,
      may_go_below = excluded.may_go_below`.execute(ctx.tx)
  const days = new Map<Day, number>()
  for (const row of rows) days.set(row.day, (days.get(row.day) ?? 0) + row.value_agorot)
  await sql`insert into stock_days as d (company_id, day, value_agorot) select ${ctx.companyId}, m.day,
      m.value_agorot from jsonb_populate_recordset(null::stock_days, ${json(
        [...days].map(([day, value]) => ({ day, value_agorot: value })),
      )}) m order by m.day on conflict (company_id, day) do update
  set value_agorot = d.value_agorot + excluded.value_agorot`.execute(ctx.tx)
  if (settings.costing === 'fifo') await keepLayers(ctx, moved)
  await postAll(ctx, entries)
}

async function keepLayers(ctx: Ctx, items: readonly Item[]): Promise<void> {
  const same = (one: Layer, other: Layer | undefined) =>
    other?.quantity === one.quantity && other.value === one.value
  const key = ({ day, seq }: Layer) => `${day} ${seq}`
  const [gone, changed]: [unknown[], unknown[]] = [[], []]
  for (const item of items) {
    const [before, after] = [
      new Map(item.before.map((one) => [key(one), one])),
      new Map(item.layers.map((one) => [key(one), one])),
    ]
    for (const one of item.before)
      if (!after.has(key(one))) gone.push({ item_id: item.id, day: one.day, seq: one.seq })
    for (const one of item.layers)
      if (!same(one, before.get(key(one))))
        changed.push({
          item_id: item.id,
          day: one.day,
          seq: one.seq,
          quantity: toText(one.quantity),
          value_agorot: one.value,
        })
  }
  const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`
  if (gone.length)
    await sql`delete from stock_layers l using jsonb_populate_recordset(null::stock_layers, ${json(gone)}) m
      where l.company_id = ${ctx.companyId} and l.item_id = m.item_id and l.day = m.day
        and l.seq = m.seq`.execute(ctx.tx)
  if (changed.length)
    await sql`insert into stock_layers (company_id, item_id, day, seq, quantity, value_agorot)
      select ${ctx.companyId}, m.item_id, m.day, m.seq, m.quantity, m.value_agorot
      from jsonb_populate_recordset(null::stock_layers, ${json(changed)}) m
      on conflict (company_id, item_id, day, seq) do update set quantity = excluded.quantity,
        value_agorot = excluded.value_agorot`.execute(ctx.tx)
}

/**
 * In the books stock is what the ledger says: what comes makes it more, what goes is the cost of what was
 * sold. One entry for each cause and day.
 */
async function entriesFor(ctx: Ctx, rows: readonly Row[]) {
  const sums = new Map<string, { day: Day; value: number; rows: Row[] }>()
  for (const row of rows) {
    const key = `${row.cause_id} ${row.day}`
    const one = sums.get(key) ?? { day: row.day, value: 0, rows: [] }
    one.value += row.value_agorot
    one.rows.push(row)
    sums.set(key, one)
  }
  const moved = [...sums.values()].filter(({ value }) => value !== 0)
  if (!moved.length) return []
  const accounts = await accountIds(ctx)
  return moved.map(({ day, value, rows: of }) => {
    const id = newId()
    for (const row of of) row.entry_id = id
    return { id, day, kind: 'stock', postings: postStock(value, accounts.of('stock'), stockChange(accounts)) }
  })
}

/** Where what stock came to less or more is a cost. */
export const stockChange = (accounts: Awaited<ReturnType<typeof accountIds>>): string =>
  accounts.byNumber('5090') ?? accounts.of('purchases')

export const postStock = (value: number, stock: string, change: string): Posting[] =>
  value > 0 ? [debit(stock, value), credit(change, value)] : [debit(change, -value), credit(stock, -value)]

/** The warehouse of papers; the first who moves anything makes it. */
export async function mainPlace(ctx: Ctx): Promise<string> {
  const found = async () =>
    (
      await sql<{
        id: string
      }>`select id from stock_places where company_id = ${ctx.companyId} and is_main`.execute(ctx.tx)
    ).rows[0]?.id
  const there = await found()
  if (there) return there
  const name = say(ctx.caller.language, 'stock.mainPlace')
  await sql`insert into stock_places (company_id, id, kind, name, is_main, folded)
    values (${ctx.companyId}, ${newId()}, 'store', ${name}, true, ${fold(name)})
    on conflict do nothing`.execute(ctx.tx)
  return (await found())!
}

/** Where goods are between two warehouses. */
export async function transitPlace(ctx: Ctx): Promise<string> {
  const found = async () =>
    (
      await sql<{
        id: string
      }>`select id from stock_places where company_id = ${ctx.companyId} and kind = 'transit'`.execute(ctx.tx)
    ).rows[0]?.id
  const there = await found()
  if (there) return there
  const name = say(ctx.caller.language, 'stock.onTheWay')
  await sql`insert into stock_places (company_id, id, kind, name, folded)
    values (${ctx.companyId}, ${newId()}, 'transit', ${name}, ${fold(name)})
    on conflict do nothing`.execute(ctx.tx)
  return (await found())!
}
