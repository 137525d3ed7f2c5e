import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'

/** The categories at and below one. */
export const inCategory = (ctx: Ctx, id: string): RawBuilder<unknown> =>
  sql`(select category_branch(${ctx.companyId}::uuid, ${id}::uuid))`
