import { sql } from 'kysely'
import type { App } from './context.ts'

const hour = 3_600_000

/** Once an hour what has had its time goes: answers kept for repeats (a day is promised), counts of tries, ended sessions and links, jobs done. */
export function startHousekeeping(app: App): { stop: () => void } {
  const sweep = async () => {
    const db = app.db.kysely
    await sql`delete from idempotency_keys where created_at < now() - interval '48 hours'`.execute(db)
    await sql`delete from throttles where window_start < now() - interval '1 day'`.execute(db)
    await sql`delete from sessions where expires_at < now()`.execute(db)
    await sql`delete from resets where expires_at < now() - interval '1 day'`.execute(db)
    await sql`delete from outbox where done_at < now() - interval '30 days'`.execute(db)
  }
  const timer = setInterval(() => void sweep().catch((e: Error) => app.log.warn({ err: e.message }, 'housekeeping')), hour)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
