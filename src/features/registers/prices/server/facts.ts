import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { priceFor, type FoundPrice } from '#domain/prices/price.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FactsAnswer } from '../endpoints.ts'
import { factsOf } from '../facts.ts'

/**
 * All that bears on the prices of these items for this customer, in one round trip. Unknown items have no
 * row.
 */
export async function priceFacts(
  ctx: Ctx,
  customerId: string | null | undefined,
  itemIds: readonly string[],
): Promise<FactsAnswer> {
  const { rows } = await sql<FactsAnswer>`
    with recursive who as (
      select p.price_list_id as own, y.price_list_id as type_list from parties p
      left join customer_types y on y.company_id = p.company_id and y.id = p.type_id and y.archived_at is null
      where p.company_id = ${ctx.companyId} and p.id = ${customerId ?? null}::uuid and p.role = 'customer'
    ), chain as (
      select l.id, l.base_list_id, 1 as depth from price_lists l join who on l.id in (who.own, who.type_list)
      where l.company_id = ${ctx.companyId} and l.archived_at is null
      union
      select l.id, l.base_list_id, chain.depth + 1 from chain
      join price_lists l on l.company_id = ${ctx.companyId} and l.id = chain.base_list_id
        and l.archived_at is null
      where chain.depth < 11
    ), lists as (
      select l.* from price_lists l where l.company_id = ${ctx.companyId} and l.id in (select id from chain)
    )
    select (select own from who where own in (select id from lists)) as "customerListId",
      (select type_list from who where type_list in (select id from lists)) as "typeListId",
      coalesce((select
      jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'currency', l.currency, 'from', l.valid_from,
      'to', l.valid_to,
        'base', l.base, 'baseListId', l.base_list_id, 'changeBp', l.change_bp)) from lists l), '[]') as lists,
      coalesce((select
      jsonb_agg(jsonb_build_object('itemId', i.id, 'price', i.price::text, 'currency', i.currency, 'vatKind',
      i.vat_kind,
        'cost', case when exists (select 1 from lists where base = 'cost') then i.cost::text end,
        'customerPrices',
        coalesce((select
        jsonb_agg(jsonb_build_object('price', c.price::text, 'fromQuantity', c.from_quantity::text, 'from',
        c.valid_from, 'to', c.valid_to, 'currency', c.currency))
          from customer_prices c where c.company_id = i.company_id and c.item_id = i.id
            and c.customer_id = ${customerId ?? null}::uuid and c.archived_at is null), '[]'),
        'lines', coalesce((select
        jsonb_agg(jsonb_build_object('listId', n.list_id, 'price', n.price::text, 'fromQuantity',
        n.from_quantity::text, 'from', n.valid_from, 'to', n.valid_to))
          from price_list_lines n where n.company_id = i.company_id and n.item_id = i.id
            and n.list_id in (select id from lists) and n.archived_at is null), '[]')))
        from items i where i.company_id = ${ctx.companyId} and i.id = any(${[...new Set(itemIds)]}::uuid[])),
          '[]') as rows`.execute(ctx.tx)
  return rows[0]!
}

export interface PricedLine {
  itemId?: string | null | undefined
  quantity: string
}

/**
 * What each line costs this customer that day in this currency, in the order of the lines: undefined for a
 * line without an item or a price.
 */
export async function pricesFor(
  ctx: Ctx,
  {
    customerId,
    day,
    currency,
    lines,
  }: { customerId: string | null; day: Day; currency: string; lines: readonly PricedLine[] },
): Promise<((FoundPrice & { vatKind: FactsAnswer['rows'][number]['vatKind'] }) | undefined)[]> {
  const ids = lines.flatMap(({ itemId }) => itemId ?? [])
  if (!ids.length) return lines.map(() => undefined)
  const answer = await priceFacts(ctx, customerId, ids)
  return lines.map(({ itemId, quantity }) => {
    const facts = itemId ? factsOf(answer, itemId) : undefined
    const found = facts && priceFor(facts, { quantity: parseDecimal4(quantity) ?? 0, day, currency })
    return found && { ...found, vatKind: answer.rows.find((row) => row.itemId === itemId)!.vatKind }
  })
}
