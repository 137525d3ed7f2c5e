import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import { servedLists } from './lists.ts'

type Named = { id: string; name: string }

export async function listOfCustomer(ctx: Ctx, { id }: { id: string }) {
  const { rows } = await sql<{ list: Named | null; type: (Named & { list: Named | null }) | null }>`
    select (select jsonb_build_object('id', l.id, 'name', l.name) from price_lists l
    where l.company_id = p.company_id and l.id = p.price_list_id) as list,
      (select jsonb_build_object('id', y.id, 'name', y.name, 'list',
      (select jsonb_build_object('id', l.id, 'name', l.name) from price_lists l
      where l.company_id = y.company_id and l.id = y.price_list_id))
        from customer_types y where y.company_id = p.company_id and y.id = p.type_id) as type
    from parties p where p.company_id = ${ctx.companyId} and p.id = ${id} and p.role = 'customer'`.execute(
    ctx.tx,
  )
  if (!rows[0]) throw fail('kit.notFound')
  return rows[0]
}

const owners = {
  parties: { table: 'parties', entity: 'customers', and: sql`role = 'customer'` },
  types: { table: 'customer_types', entity: 'customerTypes', and: sql`true` },
} as const

/** Gives a customer, or a type of customers, a list. */
export async function assign(
  ctx: Ctx,
  to: keyof typeof owners,
  { id, priceListId }: { id: string; priceListId: string | null },
) {
  const { table, entity, and } = owners[to]
  const { rows } = await sql<{
    priceListId: string | null
  }>`select price_list_id as "priceListId" from ${sql.table(table)}
    where company_id = ${ctx.companyId} and id = ${id} and ${and} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  await checkRef(ctx, 'priceListId', 'price_lists', priceListId, sql`archived_at is null`)
  await sql`update ${sql.table(table)} set price_list_id = ${priceListId}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('prices.assign', entity, id, rows[0], { priceListId })
  return { done: true as const }
}

/** No screen shows more of them at once; their number is shown. */
const mostBuyers = 500

export async function buyersOfList(ctx: Ctx, { id }: { id: string }) {
  await oneRow(ctx, servedLists, id)
  // Who they are is for the person who may see customers.
  if (!can(ctx.caller, 'customers.see')) throw forbidden({ rule: 'customers.see' })
  const { rows } = await sql<
    Named & { of: number }
  >`select id, name, count(*) over ()::int as of from parties where company_id = ${ctx.companyId}
      and role = 'customer' and price_list_id = ${id}
    and archived_at is null order by name, id limit ${mostBuyers}`.execute(ctx.tx)
  const customers = rows.map(({ of: _, ...one }) => one)
  const { rows: types } = await sql<
    Named & { has: boolean }
  >`select id, name, coalesce(price_list_id = ${id}, false) as has from customer_types
    where company_id = ${ctx.companyId} and archived_at is null order by name`.execute(ctx.tx)
  return { customers, customersOf: rows[0]?.of ?? 0, types }
}
