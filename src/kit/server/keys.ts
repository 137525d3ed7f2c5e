import { sql } from 'kysely'
import { closedFields, isForDrafts, isForKeys, isReading, type Endpoint } from '#kit/describe/endpoint.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { App, Caller } from './context.ts'
import type { Room } from './rates.ts'

/** The code that refuses a call to an API key whatever is sent, and undefined where the key may make it. */
export function keyRefusal({ apiKey }: Caller, endpoint: Endpoint): string | undefined {
  if (!apiKey) return undefined
  if (!isForKeys(endpoint)) return 'kit.notForKeys'
  if (apiKey.readOnly && !isReading(endpoint)) return 'kit.keyReadOnly'
  if (apiKey.draftsOnly && !isForDrafts(endpoint)) return 'kit.keyDraftsOnly'
  return undefined
}

/** Refuses an API key held to drafts the fields that a call keeps closed to it. An empty field sets nothing. */
export function checkKeyInput({ apiKey }: Caller, endpoint: Endpoint, input: unknown): void {
  if (!apiKey?.draftsOnly) return
  const given = input as Record<string, unknown>
  const closed = closedFields(endpoint).filter(
    (name) =>
      given[name] !== undefined && given[name] !== null && given[name] !== '' && given[name] !== false,
  )
  if (closed.length > 0)
    throw new Failure(
      'kit.keyDraftsOnly',
      {},
      closed.map((path) => ({ path, code: 'kit.keyDraftsOnly' })),
    )
}

/** Whether a key reaches so far; the person who calls without one does. */
export const mayKeyIssue = ({ apiKey }: Caller, totalAgorot: number): boolean =>
  !apiKey?.draftsOnly && (!apiKey?.sumLimitAgorot || Math.abs(totalAgorot) <= apiKey.sumLimitAgorot)

/** Calls of one key in a minute; over all server processes together. */
export const keyCallsPerMinute = 120

/** Counts a call of a key: what is left in this minute, and the seconds until the next one. */
export async function countKeyCall(app: App, keyId: string): Promise<Room> {
  const { rows } = await sql<{ count: number; reset: number }>`
    insert into throttles as t (key, window_start, count)
    values (${`key:${keyId}`}, date_trunc('minute', now()), 1)
    on conflict (key, window_start) do update set count = t.count + 1
    returning count, greatest(1, ceil(extract(epoch from window_start + interval '1 minute' - now())))::int as
      reset`.execute(app.db.kysely)
  const { count, reset } = rows[0]!
  return {
    limit: keyCallsPerMinute,
    remaining: Math.max(0, keyCallsPerMinute - count),
    reset,
    over: count > keyCallsPerMinute,
  }
}
