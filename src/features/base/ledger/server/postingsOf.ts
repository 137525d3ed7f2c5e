import { sql } from 'kysely'
import { debit, type Posting } from '#domain/ledger/entry.ts'
import type { Ctx } from '#kit/server/context.ts'

/**
 * The lines of a posted entry as they were posted, with the currency they moved: what a storno turns round.
 */
export async function postingsOf(ctx: Ctx, entryId: string): Promise<Posting[]> {
  const { rows } = await sql<{
    account: string
    party: string | null
    amount: number
    currency: string | null
    foreign: number | null
  }>`select
      account_id as account, party_id as party, amount_agorot as amount, currency, foreign_amount as "foreign"
    from postings where company_id = ${ctx.companyId} and entry_id = ${entryId} order by line`.execute(ctx.tx)
  return rows.map(({ account, party, amount, currency, foreign }) => ({
    ...debit(account, amount, party ?? undefined),
    ...(currency ? { foreign: { currency, amount: foreign ?? 0 } } : {}),
  }))
}
