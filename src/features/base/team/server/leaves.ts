import { sql } from 'kysely'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { seesEverything } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { leavesOf, leavesSources } from '#kit/server/rights/leaves.ts'
import type { LeavingAnswer } from '../endpoints.ts'

/**
 * What leaves the business, for everybody or for one person. Names and recipients are shown to people who see the whole business;
 * others get them only for their own entries.
 */
export async function leaves(
  ctx: Ctx,
  { userId }: { userId?: string | undefined },
): Promise<{ rows: LeavingAnswer[] }> {
  const all = (await leavesOf(ctx)).filter((one) => userId === undefined || one.userId === userId)
  const { rows: people } = await sql<{ id: string; name: string; isHere: boolean }>`select u.id,
      u.full_name as name, m.removed_at is null and m.blocked_at is null as "isHere"
    from memberships m join users u on u.id = m.user_id
    where m.company_id = ${ctx.companyId}
      and u.id = any(${all.flatMap((one) => one.userId ?? [])}::uuid[])`.execute(ctx.tx)
  const names = new Map(people.map((one) => [one.id, one]))
  const whole = seesEverything(ctx.caller)
  return {
    rows: all.map(({ userId: whose, byKey, name, to, isOn, ...one }) => {
      const isMine = whose === ctx.caller.userId
      const shown = whole || isMine
      const person = whose === null ? undefined : names.get(whose)
      return {
        ...one,
        name: shown ? name : '',
        to: shown ? to : '',
        by: person?.name ?? null,
        byKey: shown ? byKey : null,
        isOn: isOn && (whose === null || person?.isHere === true),
        mayEnd: shown,
        continues: leavesSources().some(
          (source) => source.kind === one.kind && source.handOver !== undefined,
        ),
      }
    }),
  }
}

export async function endLeaving(
  ctx: Ctx,
  { kind, id }: { kind: string; id: string },
): Promise<{ done: true }> {
  const { rows } = await leaves(ctx, {})
  const one = rows.find((row) => row.kind === kind && row.id === id)
  if (!one) throw fail('kit.notFound')
  if (!one.mayEnd) throw forbidden({ sight: 'whole' })
  await leavesSources()
    .find((source) => source.kind === kind)!
    .end(ctx, id)
  return { done: true }
}
