import { sql } from 'kysely'
import { changedPrice, type PriceRounding } from '#domain/prices/change.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { create } from '#kit/server/described/resources.ts'
import type { LastPriceChange } from '#features/registers/items/priceChange.ts'
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
    select n.id, i.name, i.sku, n.price from price_list_lines n join items i on i.company_id = n.company_id
      and i.id = n.item_id
    where n.company_id = ${ctx.companyId} and n.list_id = ${id} and n.archived_at is null
    order by i.name, n.from_quantity`.execute(ctx.tx)
  const rule = { change: 'sum' in change ? { sum: parseDecimal4(change.sum) ?? 0 } : change, rounding }
  try {
    const changed = rows.flatMap(({ price, ...row }) => {
      const before = parseDecimal4(price)!
      const after = changedPrice(before, rule)
      return after === before
        ? []
        : [{ ...row, currency: currency ?? 'ILS', beforePrice: toText(before), afterPrice: toText(after) }]
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

/** All prices of a list at once; each one's old price is kept, so that the change can be undone. */
export async function changeLines(ctx: Ctx, wanted: WantedChange) {
  const { changed } = await workedOut(ctx, wanted)
  if (!changed.length) throw fail('items.nothingChosen')
  const id = newId()
  const { change, rounding } = wanted
  const lines = JSON.stringify(
    changed.map((one) => ({ line: one.id, before: one.beforePrice, after: one.afterPrice })),
  )
  await sql`insert into price_list_changes (company_id, id, list_id, rule, lines, created_by)
    values (${ctx.companyId}, ${id}, ${wanted.id}, ${JSON.stringify({ change, rounding })}::jsonb,
      ${changed.length}, ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`insert into price_list_change_lines (company_id, change_id, line_id, before_price, after_price)
    select ${ctx.companyId}, ${id}, line, before, after
    from jsonb_to_recordset(${lines}::jsonb) as l (line uuid, before numeric, after numeric)`.execute(ctx.tx)
  await sql`update price_list_lines n set price = l.after_price, updated_at = now()
    from price_list_change_lines l
    where l.company_id = ${ctx.companyId} and l.change_id = ${id} and n.company_id = l.company_id
      and n.id = l.line_id`.execute(ctx.tx)
  const before = changed.map((one) => ({ id: one.id, price: one.beforePrice }))
  await ctx.audit('priceLists.changeLines', 'priceLists', wanted.id, before, {
    changeId: id,
    change,
    rounding,
    changed: changed.length,
  })
  return { id, changed: changed.length }
}

/** Restores the old prices where the price is still the changed one and the line still exists. */
export async function undoLineChange(
  ctx: Ctx,
  { id, changeId }: { id: string; changeId: string },
): Promise<{ undone: number; kept: number }> {
  const { rows } = await sql<{
    lines: number
    undone: boolean
  }>`select lines, undone_at is not null as undone from price_list_changes
    where company_id = ${ctx.companyId} and id = ${changeId} and list_id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].undone) throw fail('items.alreadyUndone')
  const { rows: back } = await sql<{
    id: string
    price: string
  }>`update price_list_lines n set price = l.before_price, updated_at = now()
    from price_list_change_lines l where l.company_id = ${ctx.companyId} and l.change_id = ${changeId}
      and n.company_id = l.company_id
      and n.id = l.line_id and n.archived_at is null and n.price = l.after_price
      returning n.id, n.price`.execute(ctx.tx)
  await sql`update price_list_changes set undone_at = ${ctx.now.toISOString()}
    where company_id = ${ctx.companyId} and id = ${changeId}`.execute(ctx.tx)
  await ctx.audit('priceLists.undoLineChange', 'priceLists', id, undefined, {
    changeId,
    undone: back.length,
    prices: back,
  })
  return { undone: back.length, kept: rows[0].lines - back.length }
}

export async function lineChanges(ctx: Ctx, { id }: { id: string }) {
  await oneRow(ctx, servedLists, id)
  const { rows } = await sql<
    Omit<LastPriceChange, 'change' | 'rounding'> & { rule: Pick<LastPriceChange, 'change' | 'rounding'> }
  >`
    select c.id, c.created_at as at, u.full_name as by, c.lines as items, c.rule, c.undone_at as "undoneAt"
    from price_list_changes c
    left join users u on u.id = c.created_by where c.company_id = ${ctx.companyId} and c.list_id = ${id}
    order by c.created_at desc limit 20`.execute(ctx.tx)
  return { rows: rows.map(({ rule, ...row }) => ({ ...row, ...rule })) }
}

/** A new list with the rule and the lines of another. */
export async function copyList(
  ctx: Ctx,
  { id, name }: { id: string; name: string },
): Promise<{ id: string }> {
  const { currency, base, baseListId, changeBp, validFrom, validTo, notes } = await oneRow<PriceListRow>(
    ctx,
    servedLists,
    id,
  )
  const made = (await create(ctx, servedLists, {
    name,
    currency,
    base,
    baseListId,
    changeBp,
    validFrom,
    validTo,
    notes,
  })) as { id: string }
  const { rows } = await sql<{
    id: string
  }>`select id from price_list_lines where company_id = ${ctx.companyId} and list_id = ${id}
      and archived_at is null`.execute(ctx.tx)
  const ids = JSON.stringify(rows.map((row) => ({ old: row.id, made: newId() })))
  await sql`insert into price_list_lines (company_id, id, list_id, item_id, price, from_quantity, valid_from,
      valid_to)
    select n.company_id, m.made, ${made.id}, n.item_id, n.price, n.from_quantity, n.valid_from, n.valid_to
    from jsonb_to_recordset(${ids}::jsonb) as m (old uuid, made uuid)
    join price_list_lines n on n.company_id = ${ctx.companyId} and n.id = m.old`.execute(ctx.tx)
  return { id: made.id }
}
