import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { typeFacts } from '#domain/documents/facts.ts'
import { divideRounded, timesFraction, toSafeNumber } from '#domain/money.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { followPapers } from '#features/sales/documents/server/index.ts'
import { moves } from './goods.ts'
import { moveStock, type Wanted } from './move.ts'
import { unitsOfCancelled, unitsReturned } from './serials.ts'

/** Goods of papers that were just issued move with them, in their transaction. */
export function followStock(): void {
  followPapers({
    issued: async (ctx, papers) => {
      const ids = papers
        .filter(
          ({ prepared: { type, content } }) =>
            typeFacts(type.name).movesGoods && content.lines.some((line) => line.itemId),
        )
        .map(({ id }) => id)
      if (!ids.length) return
      const wanted = await wantedBy(ctx, ids)
      await moveStock(ctx, wanted)
      if (wanted.some((one) => one.reversesId)) await unitsReturned(ctx, ids)
    },
    cancelled: async (ctx, { id, type }) => {
      if (!typeFacts(type).movesGoods) return
      await moveStock(ctx, await takenBack(ctx, id))
      await unitsOfCancelled(ctx, id)
    },
  })
}

interface Goods {
  id: string
  day: Day
  type: number
  line: number
  place: number
  itemId: string
  stocked: boolean
  madeOf: 'none' | 'kit' | 'recipe'
  moved: number
  net: number
  sourceId: string | null
  sourceLine: number | null
}

/** What papers move, kits taken apart. */
async function wantedBy(ctx: Ctx, ids: readonly string[]): Promise<Wanted[]> {
  const { rows } =
    await sql<Goods>`select m.id, m.day, m.type, m.line, array_position(${[...ids]}::uuid[], m.id) as place,
        m.item_id as "itemId", i.is_stocked as stocked, i.made_of as "madeOf",
      (m.moved * 10000)::bigint as moved, m.net::bigint as net, m.source_document_id as "sourceId",
      m.source_line as "sourceLine"
    from (${moves(ctx, { documents: ids })}) m join items i on i.company_id = ${ctx.companyId}
      and i.id = m.item_id
    where m.moved <> 0 and (i.is_stocked or i.made_of = 'kit') order by 5, m.line`.execute(ctx.tx)
  if (!rows.length) return []
  const kits = [...new Set(rows.filter((row) => row.madeOf === 'kit').map((row) => row.itemId))]
  const parts = kits.length
    ? (
        await sql<{
          itemId: string
          partId: string
          quantity: number
        }>`select p.item_id as "itemId", p.part_id as "partId", (p.quantity * 10000)::bigint as quantity
          from item_parts p join items i on i.company_id = p.company_id and i.id = p.part_id and i.is_stocked
          where p.company_id = ${ctx.companyId} and p.item_id = any(${kits}::uuid[])
          order by p.item_id, p.part_id`.execute(ctx.tx)
      ).rows
    : []
  const causes = new Map(ids.map((id) => [id, newId()]))
  const wanted = rows.flatMap((row): (Wanted & { source?: string })[] => {
    const shared = {
      kind:
        row.moved < 0
          ? ('issue' as const)
          : typeFacts(row.type).receivesGoods
            ? ('receive' as const)
            : ('return' as const),
      day: row.day,
      causeId: causes.get(row.id)!,
      documentId: row.id,
      line: row.line,
      path: `lines.${row.line - 1}.quantity`,
      ...(typeFacts(row.type).returnsGoods && row.sourceId
        ? { source: `${row.sourceId} ${row.sourceLine}` }
        : {}),
    }
    if (row.madeOf === 'kit')
      return parts
        .filter((part) => part.itemId === row.itemId)
        .map((part) => ({
          ...shared,
          itemId: part.partId,
          quantity: toSafeNumber(divideRounded(BigInt(part.quantity) * BigInt(row.moved), 10_000n)),
        }))
        .filter((one) => one.quantity !== 0)
    // A note without prices does not say that its goods are worth nothing.
    return [
      {
        ...shared,
        itemId: row.itemId,
        quantity: row.moved,
        ...(typeFacts(row.type).receivesGoods && row.moved > 0 && row.net > 0 ? { worth: row.net } : {}),
      },
    ]
  })
  return withWorth(ctx, wanted)
}

/** What comes back is worth what it went for: by parts, so that all of it together is exactly that. */
async function withWorth(ctx: Ctx, wanted: readonly (Wanted & { source?: string })[]): Promise<Wanted[]> {
  const back = wanted.filter((one) => one.source && one.quantity > 0)
  if (!back.length) return [...wanted]
  const { rows } = await sql<{
    source: string
    itemId: string
    quantity: number
    value: number
    returned: number
    first: string
  }>`
    select m.document_id || ' ' || m.line as source, m.item_id as "itemId", (-sum(m.quantity) * 10000)::bigint
      as quantity, (-sum(m.value_agorot))::bigint as value, (array_agg(m.id order by m.seq))[1] as first,
      coalesce((select sum(r.quantity) * 10000 from stock_moves r where r.company_id = ${ctx.companyId}
      and r.reverses_id = any(array_agg(m.id))), 0)::bigint as returned
    from stock_moves m where m.company_id = ${ctx.companyId}
      and m.document_id = any(${[...new Set(back.map((one) => one.source!.split(' ')[0]!))]}::uuid[])
      and m.quantity < 0 and m.kind = 'issue'
    group by m.document_id, m.line, m.item_id`.execute(ctx.tx)
  const found = new Map(rows.map((row) => [`${row.source} ${row.itemId}`, row]))
  return wanted.map(({ source, ...one }) => {
    const row = source && one.quantity > 0 ? found.get(`${source} ${one.itemId}`) : undefined
    if (!row) return one
    const upTo = (quantity: number) =>
      timesFraction(row.value, Math.min(quantity, row.quantity), row.quantity, 'halfAwayFromZero')
    const worth = upTo(row.returned + one.quantity) - upTo(row.returned)
    row.returned += one.quantity
    return { ...one, worth, reversesId: row.first }
  })
}

/** What a cancelled note moved goes back, on its own day while that is open: it never went. */
async function takenBack(ctx: Ctx, documentId: string): Promise<Wanted[]> {
  const { rows } = await sql<{
    id: string
    itemId: string
    placeId: string
    batchId: string
    day: Day
    seq: number
    quantity: number
    value: number
    line: number
    closed: boolean
  }>`
    select m.id, m.item_id as "itemId", m.place_id as "placeId", m.batch_id as "batchId", m.day, m.seq,
      (m.quantity * 10000)::bigint as quantity, m.value_agorot as value, m.line,
      exists (select 1 from locked_periods p where p.company_id = m.company_id and p.reopened_at is null
      and m.day between p.from_day and p.to_day) as closed
    from stock_moves m where m.company_id = ${ctx.companyId} and m.document_id = ${documentId}
      and m.quantity <> 0 and m.kind <> 'cancel' order by m.item_id, m.seq`.execute(ctx.tx)
  const causeId = newId()
  return rows.map((row) => ({
    itemId: row.itemId,
    placeId: row.placeId,
    batchId: row.batchId,
    quantity: -row.quantity,
    kind: 'cancel' as const,
    day: row.closed ? ctx.today : row.day,
    causeId,
    worth: Math.abs(row.value),
    ...(row.quantity > 0 ? { undoes: { day: row.day, seq: row.seq } } : {}),
    documentId,
    line: row.line,
    reversesId: row.id,
  }))
}
