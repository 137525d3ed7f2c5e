import { sql, type RawBuilder } from 'kysely'
import { columnOf, type Fields } from '#kit/fields/field.ts'
import type { Ctx } from '../context.ts'
import { tellEach } from '../data/events.ts'
import { columnsIn, folded, type ServedResource } from './resources.ts'

/*
 * Many records of a register in few statements. They take values that were checked and settled as one
 * record's are; the log gets one line from the caller, not one per record.
 */

export interface NewRow {
  id: string
  values: Record<string, unknown>
}

export interface ChangedRow {
  id: string
  /** What is set. */
  values: Record<string, unknown>
  /** The whole record as it will be, for the search. */
  merged: Record<string, unknown>
}

/** Rows with the same columns go in one statement, so that a column that is not named keeps its default. */
function byColumns<T extends { id: string }>(
  rows: T[],
  columnsFor: (row: T) => Record<string, unknown>,
): Map<string, Record<string, unknown>[]> {
  const groups = new Map<string, Record<string, unknown>[]>()
  for (const row of rows) {
    const columns = columnsFor(row)
    const key = Object.keys(columns).sort().join()
    groups.set(key, [...(groups.get(key) ?? []), columns])
  }
  return groups
}

/** Makes records. `more`: columns beside the described ones. */
export async function insertMany(
  ctx: Ctx,
  { resource }: ServedResource,
  rows: NewRow[],
  more: Record<string, string> = {},
): Promise<void> {
  const groups = byColumns(rows, ({ id, values }) => ({
    ...Object.fromEntries(columnsIn(resource.fields as Fields, values)),
    company_id: ctx.companyId,
    id,
    ...(resource.where as object),
    ...more,
    ...(resource.searchIn ? { folded: folded(resource, values) } : {}),
  }))
  for (const group of groups.values()) {
    const columns = sql.join(Object.keys(group[0]!).map((column) => sql.ref(column)))
    await sql`insert into ${sql.table(resource.table)} (${columns})
      select ${columns}
      from jsonb_populate_recordset(null::${sql.table(resource.table)},
        ${JSON.stringify(group)}::jsonb)`.execute(ctx.tx)
  }
  await tellEach(
    ctx,
    `${resource.name}.create`,
    rows.map(({ id, values }) => ({ id, after: values })),
  )
}

/** Changes records. */
export async function updateMany(ctx: Ctx, { resource }: ServedResource, rows: ChangedRow[]): Promise<void> {
  const groups = byColumns(rows, ({ id, values, merged }) => ({
    ...Object.fromEntries(columnsIn(resource.fields as Fields, values)),
    id,
    ...(resource.searchIn ? { folded: folded(resource, merged) } : {}),
  }))
  for (const group of groups.values()) {
    const sets = Object.keys(group[0]!)
      .filter((column) => column !== 'id')
      .map((column) => sql`${sql.ref(column)} = n.${sql.ref(column)}`)
    await sql`update ${sql.table(resource.table)} t set ${sql.join([...sets, sql`updated_at = now()`])}
      from jsonb_populate_recordset(null::${sql.table(resource.table)}, ${JSON.stringify(group)}::jsonb) n
      where t.company_id = ${ctx.companyId} and t.id = n.id`.execute(ctx.tx)
  }
  await tellEach(
    ctx,
    `${resource.name}.change`,
    rows.map(({ id, values }) => ({ id, after: values })),
  )
}

/** Puts records away. */
export async function archiveMany(ctx: Ctx, { resource }: ServedResource, ids: string[]): Promise<void> {
  await sql`update ${sql.table(resource.table)} set archived_at = now(), updated_at = now()
    where company_id = ${ctx.companyId} and id = any(${ids}::uuid[]) and archived_at is null`.execute(ctx.tx)
  await tellEach(
    ctx,
    `${resource.name}.archive`,
    ids.map((id) => ({ id })),
  )
}

/** Which of these records others refer to by a foreign key: a customer with a document, an item on a line. */
export async function idsInUse(ctx: Ctx, { resource }: ServedResource, ids: string[]): Promise<Set<string>> {
  const { rows: links } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c cross join lateral unnest(c.conkey, c.confkey) as k(own, theirs)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_attribute f on f.attrelid = c.confrelid and f.attnum = k.theirs
    where c.contype = 'f' and c.confrelid = ${resource.table}::regclass and f.attname = 'id'
      and has_table_privilege(c.conrelid, 'select')`.execute(ctx.tx)
  const used = new Set<string>()
  for (const { table, column } of links) {
    const { rows } = await sql<{ id: string }>`select distinct ${sql.ref(column)} as id from ${sql.raw(table)}
      where company_id = ${ctx.companyId} and ${sql.ref(column)} = any(${ids}::uuid[])`.execute(ctx.tx)
    for (const { id } of rows) used.add(id)
  }
  return used
}

/** A field of `t`, worked out or its own column, is one of these when compared as text. */
export const isAnyOf = (
  { resource, compute }: ServedResource,
  name: string,
  values: readonly string[],
): RawBuilder<boolean> =>
  sql<boolean>`(${compute?.[name] ?? sql.ref(`t.${columnOf(name, (resource.fields as Fields)[name]!)}`)})::text = any(${[...values]}::text[])`
