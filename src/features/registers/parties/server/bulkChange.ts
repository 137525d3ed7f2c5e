import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { changeRow } from '#kit/server/described/resources.ts'
import { served, servedOnTheWay } from './served.ts'

interface Change {
  ids: string[]
  set: Record<string, string | null | undefined>
  addTags: string[]
  dropTags: string[]
}

/**
 * One change for many customers, each with its line in the log. Customers that have the value already are not
 * touched.
 */
export async function changeMany(
  ctx: Ctx,
  { ids, set, addTags, dropTags }: Change,
): Promise<{ changed: number }> {
  let changed = 0
  for (const id of [...new Set(ids)].toSorted()) {
    const row = await oneRow<Record<string, unknown>>(ctx, served, id)
    const before = row.tags as string[]
    const tags = [...new Set([...before.filter((one) => !dropTags.includes(one)), ...addTags])]
    if (tags.length > 20) throw failField('addTags', 'fields.tooMany')
    const values: Record<string, unknown> = Object.fromEntries(
      Object.entries(set).filter(([name, value]) => value !== undefined && row[name] !== value),
    )
    if (tags.join() !== before.join()) values.tags = tags
    if (Object.keys(values).length === 0) continue
    // Only what was asked for is checked: a needed field of long ago must not stop a change of status.
    await changeRow(ctx, servedOnTheWay, id, values)
    if ('agentId' in values)
      await sql`update parties set agent_id = ${values.agentId} where company_id = ${ctx.companyId}
          and merged_into = ${id}`.execute(ctx.tx)
    changed++
  }
  return { changed }
}

/** The tags in use, the commonest first. */
export async function tagsInUse(ctx: Ctx) {
  const { rows } = await sql<{ tag: string; customers: number }>`
    select tag, count(*)::int as customers from parties p, unnest(p.tags) tag
    where p.company_id = ${ctx.companyId} and p.role = 'customer' and p.archived_at is null group by tag
    order by 2 desc, 1 limit 200`.execute(ctx.tx)
  return { rows }
}

const tables = { customerStatuses: 'customer_statuses', customerFields: 'customer_fields' } as const

/** The order in which they stand; those not named come after. */
export async function setOrder(ctx: Ctx, { of, ids }: { of: keyof typeof tables; ids: string[] }) {
  await sql`update ${sql.table(tables[of])} t
    set position = coalesce(array_position(${ids}::uuid[], t.id), ${ids.length + 1})
    where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('customerSorts.order', of, null)
  return { done: true as const }
}
