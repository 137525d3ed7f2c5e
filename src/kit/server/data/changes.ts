import { sql } from 'kysely'
import { failField } from '#kit/describe/errors.ts'
import type { App } from '../context.ts'

/*
 * `updated_at` is the moment at which a transaction began, and rows are seen when it ends: a row may appear behind others
 * that have a later moment. A copy that went on from the last moment it saw would never get it. So a list tells where
 * to begin next time: before every transaction that was running when the list was read.
 */

/** For a transaction that has begun and is not shown as running yet, and for clocks of several servers. */
const marginSeconds = 5
/** A transaction that wrote nothing for so long only reads: a dump does not hold copies back for hours. */
const readsOnlyMinutes = 15

/**
 * A moment before which nothing will appear that a list does not show, when the list is read after this was asked: asked
 * within the list's transaction it would come too late. Microseconds, in UTC.
 */
export async function changesAreSeenUntil(app: App): Promise<string> {
  const { rows } = await sql<{ at: string }>`select
      to_char((case when current_setting('track_activities')::boolean
      then least(clock_timestamp(), min(xact_start)) - make_interval(secs => ${marginSeconds})
      else clock_timestamp() - make_interval(mins => ${readsOnlyMinutes}) end) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
      and xact_start is not null
      and (backend_xid is not null
      or xact_start > now() - make_interval(mins => ${readsOnlyMinutes}))`.execute(app.db.kysely)
  return rows[0]!.at
}

const mark = /^since_([\w-]+)$/
const exact = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** The form in which programs keep it: nothing to be read or worked out. */
export const sinceMark = (at: string): string => `since_${Buffer.from(at).toString('base64url')}`

/** The moment of `updatedSince`: of a mark, or a moment as it is. */
export function momentOfSince(given: string): string {
  const packed = mark.exec(given)?.[1]
  if (packed === undefined) return given
  const at = Buffer.from(packed, 'base64url').toString()
  if (!exact.test(at) || Number.isNaN(Date.parse(at))) throw failField('updatedSince', 'fields.moment')
  return at
}
