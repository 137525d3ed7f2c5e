import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { tellEach } from '#kit/server/data/events.ts'

/** A table whose rows stand in an order within a column: cards of a board, leads in a stage. */
export interface Ordered {
  table: 'tasks' | 'leads'
  column: 'column_id' | 'stage_id'
  /** The line of the log for a changed position. */
  action: string
}

/** Longer keys are written again with their whole column. */
const longest = 50

interface Place {
  columnId: string
  afterId?: string | null | undefined
  beforeId?: string | null | undefined
}

/**
 * A key for a place in a column: between the cards it was dropped between as they stand now, wherever they
 * went meanwhile. At the end when neither is named or there any more. Cards with the same key stand in the
 * order of their ids, and are parted when something goes between them.
 */
export async function rankFor(
  ctx: Ctx,
  of: Ordered,
  id: string | null,
  { columnId, afterId, beforeId }: Place,
  isAgain = false,
): Promise<string> {
  const table = sql.table(of.table)
  const within = sql`company_id = ${ctx.companyId} and ${sql.ref(of.column)} = ${columnId}
      and archived_at is null and id is distinct from ${id}::uuid`
  const ask = async (question: ReturnType<typeof sql<{ id: string; rank: string }>>) =>
    (await question.execute(ctx.tx)).rows[0]
  const after = afterId
    ? await ask(
        sql<{ id: string; rank: string }>`select id, rank from ${table} where ${within} and id = ${afterId}`,
      )
    : undefined
  let before = beforeId
    ? await ask(
        sql<{ id: string; rank: string }>`select id, rank from ${table} where ${within} and id = ${beforeId}`,
      )
    : undefined
  let low = after?.rank ?? null
  if (after && !before)
    before = await ask(
      sql`select id, rank from ${table} where ${within} and (rank, id) > (${after.rank}, ${after.id}::uuid)
        order by rank, id limit 1`,
    )
  else if (before && !after)
    low =
      (
        await ask(
          sql`select id, rank from ${table}
            where ${within} and (rank, id) < (${before.rank}, ${before.id}::uuid) order by rank desc, id desc
            limit 1`,
        )
      )?.rank ?? null
  else if (!after && !before)
    low =
      (await ask(sql`select id, rank from ${table} where ${within} order by rank desc, id desc limit 1`))
        ?.rank ?? null
  // The two have changed places meanwhile: it goes after the one it was to follow.
  if (after && before && (before.rank < after.rank || (before.rank === after.rank && before.id < after.id)))
    before = await ask(
      sql`select id, rank from ${table} where ${within} and (rank, id) > (${after.rank}, ${after.id}::uuid)
        order by rank, id limit 1`,
    )
  const high = before?.rank ?? null
  if (low !== null && high !== null && low >= high) {
    if (isAgain) return low
    await rerank(ctx, of, columnId)
    return rankFor(ctx, of, id, { columnId, afterId: after?.id, beforeId: before?.id }, true)
  }
  const key = generateKeyBetween(low, high)
  if (key.length <= longest || isAgain) return key
  await rerank(ctx, of, columnId)
  return rankFor(ctx, of, id, { columnId, afterId: after?.id, beforeId: before?.id }, true)
}

/** Keys of a column written again, short again, in the order they had. */
async function rerank(ctx: Ctx, { table, column, action }: Ordered, columnId: string): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select id from ${sql.table(table)} where company_id = ${ctx.companyId}
      and ${sql.ref(column)} = ${columnId}
    order by rank, id for update`.execute(ctx.tx)
  const ids = rows.map(({ id }) => id)
  const keys = generateNKeysBetween(null, null, ids.length)
  await sql`select set_config('pinkas.reranks', 'on', true)`.execute(ctx.tx)
  await sql`update ${sql.table(table)} t set rank = n.key
    from unnest(${ids}::uuid[], ${keys}::text[]) n (id, key)
    where t.company_id = ${ctx.companyId} and t.id = n.id`.execute(ctx.tx)
  await sql`select set_config('pinkas.reranks', '', true)`.execute(ctx.tx)
  await tellEach(ctx, action, rows)
}
