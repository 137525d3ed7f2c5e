import { sql, type RawBuilder } from 'kysely'
import type { App } from '../context.ts'
import { asSystem, type Tx } from '../data/db.ts'

/*
 * Work that was given up after all tries: jobs, due rows, and what features add (copies, notices to programs, mail). One
 * list for the operator of the installation, with a way to try again.
 */

export interface GivenUp {
  kind: string
  companyId: string | null
  key: string
  /** What it is: of a job its name, of a copy its place. */
  name: string
  error: string
  tries: number
  /** How many of the same: copies to one place, notices to one address. */
  count: number
  at: string
}

export interface GivenUpSource {
  kind: string
  /** A query that answers `company_id`, `key` (text), `name`, `error`, `tries`, `count` and `at` of what was given up. */
  rows: RawBuilder<unknown>
  /** Begins its tries again; false where there is nothing to try any more. */
  retry: (tx: Tx, companyId: string | null, key: string) => Promise<boolean>
}

const sources = new Map<string, GivenUpSource>()

/** Lists what a feature gave up. */
export const registerGivenUp = (source: GivenUpSource): void => void sources.set(source.kind, source)

/** What is older is history: it is not counted any more. */
const days = 30
const mostRows = 300

registerGivenUp({
  kind: 'job',
  rows: sql`select company_id, id::text as key, name, coalesce(last_error, '') as error,
      attempts::int as tries,
    1 as count, failed_at as at from outbox where failed_at is not null`,
  retry: async (tx, _company, id) =>
    (
      await sql`update outbox set failed_at = null, attempts = 0, run_after = now()
        where id = ${id} and failed_at is not null returning 1`.execute(tx)
    ).rows.length > 0,
})

registerGivenUp({
  kind: 'row',
  rows: sql`select company_id, sweep || ' ' || row_key as key, sweep as name, error, tries, 1 as count,
    gave_up_at as at from sweep_faults where gave_up_at is not null`,
  retry: async (tx, companyId, key) => {
    const at = key.indexOf(' ')
    return (
      (
        await sql`update sweep_faults set next_at = '-infinity', tries = 1, gave_up_at = null
          where company_id = ${companyId} and sweep = ${key.slice(0, at)} and row_key = ${key.slice(at + 1)}
          returning 1`.execute(tx)
      ).rows.length > 0
    )
  },
})

// Letters and text messages, by the row that the business sees: their job is done, and begins again with it.
registerGivenUp({
  kind: 'mail',
  rows: sql`select company_id, id::text as key, channel as name, coalesce(error, '') as error, 8 as tries,
      1 as count,
    updated_at as at from messages where state = 'failed'`,
  retry: async (tx, companyId, id) => {
    const { rows } = await sql`update outbox set done_at = null, failed_at = null, attempts = 0,
        run_after = now()
      where company_id = ${companyId} and payload ? 'messageId' and payload->>'messageId' = ${id}
      returning 1`.execute(tx)
    if (!rows.length) return false
    await sql`update messages set state = 'queued', error = null, updated_at = now()
      where company_id = ${companyId} and id = ${id} and state = 'failed'`.execute(tx)
    return true
  },
})

const all = (): RawBuilder<unknown> =>
  sql`select * from (${sql.join(
    [...sources.values()].map(({ kind, rows }) => sql`select ${kind}::text as kind, g.* from (${rows}) g`),
    sql` union all `,
  )}) u where u.at > now() - ${days} * interval '1 day'`

/** What was given up in the last thirty days, the newest first. */
export async function givenUp(app: App): Promise<GivenUp[]> {
  const { rows } = await sql<GivenUp>`select kind, company_id as "companyId", key, name, error, tries::int,
      count::int,
      at from (${all()}) a order by at desc, key limit ${mostRows}`.execute(app.db.kysely)
  return rows
}

/** How much of each kind; `since`: what was given up later than that. */
export async function countGivenUp(app: App, since?: Date): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; n: number }>`select kind, sum(count)::int as n from (${all()}) a
    where ${since ?? null}::timestamptz is null or at > ${since ?? null} group by kind`.execute(app.db.kysely)
  return {
    ...Object.fromEntries([...sources.keys()].map((kind) => [kind, 0])),
    ...Object.fromEntries(rows.map(({ kind, n }) => [kind, n])),
  }
}

/** Begins the tries of one of them again. */
export async function retryGivenUp(
  app: App,
  { kind, companyId, key }: Pick<GivenUp, 'kind' | 'companyId' | 'key'>,
): Promise<boolean> {
  const source = sources.get(kind)
  const done = source ? await asSystem(app.db, (tx) => source.retry(tx, companyId, key)) : false
  if (done) {
    app.log.info({ kind, company: companyId, key }, 'work that was given up is tried again')
    app.nudge()
  }
  return done
}

/** Jobs that are due and wait, and since how many seconds the oldest of them. */
export async function waitingJobs(app: App): Promise<{ jobs: number; seconds: number }> {
  const { rows } = await sql<{ jobs: number; seconds: number }>`select count(*)::int as jobs,
      coalesce(extract(epoch from now() - min(run_after)), 0)::float8 as seconds from outbox
    where done_at is null and failed_at is null and run_after <= now()`.execute(app.db.kysely)
  return rows[0]!
}
