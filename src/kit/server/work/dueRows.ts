import { sql, type RawBuilder } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import { asCaller, systemCaller, type App, type Ctx } from '../context.ts'
import { asSystem } from '../data/db.ts'

/*
 * Rows that are due are served by every process, each row separately: one that fails is logged, left out for a growing
 * time and counted (`sweep_faults`), and all others are served. Businesses have turns, and a look goes on until nothing
 * that is due was left out.
 */

/** Rows that are due, of all businesses, and what is done with each. `Given` is what a look depends on, such as its day. */
export interface DueRows<Given = void> {
  /** Names them in the log and in what failed: `<feature>.<what>`. */
  name: string
  given?: (app: App) => Given
  /** A query that answers `company_id`, `key` (text) and `at` of each row that is due; without an order or a limit. */
  due: (app: App, given: Given) => RawBuilder<unknown>
  /**
   * Serves one row in a transaction inside its business, under a lock, after another look whether it is still due: several
   * processes may take it. Answers how much was done.
   */
  serve?: (ctx: Ctx, key: string, given: Given) => Promise<number>
  /** In place of `serve`: opens its transactions where it needs them, because it asks somebody outside. */
  serveOutside?: (app: App, row: DueRow, given: Given) => Promise<number>
}

export interface DueRow {
  companyId: string
  key: string
}

/** Minutes until a row that failed is tried again, by the number of failures; then once a day. */
const rests = [1, 2, 5, 15, 60, 180, 360, 720, 1440]
/** After so many failures the operator is notified; the row is still tried once a day. */
export const mostTries = 8
/** A row that was not tried for so long after its rest is not due any more. */
const forgottenAfterDays = 2
const manyAtOnce = 200

const isUnavailable = (e: unknown): boolean => e instanceof Failure && e.code === 'kit.unavailable'

const declared = new Map<string, DueRows<never>>()

/** Declares rows that are served when they are due; once for each name. */
export function dueRows<Given = void>(rows: DueRows<Given>): DueRows<Given> {
  declared.set(rows.name, rows as unknown as DueRows<never>)
  return rows
}

/** Every kind of rows that features declared. */
export const allDueRows = (): ReadonlyMap<string, DueRows<never>> => declared

/** Whether a row rests, in SQL: `company` and `key` (text) name it in the query around. */
export const isResting = (
  app: App,
  name: string,
  company: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from sweep_faults resting where resting.company_id = ${company}
    and resting.sweep = ${name} and resting.row_key = ${key} and resting.next_at > ${app.now()})`

/** Whether a row failed and is to be tried again now, for rows that are not due by another mark. */
export const isToRetry = (
  app: App,
  name: string,
  company: RawBuilder<unknown>,
  key: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from sweep_faults resting where resting.company_id = ${company}
    and resting.sweep = ${name} and resting.row_key = ${key} and resting.next_at <= ${app.now()})`

interface Next extends DueRow {
  hasFailed: boolean
}

/** The next rows: those of each business in turn, the oldest first; none of `seen`, and none that rests. */
async function next<Given>(
  app: App,
  rows: DueRows<Given>,
  given: Given,
  seen: readonly DueRow[],
  atOnce: number,
): Promise<Next[]> {
  const found = await sql<Next>`with seen as (select * from unnest(
        ${seen.map((one) => one.companyId)}::uuid[], ${seen.map((one) => one.key)}::text[]) s
        (company_id, key)),
      due as (select d.company_id, d.key, d.at, f.company_id is not null as failed
      from (${rows.due(app, given)}) d
        left join sweep_faults f on f.company_id = d.company_id and f.sweep = ${rows.name}
          and f.row_key = d.key
        where (f.next_at is null or f.next_at <= ${app.now()})
          and not exists (select 1 from seen s where s.company_id = d.company_id and s.key = d.key)),
      turns as (select *, row_number() over (partition by company_id order by at, key) as turn from due)
    select company_id as "companyId", key, failed as "hasFailed" from turns
    order by turn, at, key limit ${atOnce}`.execute(app.db.kysely)
  return found.rows
}

export interface Look {
  isOver?: (() => boolean) | undefined
  /** Rows that are read in one go. */
  atOnce?: number
}

