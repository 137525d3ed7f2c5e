import { sql } from 'kysely'
import { closedFields, isForDrafts, isForKeys, isReading, type Endpoint } from '#kit/describe/endpoint.ts'
import { Failure } from '#kit/describe/errors.ts'
import type { App, Caller } from '../context.ts'
import { paysForPlan } from '../outside/mailLimit.ts'
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

/** Calls of one key in a minute by what is known of its business: so many from each day of its age on, or with a plan. */
export const keyCalls = { start: 120, week: 300, month: 600, paying: 1200 } as const

/** Calls of one key in a minute; over all server processes together. */
export const keyCallsOf = ({ ageDays, isPaying }: { ageDays: number; isPaying: boolean }): number =>
  isPaying ? keyCalls.paying : ageDays < 7 ? keyCalls.start : ageDays < 30 ? keyCalls.week : keyCalls.month

/** What was found of a business is kept for so long. */
const knownMs = 300_000
const known = new WeakMap<App, Map<string, { until: number; limit: Promise<number> }>>()

/** The limit of the keys of a business. A test business has that of its real one. */
async function findLimit(app: App, companyId: string): Promise<number> {
  const { rows } = await sql<{ id: string; since: Date | string }>`select r.id, r.created_at as since
    from companies c join companies r on r.id = coalesce(c.test_of, c.id)
    where c.id = ${companyId}`.execute(app.db.kysely)
  const { id, since } = rows[0]!
  const ageDays = (app.now().getTime() - new Date(since).getTime()) / 86_400_000
  return keyCallsOf({ ageDays, isPaying: await paysForPlan(app, id) })
}

function keyLimit(app: App, companyId: string): Promise<number> {
  let kept = known.get(app)
  if (!kept) known.set(app, (kept = new Map()))
  const there = kept.get(companyId)
  const now = app.now().getTime()
  if (there && there.until > now) return there.limit
  // So that businesses that are gone are not kept for ever.
  if (kept.size >= 10_000) kept.clear()
  const limit = findLimit(app, companyId)
  kept.set(companyId, { until: now + knownMs, limit })
  limit.catch(() => kept.delete(companyId))
  return limit
}

/** Counts a call of a key: what is left in this minute, and the seconds until the next one. */
export async function countKeyCall(app: App, companyId: string, keyId: string): Promise<Room> {
  const limit = await keyLimit(app, companyId)
  const { rows } = await sql<{ count: number; reset: number }>`
    insert into throttles as t (key, window_start, count)
    values (${`key:${keyId}`}, date_trunc('minute', now()), 1)
    on conflict (key, window_start) do update set count = t.count + 1
    returning count, greatest(1, ceil(extract(epoch from window_start + interval '1 minute' - now())))::int as
      reset`.execute(app.db.kysely)
  const { count, reset } = rows[0]!
  return {
    limit,
    remaining: Math.max(0, limit - count),
    reset,
    over: count > limit,
  }
}
