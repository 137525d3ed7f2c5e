import { sql } from 'kysely'
import { momentInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { allRules } from '#kit/describe/session.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { ring } from '#features/people/bell/server/index.ts'
import { forgottenMs } from './clock.ts'

const atOnce = 200
/** Of a business that was away for long, clocks this old are left to its own page. */
const oldestDays = 35

/**
 * Rings for whoever's clock runs longer than anybody works, and for those who see the team's hours; once for each clocking. The clock itself is left alone: when he went,
 * only he knows.
 */
export async function tellForgotten(app: App): Promise<number> {
  const now = app.now()
  return asSystem(app.db, async (tx) => {
    const { rows } = await sql<{
      company_id: string
      id: string
      person_id: string
      started_at: string
      person: string
    }>`
      update clockings c set forgotten_at = ${now} from users u
      where u.id = c.person_id and (c.company_id, c.id) in (select t.company_id, t.id from clockings t
          where t.ended_at is null and t.archived_at is null and t.forgotten_at is null
            and t.started_at < ${new Date(now.getTime() - forgottenMs)}
            and t.started_at > ${new Date(now.getTime() - oldestDays * 86_400_000)}
          order by t.started_at limit ${atOnce} for update of t skip locked)
      returning c.company_id, c.id, c.person_id, c.started_at, u.full_name as person`.execute(tx)
    for (const one of rows) {
      const { rows: managers } = await sql<{ id: string }>`select user_id as id from memberships m
        where m.company_id = ${one.company_id} and m.type_id in (4, 9) and m.removed_at is null
          and m.blocked_at is null
          and (allows_all(m.rules) or ${allRules().get('time.team')!} = any(m.rules))`.execute(tx)
      const { day, time } = momentInJerusalem(new Date(one.started_at))
      await ring(
        { tx, companyId: one.company_id },
        'time.forgotten',
        { entity: 'clockings', id: one.id },
        { person: one.person, day: formatDay(day), time },
        [one.person_id, ...managers.map(({ id }) => id)],
      )
    }
    return rows.length
  })
}

const everyMs = 3_600_000

/** Looks every hour, in every process; each clocking is one row that one of them takes. */
export async function start(app: App): Promise<() => Promise<void>> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= tellForgotten(app)
      .catch((e: unknown) =>
        app.log.warn({ err: (e as Error).message }, 'forgotten clocks could not be looked for'),
      )
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
