import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/db.ts'
import { takeFrom } from './take.ts'

/** Deals of so many days before are asked for where they were not yet. */
const back = 3

const mostAtOnce = 500
const first = '00000000-0000-0000-0000-000000000000'

/** Terminals with charges whose last day was not told yet, and from which day on. */
const terminalsAfter = (
  app: App,
  after: string,
  from: string,
  to: string,
): Promise<{ company_id: string; id: string; since: string }[]> =>
  asSystem(
    app.db,
    async (tx) =>
      (
        await sql<{
          company_id: string
          id: string
          since: string
        }>`select t.company_id, t.id, greatest(coalesce((select max(d.day) + 1 from acquirer_days d
            where d.company_id = t.company_id and d.terminal_id = t.id and d.source = 'api'), ${from}::date),
              ${from}::date)::text as since
          from terminals t where t.state = 'proved' and t.id > ${after}
            and not exists (select 1 from acquirer_days d
            where d.company_id = t.company_id and d.terminal_id = t.id and d.day = ${to} and d.source = 'api')
            and exists (select 1 from charges c where c.company_id = t.company_id and c.terminal_id = t.id
            and c.state = 'paid') order by t.id limit ${mostAtOnce}`.execute(tx)
      ).rows,
  )

/** Asks every acquirer that can tell for the days behind us, each once. Answers how many days that were. */
export async function takeNight(app: App): Promise<number> {
  const today = dayInJerusalem(app.now())
  const from = addDays(today, -back)
  const to = addDays(today, -1)
  let days = 0
  // All of them, a part at a time: those whose acquirer tells no days stay in the list and stand in nobody's way.
  for (let after: string | undefined = first; after;) {
    const rows = await terminalsAfter(app, after, from, to)
    for (const { company_id: companyId, id, since } of rows)
      days += await takeFrom(app, companyId, id, since, to)
        .then((taken) => taken.days)
        .catch((e: unknown) => {
          app.log.warn({ terminal: id, err: (e as Error).message }, 'the list of a day could not be had')
          return 0
        })
    after = rows.length === mostAtOnce ? rows.at(-1)!.id : undefined
  }
  return days
}

/** In the small hours, and again each hour until it is done. */
export async function start(app: App): Promise<() => Promise<void>> {
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    const hour = Number(
      new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Asia/Jerusalem' }).format(
        app.now(),
      ),
    )
    if (hour < 3) return
    running ??= takeNight(app)
      .catch((e: unknown) =>
        app.log.warn({ err: (e as Error).message }, 'lists of acquirers could not be had'),
      )
      .finally(() => (running = undefined))
  }, 60 * 60_000)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
