import { sql, type RawBuilder } from 'kysely'
import type { EntryLine } from '../endpoints.ts'
import type { Ctx } from '#kit/server/context.ts'

/**
 * The lines of some entries with their accounts and parties, in the order they were booked: what a paper did
 * in the books. `entries` is a query that gives entry ids; whether the caller may see the paper is the
 * caller's affair.
 */
export async function entryLinesOf(ctx: Ctx, entries: RawBuilder<unknown>): Promise<EntryLine[]> {
  const { rows } = await sql<EntryLine>`select p.entry_id as "entryId", p.day, e.kind, a.name as account,
        a.id as "accountId", a.number, pa.name as party,
      greatest(p.amount_agorot, 0)::bigint as "debitAgorot", greatest(-p.amount_agorot, 0)::bigint as
      "creditAgorot"
    from entries e join postings p on p.company_id = e.company_id and p.entry_id = e.id
      join accounts a on a.company_id = p.company_id and a.id = p.account_id
      left join parties pa on pa.company_id = p.company_id and pa.id = p.party_id
    where e.company_id = ${ctx.companyId} and e.id in (${entries}) order by e.id, p.line`.execute(ctx.tx)
  return rows
}
