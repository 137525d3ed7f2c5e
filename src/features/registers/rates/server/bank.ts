import { sql } from 'kysely'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import type { App } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { everyRound } from '#kit/server/work/dueRows.ts'
import { simulatedRates } from './simulator.ts'
import type { readers } from './readers.ts'

/*
 * The representative rates of the Bank of Israel, from its public series, for every business. They are requested each hour
 * until the rates of the day are here; days on which none are published, and days on which this server was away, come
 * with the next answer.
 */

/** How far back the first question reaches. */
const firstDays = 400
const mostBytes = 20_000_000
const patienceMs = 60_000
/** OF00: the representative rates. */
const seriesFrom = (url: string, from: Day): string =>
  `${url}${url.includes('?') ? '&' : '?'}startperiod=${from}&DATA_TYPE=OF00&format=csv`

async function lastDay(app: App): Promise<Day | null> {
  const { rows } = await sql<{ day: Day | null }>`select max(day) as day from exchange_rates`.execute(
    app.db.kysely,
  )
  return rows[0]!.day
}

async function answerOf(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { redirect: 'follow', signal: AbortSignal.timeout(patienceMs) })
  if (!answer.ok) throw new Error(`the bank of Israel answered ${answer.status}`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  if (bytes.length > mostBytes) throw new Error('the answer of the bank of Israel is too large')
  return bytes
}

/**
 * Takes the rates that were published since the last ones here. What was published never changes.
 * @returns how many rates came
 */
export async function takeRates(app: App): Promise<number> {
  const { exchangeRates } = app.settings
  if (exchangeRates.mode === 'off') return 0
  const today = dayInJerusalem(app.now())
  const last = await lastDay(app)
  if (last !== null && last >= today) return 0
  const from = last === null ? addDays(today, -firstDays) : addDays(last, 1)
  const rows =
    exchangeRates.mode === 'simulator'
      ? simulatedRates(from, today)
      : (
          await readIn<typeof readers>()('rates.file', {
            bytes: await answerOf(seriesFrom(exchangeRates.url, from)),
            currency: undefined,
            mayBeEmpty: true,
          })
        ).rows
  const found = rows.filter(({ day }) => day >= from && day <= today)
  if (found.length)
    await asSystem(app.db, (tx) =>
      sql`insert into exchange_rates (currency, day, rate)
        select x.currency, x.day, x.rate
        from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as x(currency text, day date, rate numeric)
        on conflict (currency, day) do nothing`.execute(tx),
    )
  return found.length
}

/** At the start, and then every hour. */
export const start = (app: App): Promise<() => Promise<void>> => {
  const stop = everyRound(app, 'exchange rates of the bank of Israel', 60 * 60_000, () => takeRates(app))
  const first = takeRates(app).catch((e: unknown) =>
    app.log.warn({ err: (e as Error).message }, 'exchange rates of the bank of Israel failed'),
  )
  return Promise.resolve(async () => {
    await stop()
    await first
  })
}
