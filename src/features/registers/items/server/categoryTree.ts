import { sql, type RawBuilder } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Resource } from '#kit/describe/resource.ts'
import { checkRef } from '#kit/server/data/refs.ts'
import type { ServedResource } from '#kit/server/described/resources.ts'

/**
 * A tree of the table `categories`: of items, or of what another feature sorts by one. `count` is how many
 * things stand in a category `t` and in all below it, under the name of the field that tells it; `branch` is
 * the ids of all those categories.
 */
export const categoryTree = (
  resource: Resource<any>,
  kind: 'items' | 'leads',
  count: { field: string; of: (branch: RawBuilder<unknown>) => RawBuilder<unknown> },
): ServedResource => ({
  resource,
  compute: {
    path: sql`category_path(t.company_id, t.id)`,
    depth: sql`(length(category_path(t.company_id, t.id)) -
        length(replace(category_path(t.company_id, t.id), ' › ', ''))) / 3`,
    [count.field]: count.of(sql`(select category_branch(t.company_id, t.id))`),
  },
  refNames: { parentId: sql`category_path(t.company_id, t.parent_id)` },
  beforeSave: async (ctx, values, before) => {
    await checkRef(ctx, 'parentId', 'categories', values.parentId, sql`kind = ${kind}`)
    const name = values.name ?? before?.name
    const parentId = values.parentId === undefined ? (before?.parentId ?? null) : values.parentId
    if (String(name).includes('›')) throw failField('name', 'fields.text')
    const { rows } = await sql`select 1 from categories where company_id = ${ctx.companyId} and kind = ${kind}
          and archived_at is null
      and parent_id is not distinct from ${parentId}::uuid and name = ${name} and id is distinct
      from ${before?.id ?? null}::uuid`.execute(ctx.tx)
    if (rows.length) throw failField('name', 'fields.taken', { name: String(name) })
    return values
  },
})

/** A category stands for all that is below it: the filter of a list whose rows have a `category_id`. */
export const inCategory = (id: string): RawBuilder<boolean> =>
  sql<boolean>`t.category_id in (select category_branch(t.company_id, ${id}::uuid))`
