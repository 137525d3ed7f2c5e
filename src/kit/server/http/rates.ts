import { sql } from 'kysely'
import { Failure } from '#kit/describe/errors.ts'
import type { App } from '../context.ts'

/** What is left of a minute, and the seconds until the next one. */
export interface Room {
  limit: number
  remaining: number
  reset: number
  over: boolean
}

/**
 * The calls of one caller in a minute: what this process counted and told nobody yet, and what all of them
 * came to when it last told.
 */
interface Count {
  own: number
  shared: number
}

const minuteMs = 60_000
/**
 * So often in a full minute a process tells the others what it counted: the person who calls as people do costs the
 * database nothing.
 */
const tellings = 100

const counts = new WeakMap<App, { minute: number; of: Map<string, Count> }>()

function countOf(app: App, minute: number, who: string): Count {
  let kept = counts.get(app)
  if (kept?.minute !== minute) counts.set(app, (kept = { minute, of: new Map() }))
  const count = kept.of.get(who) ?? { own: 0, shared: 0 }
  kept.of.set(who, count)
  return count
}

/**
 * Counts a call of a session, or of an address that has none. Each process counts for itself and adds what it
 * counted to the common count by a hundredth of the limit at a time, so that all of them together are over by
 * as little as that, and a refused call costs nothing.
 */
export async function countCall(app: App, who: string): Promise<Room> {
  const limit = app.settings.callsPerMinute
  const now = Date.now()
  const minute = Math.floor(now / minuteMs)
  const count = countOf(app, minute, who)
  const reset = Math.max(1, Math.ceil(((minute + 1) * minuteMs - now) / 1000))
  count.own++
  if (count.shared <= limit && count.own >= Math.ceil(limit / tellings)) {
    const told = count.own
    count.own = 0
    const { rows } = await sql<{ count: number }>`insert into throttles as t (key, window_start, count)
      values (${`calls:${who}`}, to_timestamp(${minute * 60}), ${told})
      on conflict (key, window_start) do update set count = t.count + excluded.count returning count`.execute(
      app.db.kysely,
    )
    count.shared = Math.max(count.shared, rows[0]!.count)
  }
  const all = count.shared + count.own
  return { limit, remaining: Math.max(0, limit - all), reset, over: all > limit }
}

/**
 * The refusal of a call beyond the limit. Nothing of it was done: the same call is taken when its time has
 * come.
 */
export const tooManyCalls = ({ reset }: Room): Failure =>
  new Failure('kit.tooManyCalls', { seconds: reset }, [], reset)

/** The headers of a limit, as RFC 9331 has them and under the names from before it. */
export const rateHeaders = (
  name: 'key' | 'session' | 'address',
  { limit, remaining, reset }: Room,
): Record<string, string | number> => ({
  'ratelimit-policy': `"${name}";q=${limit};w=60`,
  ratelimit: `"${name}";r=${remaining};t=${reset}`,
  'ratelimit-limit': limit,
  'ratelimit-remaining': remaining,
  'ratelimit-reset': reset,
})
