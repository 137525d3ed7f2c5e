import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { ofAllCustomers, type Ctx } from '#kit/server/context.ts'
import { endLeavesOf } from '#kit/server/rights/leaves.ts'
import type { Worker } from '../workers.ts'
import { hearerOf } from './hearer.ts'
import { invite, resend, type Invited } from './invite.ts'
import {
  grantOf,
  oneWorker,
  refuseBeyond,
  settledOf,
  touchesRights,
  writeRights,
  type GivenRights,
} from './people.ts'
import { settleRights } from './settle.ts'
import { refuseLimitsBeyond, settleLimits, type GivenLimits } from './sumLimits.ts'
import { starters, type Starter } from '../starters.ts'

type NewWorker = GivenRights &
  Omit<Invited, 'subTypeId' | 'typeId'> & { typeId: 4 | 9; subTypeId?: 0 | 1 | 2 | undefined }

export async function inviteWorker(ctx: Ctx, given: NewWorker): Promise<Worker> {
  const rights = await settleRights(ctx, given, undefined)
  const ofStarter = given.starter ? (starters[given.starter] as Starter).subTypeId : undefined
  return invite(
    ctx,
    { ...given, subTypeId: given.typeId === 4 ? 0 : (given.subTypeId ?? ofStarter ?? 0) },
    rights,
  )
}

const facts = (one: Worker) => ({
  job: one.job,
  subTypeId: one.subTypeId,
  setName: one.setName,
  ...grantOf(one),
  hideNavHeader: one.hideNavHeader,
  isActiveButton: one.isActiveButton,
  refundLimitAgorot: one.refundLimitAgorot,
  chargeLimitAgorot: one.chargeLimitAgorot,
})
const changedOf = (before: object, after: object) =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify((before as Record<string, unknown>)[name]),
    ),
  )
const pick = (of: object, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, (of as Record<string, unknown>)[name]]))

/** Changes a person and tells what changed; `find` says whose card it is (a worker's, an accountant's). */
export async function changePerson(
  ctx: Ctx,
  {
    id,
    job,
    subTypeId,
    refundLimitAgorot,
    chargeLimitAgorot,
    ...rights
  }: GivenRights &
    GivenLimits & {
      id: string
      job?: string | undefined
      subTypeId?: 0 | 1 | 2 | undefined
    },
  find: (ctx: Ctx, id: string) => Promise<Worker> = oneWorker,
): Promise<Worker> {
  const before = await find(ctx, id)
  refuseBeyond(ctx, grantOf(before))
  if (id !== ctx.caller.userId) await refuseLimitsBeyond(ctx, before)
  const touched = touchesRights(rights)
  // Nobody changes their own rights: a limited person would extend them, an owner would lock themselves out.
  if (touched && id === ctx.caller.userId) throw fail('team.yourself')
  if (touched) await writeRights(ctx, before, await settleRights(ctx, rights, settledOf(before)))
  await settleLimits(ctx, before, { refundLimitAgorot, chargeLimitAgorot }, touched)
  if (job !== undefined || subTypeId !== undefined) {
    const sets = sql`job = ${job ?? before.job ?? ''},
        sub_type_id = ${before.typeId === 9 ? (subTypeId ?? before.subTypeId) : 0}`
    if (before.state === 'invited')
      await sql`update invitations set ${sets}, updated_at = now() where company_id = ${ctx.companyId}
          and id = ${id}`.execute(ctx.tx)
    else
      await sql`update memberships set ${sets} where company_id = ${ctx.companyId}
          and user_id = ${id}`.execute(ctx.tx)
  }
  const after = await find(ctx, id)
  const changed = changedOf(facts(before), facts(after))
  if (Object.keys(changed).length)
    await ctx.audit('workers.change', 'workers', id, pick(facts(before), Object.keys(changed)), changed)
  return after
}

async function forDeed(
  ctx: Ctx,
  id: string,
  find: (ctx: Ctx, id: string) => Promise<Worker>,
): Promise<Worker> {
  const one = await find(ctx, id)
  if (id === ctx.caller.userId) throw fail('team.yourself')
  refuseBeyond(ctx, grantOf(one))
  return one
}

/** Blocks a person now: the person's sessions in this business are deleted, and no log-in leads here. */
export async function block(ctx: Ctx, id: string, find = oneWorker): Promise<Worker> {
  const one = await forDeed(ctx, id, find)
  if (one.state === 'active') {
    await sql`update memberships set blocked_at = now() where company_id = ${ctx.companyId}
        and user_id = ${id}`.execute(ctx.tx)
    await sql`select end_sessions(${id}::uuid)`.execute(ctx.tx)
    await ctx.audit('workers.block', 'workers', id, undefined, { name: one.name })
  }
  return find(ctx, id)
}

export async function unblock(ctx: Ctx, id: string, find = oneWorker): Promise<Worker> {
  const one = await forDeed(ctx, id, find)
  if (one.state === 'blocked') {
    await sql`update memberships set blocked_at = null where company_id = ${ctx.companyId}
        and user_id = ${id}`.execute(ctx.tx)
    await ctx.audit('workers.unblock', 'workers', id, undefined, { name: one.name })
  }
  return find(ctx, id)
}

/** Removes a person, or withdraws the invitation. The name stays beside the person's actions. */
export async function remove(ctx: Ctx, id: string, find = oneWorker): Promise<{ done: true }> {
  const one = await forDeed(ctx, id, find)
  if (one.state === 'invited')
    await sql`update invitations set revoked_at = now() where company_id = ${ctx.companyId}
        and id = ${id}`.execute(ctx.tx)
  else {
    // Whatever worked with this person's rights; what the business needs goes on with those of an owner.
    const heir = await hearerOf(ctx, null)
    const ended = await ofAllCustomers(ctx, () => endLeavesOf(ctx, id, heir?.id ?? ctx.caller.userId))
    if (ended.length)
      await ctx.audit('workers.endLeaves', 'workers', id, undefined, {
        ended: ended.map(({ kind, name }) => ({ kind, name })),
      })
    await sql`update memberships set removed_at = now() where company_id = ${ctx.companyId}
        and user_id = ${id}`.execute(ctx.tx)
    await sql`select end_sessions(${id}::uuid)`.execute(ctx.tx)
    // The person's customers belong to nobody now, and so to everybody who sees all.
    await sql`update parties set agent_id = null where company_id = ${ctx.companyId}
        and agent_id = ${id}`.execute(ctx.tx)
  }
  await ctx.audit('workers.remove', 'workers', id, { name: one.name, email: one.email })
  return { done: true }
}

export const resendTo = async (ctx: Ctx, id: string, find = oneWorker): Promise<Worker> =>
  resend(ctx, await find(ctx, id))
