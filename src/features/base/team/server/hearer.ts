import { sql } from 'kysely'
import type { Ctx, Language } from '#kit/server/context.ts'

export interface Hearer {
  id: string
  email: string
  language: Language
  fullName: string
}

/**
 * Who is notified of something that a person once set up: that person while a member of the business, and after
 * leaving the first of its owners. Undefined where nobody is left to notify.
 */
export async function hearerOf(ctx: Ctx, userId: string | null): Promise<Hearer | undefined> {
  const { rows } =
    await sql<Hearer>`select u.id, u.email, u.language, u.full_name as "fullName" from memberships m
      join users u on u.id = m.user_id
    where m.company_id = ${ctx.companyId} and m.removed_at is null and m.blocked_at is null
      and (m.user_id = ${userId} or m.type_id = 4)
    order by (m.user_id = ${userId}) is true desc, m.created_at, m.user_id limit 1`.execute(ctx.tx)
  return rows[0]
}
