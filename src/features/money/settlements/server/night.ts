import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { takeFrom } from './take.ts'

/** Deals of so many days before are asked for where they were not yet. */
const back = 3

/** Asks every acquirer that can tell for the days behind us, each once. Answers how many days that were. */
export async function takeNight(app: App): Promise<number> {
  const today = dayInJerusalem(app.now())
  const from = addDays(today, -back)
  const to = addDays(today, -1)
  // Whoever takes a terminal says so first: the row of its last day is the claim.
  const rows = await asSystem(
    app.db,
    async (tx) =>
      (
        await sql<{
          company_id: string
          id: string
          since: string
        }>`select t.company_id, t.id, greatest(coalesce((select max(d.day) + 1 from acquirer_days d
            where d.company_id = t.company_id and d.terminal_id = t.id and d.source = 'api'), ${from}::date), ${from}::date)::text as since
          from terminals t where t.state = 'proved' and not exists (select 1 from acquirer_days d
            where d.company_id = t.company_id and d.terminal_id = t.id and d.day = ${to} and d.source = 'api')
            and exists (select 1 from charges c where c.company_id = t.company_id and c.terminal_id = t.id and c.state = 'paid') limit 500`.execute(
          tx,
        )
      ).rows,
  )
  let days = 0
  for (const { company_id: companyId, id, since } of rows)
    days += await takeFrom(app, companyId, id, since, to)
      .then((taken) => taken.days)
      .catch((e: unknown) => {
        app.log.warn({ terminal: id, err: (e as Error).message }, 'the list of a day could not be had')
        return 0
      })
  return days
}

/** In the small hours, and again each hour until it is done. */
export async function start(app: App): Promise<() => Promise<void>> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Jerusalem' }).format(app.now()))
    if (hour < 3) return
    running ??= takeNight(app)
      .catch((e: unknown) => app.log.warn({ err: (e as Error).message }, 'lists of acquirers could not be had'))
      .finally(() => (running = undefined))
  }, 60 * 60_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
