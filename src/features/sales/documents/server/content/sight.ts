import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

/** Which of these documents the caller may not see. */
export async function unseenOf(ctx: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (!ctx.caller.docsAllow.length || !ids.length) return new Set()
  const { rows } = await sql<{ id: string }>`select id from documents where company_id = ${ctx.companyId}
      and id = any(${[...ids]}::uuid[]) and not sees_type(type)`.execute(ctx.tx)
  return new Set(rows.map(({ id }) => id))
}

/** What a draft closes, as far as the caller may see it. */
export async function seenCloses<T extends { documentId: string }>(
  ctx: Ctx,
  closes: readonly T[],
): Promise<T[]> {
  const unseen = await unseenOf(
    ctx,
    closes.map(({ documentId }) => documentId),
  )
  return closes.filter(({ documentId }) => !unseen.has(documentId))
}
