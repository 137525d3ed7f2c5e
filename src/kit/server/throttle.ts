import { sql } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import type { App } from './context.ts'

const windowSeconds = 600

/**
 * Counts a try under a key and refuses beyond `limit` tries in ten minutes. The count is shared by all server processes and is
 * kept even when the try itself fails.
 */
export async function throttle(app: App, key: string, limit: number): Promise<void> {
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
