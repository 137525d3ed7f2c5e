import type { Ctx } from '../../../kit/server/context.ts'
import { bookLine } from './book.ts'
import { deskOf } from './facts.ts'
import { keepMatch } from './match.ts'
import { lockAccounts, matchedAccount } from './open.ts'

/**
 * Matches everything that is certain, and books what a rule of the business books by itself. What one match decides may make another certain, so
 * it looks again until nothing is left.
 */
export async function acceptCertain(ctx: Ctx, id: string): Promise<{ matched: number; booked: number }> {
  const { accountId } = await matchedAccount(ctx, id)
  await lockAccounts(ctx, accountId)
  let matched = 0
  let booked = 0
  for (let round = 0; round < 5; round++) {
    const { proposals } = await deskOf(ctx, id)
    const certain = proposals.filter((one) => one.confidence === 'certain')
    if (!certain.length) break
    for (const one of certain) {
      if (one.deed === null) {
        await keepMatch(ctx, { kind: 'bank', accountId, lines: one.lines, postings: one.postings, reasons: one.reasons, automatic: true })
        matched++
      } else {
        const about = { accountId: one.accountId ?? null, bankAccountId: one.bankAccountId ?? null }
        await bookLine(ctx, { id, lineId: one.lines[0]!, deed: one.deed, closes: [], ...about }, { reasons: one.reasons, automatic: true })
        booked++
      }
    }
  }
  if (matched + booked) await ctx.audit('matches.acceptCertain', 'bankaccounts', id, undefined, { matched, booked })
  return { matched, booked }
}
