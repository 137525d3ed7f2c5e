import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { sourceOf } from '#kit/server/rights/address.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { forgetTries, throttle } from '#kit/server/http/throttle.ts'
import { hashToken } from '#kit/server/rights/vault.ts'

type From = Pick<OpenCtx, 'app' | 'tx' | 'address' | 'device'>

/** Whether the account was opened before in the browser that asks. */
export async function isKnownDevice({ tx, device }: From, userId: string | undefined): Promise<boolean> {
  if (!device || !userId) return false
  const { rows } = await sql`select 1 from known_devices
    where user_id = ${userId} and token_hash = ${hashToken(device)} and forgotten_at is null`.execute(tx)
  return rows.length > 0
}

/** Who asked, as far as it can be told: the browser, else the network. */
export const askedBy = ({ device, address }: Pick<From, 'device' | 'address'>): Buffer =>
  createHash('sha256')
    .update(device ? `device:${device}` : `source:${sourceOf(address)}`)
    .digest()

/**
 * Counts a try at an account before it is checked. Tries count by account and source together, so that nobody's guesses
 * lock the owner out; all unknown sources together have a higher limit, and a browser in which the account was opened
 * before has a separate limit and is bound by neither. Refuses with kit.tooMany. Answers what forgets the tries of this
 * source, for a try that was right.
 */
export async function countGuess(
  from: From,
  what: string,
  account: string,
  {
    userId,
    each,
    all,
    windowSeconds,
  }: { userId?: string | undefined; each: number; all: number; windowSeconds?: number },
): Promise<() => Promise<void>> {
  const key = `${what}:${account}`
  const isKnown = await isKnownDevice(from, userId)
  const own = isKnown
    ? `${key}:device:${hashToken(from.device!).toString('base64url')}`
    : `${key}:from:${sourceOf(from.address)}`
  await throttle(from.app, own, each, windowSeconds)
  if (!isKnown) await throttle(from.app, `${key}:all`, all, windowSeconds)
  return () => forgetTries(from.app, own)
}
