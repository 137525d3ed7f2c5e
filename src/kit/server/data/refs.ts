import { sql, type RawBuilder } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '../context.ts'

/**
 * Refuses a reference to what this business has not, naming the field: the database would refuse it too, but
 * could not say where. `and` narrows it further: `sql` over the table's own columns, such as `kind =
 * 'income'`.
 */
export async function checkRef(
  ctx: Ctx,
  field: string,
  table: string,
  id: unknown,
  and: RawBuilder<boolean> = sql`true`,
): Promise<void> {
  if (id === null || id === undefined) return
  const { rows } =
    await sql`select 1 from ${sql.table(table)} where company_id = ${ctx.companyId} and id = ${id}
        and ${and}`.execute(ctx.tx)
  if (!rows.length) throw failField(field, 'fields.ref')
}

/** The same for many references into one table, by one statement; the first that is missing is named by its field. */
export async function checkRefs(
  ctx: Ctx,
  refs: readonly { field: string; id: string | null | undefined }[],
  table: string,
): Promise<void> {
  const ids = [...new Set(refs.flatMap(({ id }) => (id ? [id] : [])))]
  if (!ids.length) return
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where company_id = ${ctx.companyId} and id = any (${ids}::uuid[])`.execute(ctx.tx)
  const known = new Set(rows.map(({ id }) => id))
  const missing = refs.find(({ id }) => id && !known.has(id))
  if (missing) throw failField(missing.field, 'fields.ref')
}
