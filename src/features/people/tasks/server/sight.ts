import { sql, type RawBuilder } from 'kysely'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { failField } from '#kit/describe/errors.ts'

/**
 * Whose work this caller sees: their own, that of their teams, or everybody's. For `leads` their own rules decide in
 * the same way.
 */
export function widthOf({ caller }: Pick<Ctx, 'caller'>, of: 'tasks' | 'leads'): 'own' | 'team' | 'all' {
  if (caller.ownCustomersOnly) return 'own'
  if (can(caller, `${of}.all`)) return 'all'
  return can(caller, `${of}.team`) ? 'team' : 'own'
}

/** The tasks this caller sees, as conditions over `t`. */
export function seen(ctx: Ctx): RawBuilder<boolean>[] {
  const width = widthOf(ctx, 'tasks')
  // The text of a task that was made about a document says its type and number.
  const made = ctx.caller.docsAllow.length
    ? [
        sql<boolean>`(t.made_kind is null or t.document_id is null
          or seen_document(t.company_id, t.document_id) is not null)`,
      ]
    : []
  if (width === 'all') return made
  const me = ctx.caller.userId
  const own = sql`t.owner_id = ${me} or t.created_by = ${me} or ${me}::uuid = any (t.watchers)`
  return [
    ...made,
    width === 'own'
      ? sql<boolean>`(${own})`
      : sql<boolean>`(${own} or t.owner_id = any (team_mates(${ctx.companyId})))`,
  ]
}

/** The leads this caller sees, as a condition over their own columns, for what hangs on a lead. */
export function leadsSeen(ctx: Ctx): RawBuilder<boolean> {
  const width = widthOf(ctx, 'leads')
  if (width === 'all') return sql<boolean>`true`
  const me = ctx.caller.userId
  const team = width === 'team' ? sql` or owner_id = any (team_mates(${ctx.companyId}))` : sql``
  return sql<boolean>`(owner_id = ${me} or created_by = ${me}${team})`
}

/** Refuses a person who is not a member of this business, at the field that named the person. */
export async function checkMember(
  ctx: Ctx,
  field: string,
  ids: readonly (string | null | undefined)[],
): Promise<void> {
  const wanted = [...new Set(ids.filter((one): one is string => Boolean(one)))]
  if (!wanted.length) return
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from memberships
    where company_id = ${ctx.companyId} and user_id = any (${wanted}::uuid[]) and removed_at is null`.execute(
    ctx.tx,
  )
  if (rows[0]!.n < wanted.length) throw failField(field, 'fields.ref')
}

/** What of the caller's own work is for today, and how much of it should have been done before. */
export async function myDay(ctx: Ctx): Promise<{ due: number; late: number }> {
  const { rows } = await sql<{
    due: number
    late: number
  }>`select count(*)::int as due, count(*) filter (where due_day < ${ctx.today}::date)::int as late
    from tasks where company_id = ${ctx.companyId} and owner_id = ${ctx.caller.userId} and archived_at is null
      and done_at is null
      and due_day <= ${ctx.today}::date`.execute(ctx.tx)
  return rows[0]!
}
