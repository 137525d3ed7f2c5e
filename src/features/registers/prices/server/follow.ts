import { sql } from 'kysely'
import type { Follower } from '#features/registers/parties/server/index.ts'

/**
 * The own prices of merged customers, and their price list, move to the remaining customer where it has none: its
 * price for the same item, quantity and days stays, and theirs is archived.
 */
export const pricesFollow: Follower = async (ctx, keepId, gone) => {
  const ids = [...gone]
  const { rows } = await sql<{
    id: string
  }>`select id from customer_prices where company_id = ${ctx.companyId} and customer_id = any(${ids}::uuid[])
    and archived_at is null order by array_position(${ids}::uuid[], customer_id), id`.execute(ctx.tx)
  for (const { id } of rows)
    await sql`update customer_prices t set updated_at = now(), customer_id = ${keepId}, archived_at = case
        when exists (select 1 from customer_prices h
        where h.company_id = t.company_id and h.customer_id = ${keepId} and h.archived_at is null
          and h.item_id = t.item_id and h.currency = t.currency
          and h.from_quantity = t.from_quantity and h.valid_from is not distinct
          from t.valid_from and h.valid_to is not distinct from t.valid_to) then now() end
      where t.company_id = ${ctx.companyId} and t.id = ${id}`.execute(ctx.tx)
  await sql`update parties k
    set price_list_id =
      coalesce(k.price_list_id, (select p.price_list_id from parties p where p.company_id = k.company_id
      and p.id = any(${ids}::uuid[]) and p.price_list_id is not null
      order by array_position(${ids}::uuid[], p.id) limit 1))
    where k.company_id = ${ctx.companyId} and k.id = ${keepId}`.execute(ctx.tx)
}
