import { sql } from 'kysely'
import type { App } from '../context.ts'
import type { Db } from '../data/db.ts'
import { eachOf, forgetFaults } from './dueRows.ts'

const hour = 3_600_000

/** What happened can be told again so long. */
export const EVENT_DAYS = 90

/** Long work that ended is listed so long to the person who started it. */
export const JOB_DAYS = 90

/** Deletes what of a feature has had its time; over all businesses, as the server itself. */
export type Sweep = (db: Db) => Promise<unknown>

const sweeps: Sweep[] = []

/** Lets a feature's rows be swept; told once, when the server's parts are read. */
export const registerSweep = (sweep: Sweep): void => void sweeps.push(sweep)

/**
 * What has had its time goes: answers kept for repeats after two days (one is promised), counts of tries
 * after one, ended sessions, links to set a password a day after their end, jobs behind commits after thirty
 * days, events and long work after ninety; then what the features add.
 */
export async function sweep(app: App): Promise<void> {
  const db = app.db.kysely
  await sql`delete from idempotency_keys where created_at < now() - interval '48 hours'`.execute(db)
  await sql`delete from throttles where window_start < now() - interval '1 day'`.execute(db)
  await sql`delete from sessions where expires_at < now()`.execute(db)
  await sql`delete from resets where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from outbox where done_at < now() - interval '30 days'`.execute(db)
  await sql`delete from events where at < now() - ${EVENT_DAYS} * interval '1 day'`.execute(db)
  await sql`delete from jobs where ended_at < now() - ${JOB_DAYS} * interval '1 day'`.execute(db)
  // One that fails stops no other.
  await eachOf(() => forgetFaults(app), ...sweeps.map((one) => () => one(db)))
}

/** Sweeps once an hour. */
export function startHousekeeping(app: App): { stop: () => void } {
  const timer = setInterval(
    () => void sweep(app).catch((e: Error) => app.log.warn({ err: e.message }, 'housekeeping')),
    hour,
  )
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
