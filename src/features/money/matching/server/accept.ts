import { sql } from 'kysely'
import type { Failure } from '#kit/describe/errors.ts'
import { failureOf } from '#kit/server/contract/failures.ts'
import type { Ctx } from '#kit/server/context.ts'
import { bookLine } from './book.ts'
import { deskOf } from './facts.ts'
import { keepMatch } from './match.ts'
import { lockAccounts, matchedAccount } from './open.ts'

interface Accepted {
  matched: number
  booked: number
  /** What could not be booked, and why the first of it could not. */
  left: number
  why: { code: string; params: Record<string, string | number> } | null
}

/**
 * Matches everything that is certain, and posts what a rule of the business posts automatically. What one match
 * decides may make another certain, so it repeats until nothing is left. A line that cannot be posted (its month is
 * closed, its account is gone) holds nothing else up.
 */
export async function acceptCertain(ctx: Ctx, id: string): Promise<Accepted> {
  const { accountId } = await matchedAccount(ctx, id)
  await lockAccounts(ctx, accountId)
  let matched = 0
  let booked = 0
  const refused = new Map<string, Failure>()
  for (let round = 0; round < 5; round++) {
    const { proposals } = await deskOf(ctx, id)
    const certain = proposals.filter(
      (one) => one.confidence === 'certain' && !(one.deed && refused.has(one.lines[0]!)),
    )
    if (!certain.length) break
    for (const one of certain) {
      if (one.deed === null) {
        await keepMatch(ctx, {
          kind: 'bank',
          accountId,
          lines: one.lines,
          postings: one.postings,
          reasons: one.reasons,
          automatic: true,
        })
        matched++
        continue
      }
      const about = { accountId: one.accountId ?? null, bankAccountId: one.bankAccountId ?? null }
      const booking = { id, lineId: one.lines[0]!, deed: one.deed, closes: [], ...about }
      const failure = await tried(ctx, () =>
        bookLine(ctx, booking, { reasons: one.reasons, automatic: true }),
      )
      if (failure) refused.set(booking.lineId, failure)
      else booked++
    }
  }
  if (matched + booked)
    await ctx.audit('matches.acceptCertain', 'bankaccounts', id, undefined, { matched, booked })
  const [first] = refused.values()
  // A refusal of one field says more than that something is wrong.
  const why = first && (first.errors[0] ?? first)
  return {
    matched,
    booked,
    left: refused.size,
    why: why ? { code: why.code, params: { ...why.params } } : null,
  }
}

/** Does something or nothing of it; answers why it was refused. What is no refusal goes on. */
async function tried(ctx: Ctx, work: () => Promise<unknown>): Promise<Failure | undefined> {
  await sql`savepoint booking`.execute(ctx.tx)
  try {
    await work()
    await sql`release savepoint booking`.execute(ctx.tx)
    return undefined
  } catch (e) {
    const failure = failureOf(e)
    if (failure.code === 'kit.failed' || failure.code === 'kit.unavailable') throw e
    await sql`rollback to savepoint booking`.execute(ctx.tx)
    return failure
  }
}
