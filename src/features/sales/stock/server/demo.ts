import { sql } from 'kysely'
import { addDays } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { adjust, keepParts } from './commands.ts'
import { mainPlace } from './move.ts'
import { arrive, make } from './transfers.ts'

/** Stock of a demo business: a branch and a shelf, goods that arrived and goods on the way, something that broke, and what must be ordered. */
export async function showStock(ctx: Ctx): Promise<void> {
  const { rows: items } = await sql<{
    id: string
    quantity: number
  }>`select i.id, s.quantity::float8 as quantity from items i join stock_items s on s.company_id = i.company_id and s.item_id = i.id
    where i.company_id = ${ctx.companyId} and i.is_stocked and i.archived_at is null order by s.quantity desc, i.name`.execute(ctx.tx)
  const [first, second, third, fourth] = items
  if (!first || !second || !third || !fourth) return
  const main = await mainPlace(ctx)
  const place = async (name: string, kind: string, code: string, parentId: string | null) => {
    const id = newId()
    await sql`insert into stock_places (company_id, id, kind, name, code, parent_id, folded) values (${ctx.companyId}, ${id}, ${kind}, ${name}, ${code}, ${parentId}, ${fold(`${name} ${code}`)})`.execute(
      ctx.tx,
    )
    return id
  }
  const branch = await place('סניף רמלה', 'store', 'RM', null)
  await place('מדף א׳', 'shelf', 'A1', main)
  const shelf = await place('מדף ב׳', 'shelf', 'B1', main)
  const send = (toId: string, ago: number, arrives: boolean, lines: { itemId: string; quantity: string }[], note: string) =>
    make(ctx, { fromId: main, toId, day: addDays(ctx.today, -ago), arrives, lines, note })
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
  await arrive(ctx, { id: sent.id, day: addDays(ctx.today, -11), lines: [{ itemId: second.id, quantity: '5' }], reason: 'אחד נשבר בדרך' })
  await send(branch, 1, false, [{ itemId: third.id, quantity: '4' }], 'להתקנה של מחר')
  await adjust(ctx, { id: fourth.id, quantity: '-2', day: addDays(ctx.today, -6), reason: 'נרטב במחסן', placeId: main })
  const { rows: suppliers } = await sql<{
    id: string
  }>`select id from parties where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null order by name limit 2`.execute(
    ctx.tx,
  )
  for (const [n, item] of items.entries())
    await sql`update items set minimum_quantity = ${n < 2 ? Math.ceil(item.quantity * 1.2) + 1 : 2}, order_quantity = ${n % 2 ? 12 : 10}, supplier_id = ${suppliers[n % suppliers.length]?.id ?? null}
      where company_id = ${ctx.companyId} and id = ${item.id}`.execute(ctx.tx)
  await keepParts(ctx, {
    id: fourth.id,
    madeOf: 'recipe',
    parts: [
      { itemId: first.id, quantity: '1.5' },
      { itemId: third.id, quantity: '1' },
    ],
  })
}
