import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { allRules } from '#kit/describe/session.ts'
import type { App } from '#kit/server/context.ts'
import { dueRows, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { forgottenMs } from './clock.ts'

/** Of a business that was away for long, clocks this old are left to its page. */
const oldestDays = 35

const isForgotten = (now: Date) => sql`t.ended_at is null and t.archived_at is null and t.forgotten_at is null
    and t.started_at < ${new Date(now.getTime() - forgottenMs)}
    and t.started_at > ${new Date(now.getTime() - oldestDays * 86_400_000)}`

const forgotten = dueRows({
  name: 'time.forgotten',
  due: (app) => sql`select t.company_id, t.id::text as key, t.started_at as at from clockings t
    where ${isForgotten(app.now())}`,
  serve: async (ctx, id) => {
    const { rows } = await sql<{
      person_id: string
      started_at: string
    }>`update clockings t set forgotten_at = ${ctx.now} where t.company_id = ${ctx.companyId} and t.id = ${id}
        and ${isForgotten(ctx.now)} returning t.person_id, t.started_at`.execute(ctx.tx)
    const [one] = rows
    if (!one) return 0
    const { rows: managers } = await sql<{ id: string }>`select user_id as id from memberships m
      where m.company_id = ${ctx.companyId} and m.type_id in (4, 9) and m.removed_at is null
        and m.blocked_at is null
        and (allows_all(m.rules) or ${allRules().get('time.team')!} = any(m.rules))`.execute(ctx.tx)
    const { rows: people } = await sql<{ name: string }>`select full_name as name from users
      where id = ${one.person_id}`.execute(ctx.tx)
    const { day, time } = momentInJerusalem(new Date(one.started_at))
    await ring(
      ctx,
      'time.forgotten',
      { entity: 'clockings', id },
      { person: people[0]?.name ?? '', day: formatDay(day), time },
      [one.person_id, ...managers.map((manager) => manager.id)],
    )
    return 1
  },
})

/**
 * Rings for the person whose clock runs longer than anybody works, and for those who see the team's hours; once for
 * each clocking. The clock is left alone: only the person knows when the work ended.
 */
export const tellForgotten = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, forgotten, { isOver })

const everyMs = 3_600_000

/** Looks every hour, in every process; each clocking is one row that one of them takes. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(everyRound(app, 'forgotten clocks', everyMs, (isOver) => tellForgotten(app, isOver)))
