import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { merges } from '#kit/server/data/merged.ts'

const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** A party with the records merged into it, as a subquery of ids: `supplier_id in ${groupOf(ctx, id)}`. */
export const groupOf = (ctx: Ctx, id: string): RawBuilder<string> =>
  sql<string>`(select g.id from parties g where g.company_id = ${ctx.companyId}
      and (g.id = ${id} or g.merged_into = ${id}))`

/**
 * The ids of a party of a list's row `t`, for a condition that finds them in an index: `supplier_id =
 * any(${groupOfRow})`.
 */
export const groupOfRow: RawBuilder<string[]> = sql<
  string[]
>`array(select t.id union all select g.id from parties g where g.company_id = t.company_id
    and g.merged_into = t.id)`

/**
 * The present record of a party: itself, or the one it was merged into. What is new is entered under that one.
 */
export async function standsFor(ctx: Ctx, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select coalesce(merged_into, id) as id from parties
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return rows[0]?.id ?? id
}

merges.standing = async (ctx, ids) => {
  const { rows } = await sql<{ id: string; stands: string }>`select id, merged_into as stands from parties
    where company_id = ${ctx.companyId} and id = any(${ids.filter((id) => isId.test(id))}::uuid[])
      and merged_into is not null`.execute(ctx.tx)
  return new Map(rows.map(({ id, stands }) => [id, stands]))
}
