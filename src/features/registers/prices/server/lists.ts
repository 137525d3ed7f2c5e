import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import { checkWithin } from '#kit/server/contract/bounds.ts'
import type { Ctx } from '#kit/server/context.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { customerPrices, priceListLines, priceLists, type PriceListRow } from '../priceLists.ts'

const nameOfItem = sql`(select i.name from items i where i.company_id = t.company_id and i.id = t.item_id)`

/** The days are in order, and figures are not below nothing. */
function checkTerms(values: Record<string, unknown>, before: Record<string, unknown> | undefined): void {
  const now = { ...before, ...values }
  if (now.validFrom && now.validTo && String(now.validFrom) > String(now.validTo))
    throw failField('validTo', 'fields.dayOrder')
  for (const name of ['price', 'fromQuantity']) checkWithin(name, now[name], { min: 0 })
}

export const servedLists: ServedResource = {
  resource: priceLists,
  compute: {
    lineCount: sql`(select count(*) from price_list_lines n where n.company_id = t.company_id
        and n.list_id = t.id and n.archived_at is null)::int`,
    customerCount: sql`(select count(*) from parties p where p.company_id = t.company_id
        and p.archived_at is null and p.price_list_id = t.id)::int`,
  },
  refNames: {
    baseListId: sql`(select b.name from price_lists b where b.company_id = t.company_id
        and b.id = t.base_list_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    checkTerms(values, before)
    const now = { ...before, ...values } as unknown as PriceListRow
    if (now.base !== 'list') return { ...values, baseListId: null }
    if (!now.baseListId) throw failField('baseListId', 'fields.need')
    await checkRef(ctx, 'baseListId', 'price_lists', now.baseListId, sql`archived_at is null`)
    const { rows } = await sql<{ id: string; currency: string }>`
      with recursive up as (
        select id, base_list_id, currency, 1 as depth from price_lists where company_id = ${ctx.companyId}
          and id = ${now.baseListId}
        union all
        select l.id, l.base_list_id, l.currency, up.depth + 1 from up
        join price_lists l on l.company_id = ${ctx.companyId} and l.id = up.base_list_id where up.depth < 20
      ) select id, currency from up order by depth`.execute(ctx.tx)
    if (before && rows.some(({ id }) => id === before.id)) throw failField('baseListId', 'prices.ring')
    if (rows[0]!.currency !== now.currency)
      throw failField('baseListId', 'prices.otherCurrency', { currency: rows[0]!.currency })
    return values
  },
}

/** The same price twice: two lines of one item for the same quantity and days would contradict each other. */
async function refuseTwin(
  ctx: Ctx,
  table: string,
  owner: 'list_id' | 'customer_id',
  values: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
) {
  const now: Record<string, unknown> = { fromQuantity: '0', currency: 'ILS', ...before, ...values }
  const ownerId = now[owner === 'list_id' ? 'listId' : 'customerId']
  const { rows } = await sql`select 1 from ${sql.table(table)} where company_id = ${ctx.companyId}
        and ${sql.ref(owner)} = ${ownerId} and item_id = ${now.itemId}
    and from_quantity = ${now.fromQuantity}::numeric and valid_from is not distinct
    from ${now.validFrom ?? null}::date and valid_to is not distinct from ${now.validTo ?? null}::date
    ${owner === 'customer_id' ? sql`and currency = ${now.currency}` : sql``} and archived_at is null
    and id is distinct from ${before?.id ?? null}::uuid`.execute(ctx.tx)
  if (rows.length) throw failField('fromQuantity', 'prices.sameLine')
}

const shared = {
  itemName: nameOfItem,
  itemSku: sql`(select i.sku from items i where i.company_id = t.company_id and i.id = t.item_id)`,
  itemPrice: sql`(select i.price from items i where i.company_id = t.company_id and i.id = t.item_id)`,
}

export const servedLines: ServedResource = {
  resource: priceListLines,
  compute: shared,
  refNames: {
    itemId: nameOfItem,
    listId: sql`(select l.name from price_lists l where l.company_id = t.company_id and l.id = t.list_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    checkTerms(values, before)
    await checkRef(ctx, 'listId', 'price_lists', values.listId)
    await checkRef(ctx, 'itemId', 'items', values.itemId)
    await refuseTwin(ctx, 'price_list_lines', 'list_id', values, before)
    return values
  },
}

export const servedCustomerPrices: ServedResource = {
  resource: customerPrices,
  compute: shared,
  refNames: {
    itemId: nameOfItem,
    customerId: sql`(select p.name from parties p where p.company_id = t.company_id
        and p.id = t.customer_id)`,
  },
  beforeSave: async (ctx, values, before) => {
    checkTerms(values, before)
    await checkRef(ctx, 'customerId', 'parties', values.customerId, sql`role = 'customer'`)
    await checkRef(ctx, 'itemId', 'items', values.itemId)
    await refuseTwin(ctx, 'customer_prices', 'customer_id', values, before)
    return values
  },
}
