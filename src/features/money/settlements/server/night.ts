import { sql } from 'kysely'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { dueRows, everyRound, serveDue } from '#kit/server/work/dueRows.ts'
import { takeFrom } from './take.ts'

/** Deals of so many days before are asked for where they were not yet. */
const back = 3

interface Days {
  from: Day
  to: Day
}

/** The day after the last one that the acquirer listed, at most so many days back. */
const since = ({ from }: Days) => sql`greatest(coalesce((select max(d.day) + 1 from acquirer_days d
    where d.company_id = t.company_id and d.terminal_id = t.id and d.source = 'api'), ${from}::date),
      ${from}::date)`

const terminals = dueRows<Days>({
  name: 'settlements.night',
  given: (app) => {
    const today = dayInJerusalem(app.now())
    return { from: addDays(today, -back), to: addDays(today, -1) }
  },
  due: (_app, days) => sql`select t.company_id, t.id::text as key, ${since(days)}::timestamptz as at
    from terminals t where t.state = 'proved'
      and not exists (select 1 from acquirer_days d
      where d.company_id = t.company_id and d.terminal_id = t.id and d.day = ${days.to} and d.source = 'api')
      and exists (select 1 from charges c where c.company_id = t.company_id and c.terminal_id = t.id
      and c.state = 'paid')`,
  serveOutside: async (app, { companyId, key }, days) => {
    const from = await asSystem(app.db, async (tx) => {
      const { rows } = await sql<{ since: string }>`select ${since(days)}::text as since from terminals t
        where t.company_id = ${companyId} and t.id = ${key}`.execute(tx)
      return rows[0]?.since ?? days.from
    })
    return (await takeFrom(app, companyId, key, from, days.to)).days
  },
})

/** Asks every acquirer that can list them for the days behind us, each once. Answers how many days that were. */
export const takeNight = (app: App, isOver?: () => boolean): Promise<number> =>
  serveDue(app, terminals, { isOver })

/** In the small hours, and again each hour until it is done. */
export const start = (app: App): Promise<() => Promise<void>> =>
  Promise.resolve(
    everyRound(app, 'asking for lists of acquirers', 60 * 60_000, async (isOver) => {
      const hour = Number(
        new Intl.DateTimeFormat('en', {
          hour: 'numeric',
          hourCycle: 'h23',
          timeZone: 'Asia/Jerusalem',
        }).format(app.now()),
      )
      if (hour >= 3) await takeNight(app, isOver)
    }),
  )
