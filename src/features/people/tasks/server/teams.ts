import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { WorkTeam } from '../endpoints.ts'
import { checkMember } from './sight.ts'

export async function teams(ctx: Ctx): Promise<WorkTeam[]> {
  const { rows } =
    await sql<WorkTeam>`select id, name, members from work_teams where company_id = ${ctx.companyId}
        and archived_at is null order by name, id`.execute(ctx.tx)
  return rows
}

export async function saveTeam(
  ctx: Ctx,
  given: { id?: string | undefined; name: string; members: string[] },
): Promise<WorkTeam> {
  const members = [...new Set(given.members)]
  await checkMember(ctx, 'members', members)
  const id = given.id ?? newId()
  const { rows } = await (
    given.id
      ? sql`update work_teams set name = ${given.name}, members = ${members}::uuid[], updated_at = now()
        where company_id = ${ctx.companyId} and id = ${id} and archived_at is null returning id`
      : sql`insert into work_teams (company_id, id, name, members)
        values (${ctx.companyId}, ${id}, ${given.name}, ${members}::uuid[]) returning id`
  ).execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('workTeams.save', 'workTeams', id, undefined, { name: given.name, members })
  return { id, name: given.name, members }
}

export async function dropTeam(ctx: Ctx, id: string): Promise<void> {
  const { rows } =
    await sql`update work_teams set archived_at = now() where company_id = ${ctx.companyId} and id = ${id}
        and archived_at is null returning id`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('workTeams.drop', 'workTeams', id)
}