/** Serves what is due until nothing is left; answers how much was done. */
export async function serveDue<Given>(
  app: App,
  rows: DueRows<Given>,
  how: Look & { given?: Given } = {},
): Promise<number> {
  const { serve, serveOutside } = rows
  const given = how.given ?? (rows.given?.(app) as Given)
  const { isOver = () => false, atOnce = manyAtOnce } = how
  const seen: DueRow[] = []
  let done = 0
  while (!isOver()) {
    const batch = await next(app, rows, given, seen, atOnce)
    for (const { hasFailed, ...row } of batch) {
      if (isOver()) return done
      // A row that stays due after it was served is not taken again in this look.
      seen.push(row)
      const made = await attempt(
        app,
        rows.name,
        row,
        () =>
          serveOutside
            ? serveOutside(app, row, given)
            : asCaller(app, systemCaller(row.companyId), '', (ctx) => serve!(ctx, row.key, given)),
        hasFailed,
      )
      done += made ?? 0
    }
    if (batch.length < atOnce) break
  }
  return done
}

/**
 * Serves one row that was taken in another way: a failure is logged and counted, and is no failure of the caller.
 * `hasFailed`: whether it may have failed before, so that a success is noted.
 * @returns what the work answered; undefined when it failed
 */
export async function attempt<T>(
  app: App,
  name: string,
  row: DueRow,
  work: () => Promise<T>,
  hasFailed = true,
): Promise<T | undefined> {
  let made: T
  try {
    made = await work()
  } catch (e) {
    // The database is away, or the process stops: no fault of the row.
    if (isUnavailable(e)) throw e
    await failed(app, name, row, e as Error)
    return undefined
  }
  if (hasFailed)
    await sql`delete from sweep_faults where company_id = ${row.companyId} and sweep = ${name}
      and row_key = ${row.key}`.execute(app.db.kysely)
  return made
}

/** Notes that a row failed, and lets it rest. */
export async function failed(app: App, name: string, { companyId, key }: DueRow, e: Error): Promise<void> {
  const now = app.now()
  const next = sql`${now}::timestamptz + (${rests}::int[])[least(f.tries + 1, ${rests.length}::int)]
    * interval '1 minute'`
  const tries = await asSystem(app.db, async (tx) => {
    const { rows } = await sql<{ tries: number }>`insert into sweep_faults as f
        (company_id, sweep, row_key, tries,
        error, first_at, last_at, next_at)
      select id, ${name}, ${key}, 1, ${e.message.slice(0, 500)}, ${now}, ${now},
        ${now}::timestamptz + ${rests[0]} * interval '1 minute' from companies where id = ${companyId}
      on conflict (company_id, sweep, row_key) do update set tries = f.tries + 1, error = excluded.error,
        last_at = excluded.last_at, next_at = ${next},
        gave_up_at = coalesce(f.gave_up_at, case when f.tries + 1 >= ${mostTries} then ${now}::timestamptz
        end)
      returning tries`.execute(tx)
    return rows[0]?.tries ?? 0
  })
  app.log[tries === mostTries ? 'error' : 'warn'](
    { sweep: name, company: companyId, row: key, tries, err: e.message },
    'a due row could not be served',
  )
}

/** Forgets rows that are not due any more: nobody tried them since their rest was over. */
export const forgetFaults = (app: App): Promise<unknown> =>
  sql`delete from sweep_faults where next_at < ${app.now()}::timestamptz - ${forgottenAfterDays}
    * interval '1 day'`.execute(app.db.kysely)

/**
 * Begins a round every so often, in every process; one that lasts longer is not begun again beside itself, and one that
 * fails is logged. For the `start` of a feature.
 * @returns how to stop it: it waits for the round that is under way
 */
export function everyRound(
  app: App,
  what: string,
  everyMs: number,
  round: (isOver: () => boolean) => Promise<unknown>,
): () => Promise<void> {
  let isStopped = false
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= round(() => isStopped)
      .catch((e: unknown) =>
        // While the database is away, every round of every kind would say so.
        app.log[isUnavailable(e) ? 'debug' : 'warn']({ err: (e as Error).message }, `${what} failed`),
      )
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    isStopped = true
    clearInterval(timer)
    await running
  }
}

/** Several pieces of work of one round: a failure of one leaves the others as they are, and is thrown at the end. */
export async function eachOf(...works: (() => Promise<unknown>)[]): Promise<void> {
  let failure: unknown
  for (const work of works)
    await work().catch((e: unknown) => {
      failure ??= e
    })
  if (failure !== undefined) throw failure
}
