import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { GroupAnswer } from '../endpoints.ts'

type Given = Omit<GroupAnswer, 'id'>

export async function allGroups(
  ctx: Ctx,
  { archived }: { archived?: 'true' | 'false' | undefined },
): Promise<{ rows: GroupAnswer[] }> {
  const { rows } =
    await sql<GroupAnswer>`select id, name, people, in_turn as "inTurn", copies from sign_groups
      where company_id = ${ctx.companyId} ${archived === 'true' ? sql`` : sql`and archived_at is null`}
    order by name, id limit 500`.execute(ctx.tx)
  return { rows }
}

export async function createGroup(ctx: Ctx, { name, people, inTurn, copies }: Given): Promise<GroupAnswer> {
  const id = newId()
  await sql`insert into sign_groups (company_id, id, name, people, in_turn, copies, folded)
    values (${ctx.companyId}, ${id}, ${name}, ${JSON.stringify(people)}, ${inTurn}, ${JSON.stringify(copies)},
      ${fold(name)})`.execute(ctx.tx)
  await ctx.audit('signGroups.create', 'signGroups', id, undefined, { name, people: people.length })
  return { id, name, people, inTurn, copies }
}

export async function changeGroup(
  ctx: Ctx,
  { id, name, people, inTurn, copies }: GroupAnswer,
): Promise<GroupAnswer> {
  const { rows } =
    await sql`update sign_groups set name = ${name}, people = ${JSON.stringify(people)}, in_turn = ${inTurn},
        copies = ${JSON.stringify(copies)}, folded = ${fold(name)}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id} returning 1`.execute(ctx.tx)
  if (!rows.length) throw fail('kit.notFound')
  await ctx.audit('signGroups.change', 'signGroups', id, undefined, { name, people: people.length })
  return { id, name, people, inTurn, copies }
}
