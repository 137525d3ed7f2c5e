import { sql, type RawBuilder } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import type { App } from '../context.ts'

/**
 * Counts a try under a key and refuses beyond `limit` tries in a window of ten minutes, or of as many seconds as are
 * given (at most a day). The count is shared by all server processes and is kept even when the try itself fails.
 */
export async function throttle(app: App, key: string, limit: number, windowSeconds = 600): Promise<void> {
  const { rows } = await sql<{ count: number; wait: number }>`
    insert into throttles as t (key, window_start, count)
    values (${key}, to_timestamp(floor(extract(epoch from now()) / ${windowSeconds}) * ${windowSeconds}), 1)
    on conflict (key, window_start) do update set count = t.count + 1
    returning count,
      ceil(extract(epoch from window_start + make_interval(secs => ${windowSeconds}) - now()))::int as
      wait`.execute(app.db.kysely)
  if (rows[0]!.count > limit)
    throw new Failure('kit.tooMany', { minutes: Math.ceil(rows[0]!.wait / 60) }, [], rows[0]!.wait)
}

/** Forgets the tries under a key, after one that was right. */
export async function forgetTries(app: App, key: string): Promise<void> {
  await sql`delete from throttles where key = ${key}`.execute(app.db.kysely)
}

/**
 * Counts a try at a code that was sent, before the code is compared: in one statement outside the caller's transaction,
 * so that neither parallel tries nor a refusal escape the count. Answers the row; undefined when `most` tries are used
 * up. `where` names one live code, with its business where it has one.
 */
export async function countTry<R>(
  app: App,
  table: 'verifications' | 'booking_codes' | 'sign_codes',
  { where, most, columns }: { where: RawBuilder<unknown>; most: number; columns: RawBuilder<unknown> },
): Promise<R | undefined> {
  const { rows } = await sql<R>`update ${sql.table(table)} set tries = tries + 1
    where ${where} and tries < ${most} returning ${columns}`.execute(app.db.kysely)
  return rows[0]
}
