import { sql } from 'kysely'
import { changedPrice, type PriceRounding, type PriceRule } from '#domain/prices/change.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { listQuery, listRows, type ListQuery } from '#kit/server/data/lists.ts'
import { parse } from '#kit/server/contract/failures.ts'
import { served } from './items.ts'

export interface WantedChange {
  ids?: string[] | undefined
  query?: Record<string, string> | undefined
  change: { basisPoints: number } | { sum: string }
  rounding: PriceRounding
}

interface Changed {
  id: string
  name: string
  sku: string | null
  currency: string
  beforePrice: string
  afterPrice: string
}

const ruleOf = ({ change, rounding }: WantedChange): PriceRule => ({
  change: 'sum' in change ? { sum: parseDecimal4(change.sum) ?? 0 } : change,
  rounding,
})

type Priced = Omit<Changed, 'beforePrice' | 'afterPrice'> & { price: string; parentId: string | null }

/** The items that are meant. A variant whose parent is meant too follows it, and is not changed twice. */
async function meant(ctx: Ctx, { ids, query }: WantedChange): Promise<Priced[]> {
  const rows: Priced[] = []
  if (ids) {
    const { rows: found } =
      await sql<Priced>`select id, name, sku, currency, price, parent_id as "parentId" from items
      where company_id = ${ctx.companyId} and archived_at is null and id = any(${ids}::uuid[])
      order by name, id`.execute(ctx.tx)
    rows.push(...found)
  } else {
    const asked = parse(listQuery, { ...query, size: 200 })
    let cursor: string | undefined
    do {
      const page = await listRows<Priced>(ctx, served, {
        ...asked,
        archived: 'false',
        ...(cursor ? { cursor } : {}),
      } as ListQuery)
      rows.push(...page.rows)
      cursor = page.nextCursor ?? undefined
      if (rows.length > 50_000) throw failField('query', 'fields.range')
    } while (cursor)
  }
  const all = new Set(rows.map(({ id }) => id))
  return rows.filter(({ parentId }) => !parentId || !all.has(parentId))
}

async function workedOut(ctx: Ctx, wanted: WantedChange): Promise<{ count: number; changed: Changed[] }> {
  const rule = ruleOf(wanted)
  const rows = await meant(ctx, wanted)
  try {
    const changed = rows.flatMap(({ id, name, sku, currency, price }) => {
      const before = parseDecimal4(price)!
      const after = changedPrice(before, rule)
      return after === before
        ? []
        : [{ id, name, sku, currency, beforePrice: toText(before), afterPrice: toText(after) }]
    })
    return { count: rows.length, changed }
  } catch (e) {
    if (e instanceof RangeError) throw failField('change', 'fields.range')
    throw e
  }
}

export async function previewPrices(ctx: Ctx, wanted: WantedChange) {
  const { count, changed } = await workedOut(ctx, wanted)
  return { count, changed: changed.length, rows: changed.slice(0, 200) }
}

/** Changes the prices, and keeps each one's old price so that the change can be undone. */
export async function changePrices(ctx: Ctx, wanted: WantedChange): Promise<{ id: string; changed: number }> {
  const { changed } = await workedOut(ctx, wanted)
  if (!changed.length) throw fail('items.nothingChosen')
  const id = newId()
  const lines = JSON.stringify(
    changed.map((one) => ({ item: one.id, before: one.beforePrice, after: one.afterPrice })),
  )
  const rule = { change: wanted.change, rounding: wanted.rounding }
  await sql`insert into price_changes (company_id, id, rule, items, created_by)
    values (${ctx.companyId}, ${id}, ${JSON.stringify(rule)}::jsonb, ${changed.length},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`insert into price_change_lines (company_id, change_id, item_id, before_price, after_price)
    select ${ctx.companyId}, ${id}, item, before, after
    from jsonb_to_recordset(${lines}::jsonb) as l (item uuid, before numeric, after numeric)`.execute(ctx.tx)
  await setPrices(ctx, id, 'after_price')
  await ctx.audit('items.changePrices', 'items', null, undefined, {
    changeId: id,
    ...rule,
    items: changed.length,
  })
  return { id, changed: changed.length }
}

/** A variant that is changed separately has another difference from its parent after that. */
const setPrices = (ctx: Ctx, id: string, to: 'before_price' | 'after_price') =>
  sql`update items i set price = l.${sql.ref(to)}, updated_at = now(),
      price_difference = case when i.parent_id is null then null
        else l.${sql.ref(to)} - (select p.price from items p where p.company_id = i.company_id
        and p.id = i.parent_id) end
    from price_change_lines l where l.company_id = ${ctx.companyId} and l.change_id = ${id}
      and i.company_id = l.company_id and i.id = l.item_id
      ${to === 'before_price' ? sql`and i.price = l.after_price` : sql``}`.execute(ctx.tx)

/** Gives the old prices back where the price is still what the change made of it. */
export async function undoPriceChange(ctx: Ctx, id: string): Promise<{ undone: number; kept: number }> {
  const { rows } = await sql<{
    items: number
    undone_at: string | null
  }>`select items, undone_at from price_changes
    where company_id = ${ctx.companyId} and id = ${id} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].undone_at) throw fail('items.alreadyUndone')
  const { numAffectedRows } = await setPrices(ctx, id, 'before_price')
  const undone = Number(numAffectedRows ?? 0)
  await sql`update price_changes set undone_at = ${ctx.now.toISOString()} where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('items.undoPriceChange', 'items', null, undefined, { changeId: id, undone })
  return { undone, kept: rows[0].items - undone }
}

export async function priceChanges(ctx: Ctx) {
  const { rows } = await sql<{
    id: string
    at: string
    by: string | null
    items: number
    rule: { change: { basisPoints: number } | { sum: string }; rounding: PriceRounding }
    undoneAt: string | null
  }>`select c.id, c.created_at as at, u.full_name as by, c.items, c.rule, c.undone_at as "undoneAt"
    from price_changes c left join users u on u.id = c.created_by
    where c.company_id = ${ctx.companyId} order by c.created_at desc limit 20`.execute(ctx.tx)
  return { rows: rows.map(({ rule, ...row }) => ({ ...row, ...rule })) }
}
