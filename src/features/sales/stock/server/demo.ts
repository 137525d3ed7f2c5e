import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isIssued, suppliesGoods } from '#kit/server/data/documentFacts.ts'
import { adjust, keepParts } from './commands.ts'
import { approve, begin, enter } from './counts.ts'
import { mainPlace } from './move.ts'
import { issue, receive, takeNumbers } from './serials.ts'
import { arrive, make } from './transfers.ts'

const press = (ctx: Ctx, itemId: string, placeId: string, quantity: string) => ({
  clientId: newId(),
  itemId,
  placeId,
  quantity,
  round: 1 as const,
  note: '',
  countedAt: ctx.now.toISOString(),
})

/**
 * Stock of a demo business: a branch and a shelf, goods that arrived and goods on the way, something that
 * broke, and what must be ordered.
 */
export async function showStock(ctx: Ctx): Promise<void> {
  const { rows: items } = await sql<{
    id: string
    quantity: number
  }>`select i.id, s.quantity::float8 as quantity from items i
    join stock_items s on s.company_id = i.company_id and s.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.is_stocked and i.archived_at is null
    order by s.quantity desc, i.name`.execute(ctx.tx)
  const [first, second, third, fourth] = items
  if (!first || !second || !third || !fourth) return
  const main = await mainPlace(ctx)
  const place = async (name: string, kind: string, code: string, parentId: string | null) => {
    const id = newId()
    await sql`insert into stock_places (company_id, id, kind, name, code, parent_id, folded)
      values (${ctx.companyId}, ${id}, ${kind}, ${name}, ${code}, ${parentId},
        ${fold(`${name} ${code}`)})`.execute(ctx.tx)
    return id
  }
  const branch = await place('סניף רמלה', 'store', 'RM', null)
  await place('מדף א׳', 'shelf', 'A1', main)
  const shelf = await place('מדף ב׳', 'shelf', 'B1', main)
  const send = (
    toId: string,
    ago: number,
    arrives: boolean,
    lines: { itemId: string; quantity: string }[],
    note: string,
  ) =>
    make(ctx, {
      fromId: main,
      toId,
      day: addDays(ctx.today, -ago),
      arrives,
      lines: lines.map((line) => ({ ...line, numbers: [] })),
      note,
    })
  await send(shelf, 40, true, [{ itemId: first.id, quantity: '40' }], 'סידור המדפים')
  const sent = await send(
    branch,
    12,
    false,
    [
      { itemId: first.id, quantity: '20' },
      { itemId: second.id, quantity: '6' },
    ],
    'חידוש מלאי לסניף',
  )
  await arrive(ctx, {
    id: sent.id,
    day: addDays(ctx.today, -11),
    lines: [{ itemId: second.id, quantity: '5', missing: [] }],
    reason: 'אחד נשבר בדרך',
  })
  await send(branch, 1, false, [{ itemId: third.id, quantity: '4' }], 'להתקנה של מחר')
  await adjust(ctx, {
    id: fourth.id,
    quantity: '-2',
    day: addDays(ctx.today, -6),
    reason: 'נרטב במחסן',
    placeId: main,
  })
  const { rows: suppliers } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null
    order by name limit 2`.execute(ctx.tx)
  for (const [n, item] of items.entries())
    await sql`update items set minimum_quantity = ${n < 2 ? Math.ceil(item.quantity * 1.2) + 1 : 2},
        order_quantity = ${n % 2 ? 12 : 10}, supplier_id = ${suppliers[n % suppliers.length]?.id ?? null}
      where company_id = ${ctx.companyId} and id = ${item.id}`.execute(ctx.tx)
  // A stock-taking that was approved, one that goes on, and units known one by one.
  const shelfCount = await begin(ctx, { name: 'ספירת מדפים', placeId: shelf, isBlind: true })
  await enter(ctx, { id: shelfCount.id, entries: [press(ctx, first.id, shelf, '38')] })
  await approve(ctx, { id: shelfCount.id, uncounted: 'leave' })
  const running = await begin(ctx, { name: 'ספירה חודשית', isBlind: true })
  await enter(ctx, {
    id: running.id,
    entries: items
      .slice(0, 3)
      .map((item) => press(ctx, item.id, main, String(Math.max(0, Math.round(item.quantity) - 70)))),
  })
  const fifth = items[4]
  if (fifth) {
    await sql`update items set tracking = 'serial' where company_id = ${ctx.companyId}
        and id = ${fifth.id}`.execute(ctx.tx)
    const { numbers } = await takeNumbers(ctx, {
      itemId: fifth.id,
      prefix: 'SN-',
      digits: 5,
      nextNumber: 1042,
      count: 6,
      receive: false,
    })
    await receive(ctx, {
      itemId: fifth.id,
      numbers: numbers.slice(0, 5),
      expected: false,
      day: addDays(ctx.today, -30),
      note: '',
    })
    await receive(ctx, { itemId: fifth.id, numbers: numbers.slice(5), expected: true, note: '' })
    const { rows: sales } = await sql<{
      id: string
    }>`select d.id from documents d join document_lines l on l.company_id = d.company_id
        and l.document_id = d.id
      where d.company_id = ${ctx.companyId} and l.item_id = ${fifth.id} and ${suppliesGoods('d')}
        and ${isIssued('d')} and l.quantity >= 2 order by d.day desc, d.id limit 1`.execute(ctx.tx)
    if (sales[0])
      await issue(ctx, {
        documentId: sales[0].id,
        itemId: fifth.id,
        numbers: numbers.slice(0, 2),
        warrantyMonths: 12,
        note: '',
      })
  }
  await keepParts(ctx, {
    id: fourth.id,
    madeOf: 'recipe',
    parts: [
      { itemId: first.id, quantity: '1.5' },
      { itemId: third.id, quantity: '1' },
    ],
  })
}
