import { sql } from 'kysely'
import { withCurrency } from '#domain/format.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { fail } from '#kit/describe/errors.ts'
import type { App, Caller } from './context.ts'
import type { Room } from './rates.ts'

/** A program may do the business's work; passwords, sessions and switching businesses are a person's own. */
export function checkKeyCall({ apiKey }: Caller, { method, path, reads }: Endpoint): void {
  if (!apiKey) return
  if (path.toLowerCase().startsWith('/api/user/')) throw fail('kit.notForKeys')
  if (apiKey.readOnly && method !== 'GET' && !reads) throw fail('kit.keyReadOnly')
}

/** Whether a key reaches so far; whoever calls without one does. */
export const mayKeyIssue = ({ apiKey }: Caller, totalAgorot: number): boolean =>
  !apiKey?.draftsOnly && (!apiKey?.sumLimitAgorot || Math.abs(totalAgorot) <= apiKey.sumLimitAgorot)

/** Asked by whatever issues a document, posts an entry or gives money back; `totalAgorot` is its total in shekels. */
export function checkKeyIssues({ apiKey, language }: Caller, totalAgorot: number): void {
  if (apiKey?.draftsOnly) throw fail('kit.keyDraftsOnly')
  if (apiKey?.sumLimitAgorot && Math.abs(totalAgorot) > apiKey.sumLimitAgorot)
    throw fail('kit.keySumLimit', { limit: withCurrency(apiKey.sumLimitAgorot, 'ILS', language) })
}

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
