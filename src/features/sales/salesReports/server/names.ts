import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

/**
 * What the customers are called, by id, all or those named; one that turned out to be another is that one.
 */
export async function customersOf(
  ctx: Ctx,
  ids?: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await sql<{
    card: string
    id: string
    name: string
  }>`/*=*/ select i.id as card, p.id, p.name from parties i join parties p on p.company_id = i.company_id
      and p.id = coalesce(i.merged_into, i.id)
    where i.company_id = ${ctx.companyId}
      and i.role = 'customer'${ids ? sql` and i.id = any(${[...ids]}::uuid[])` : sql``}`.execute(ctx.tx)
  return new Map(rows.map(({ card, ...one }) => [card, one]))
}

export async function itemsOf(
  ctx: Ctx,
): Promise<Map<string, { id: string; name: string; sku: string | null; unit: string | null }>> {
  const { rows } = await sql<{
    id: string
    name: string
    sku: string | null
    unit: string | null
  }>`/*=*/ select id, name, sku, unit from items where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return new Map(rows.map((one) => [one.id, one]))
}

export async function agentsOf(
  ctx: Ctx,
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, full_name as name from users where id = any(${[...ids]}::uuid[])`.execute(ctx.tx)
  return new Map(rows.map((one) => [one.id, one]))
}
