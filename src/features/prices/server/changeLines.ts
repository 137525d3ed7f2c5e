import { sql } from 'kysely'
import { changedPrice, type PriceRounding } from '../../../domain/prices/change.ts'
import { parseDecimal4, toText } from '../../../domain/quantity.ts'
import { failField } from '../../../kit/describe/errors.ts'
import { newId, type Ctx } from '../../../kit/server/context.ts'
import { oneRow } from '../../../kit/server/lists.ts'
import { create } from '../../../kit/server/resources.ts'
import type { PriceListRow } from '../priceLists.ts'
import { servedLists } from './lists.ts'

interface WantedChange {
  id: string
  change: { basisPoints: number } | { sum: string }
  rounding: PriceRounding
}

async function workedOut(ctx: Ctx, { id, change, rounding }: WantedChange) {
  const { currency } = await oneRow<PriceListRow>(ctx, servedLists, id)
  const { rows } = await sql<{ id: string; name: string; sku: string | null; price: string }>`
    select n.id, i.name, i.sku, n.price from price_list_lines n join items i on i.company_id = n.company_id and i.id = n.item_id
    where n.company_id = ${ctx.companyId} and n.list_id = ${id} and n.archived_at is null order by i.name, n.from_quantity`.execute(ctx.tx)
  const rule = { change: 'sum' in change ? { sum: parseDecimal4(change.sum) ?? 0 } : change, rounding }
  try {
    const changed = rows.flatMap(({ price, ...row }) => {
      const before = parseDecimal4(price)!
      const after = changedPrice(before, rule)
      return after === before ? [] : [{ ...row, currency: currency ?? 'ILS', beforePrice: toText(before), afterPrice: toText(after) }]
    })
    return { count: rows.length, changed }
  } catch (e) {
    if (e instanceof RangeError) throw failField('change', 'fields.range')
    throw e
  }
}

export async function previewLines(ctx: Ctx, wanted: WantedChange) {
  const { count, changed } = await workedOut(ctx, wanted)
  return { count, changed: changed.length, rows: changed.slice(0, 200) }
}

/** All prices of a list at once. The old ones stand in the audit. */
export async function changeLines(ctx: Ctx, wanted: WantedChange) {
  const { changed } = await workedOut(ctx, wanted)
  const lines = JSON.stringify(changed.map(({ id, afterPrice }) => ({ id, price: afterPrice })))
  await sql`update price_list_lines n set price = l.price, updated_at = now() from jsonb_to_recordset(${lines}::jsonb) as l (id uuid, price numeric)
    where n.company_id = ${ctx.companyId} and n.id = l.id`.execute(ctx.tx)
  const before = changed.map(({ id, beforePrice }) => ({ id, price: beforePrice }))
  const { change, rounding } = wanted
  await ctx.audit('priceLists.changeLines', 'priceLists', wanted.id, before, { change, rounding, changed: changed.length })
  return { changed: changed.length }
}

/** A new list with the rule and the lines of another. */
export async function copyList(ctx: Ctx, { id, name }: { id: string; name: string }): Promise<{ id: string }> {
  const { currency, base, baseListId, changeBp, validFrom, validTo, notes } = await oneRow<PriceListRow>(ctx, servedLists, id)
  const made = (await create(ctx, servedLists, { name, currency, base, baseListId, changeBp, validFrom, validTo, notes })) as { id: string }
  const { rows } = await sql<{
    id: string
  }>`select id from price_list_lines where company_id = ${ctx.companyId} and list_id = ${id} and archived_at is null`.execute(ctx.tx)
  const ids = JSON.stringify(rows.map((row) => ({ old: row.id, made: newId() })))
  await sql`insert into price_list_lines (company_id, id, list_id, item_id, price, from_quantity, valid_from, valid_to)
    select n.company_id, m.made, ${made.id}, n.item_id, n.price, n.from_quantity, n.valid_from, n.valid_to
    from jsonb_to_recordset(${ids}::jsonb) as m (old uuid, made uuid) join price_list_lines n on n.company_id = ${ctx.companyId} and n.id = m.old`.execute(
    ctx.tx,
  )
  return { id: made.id }
}
