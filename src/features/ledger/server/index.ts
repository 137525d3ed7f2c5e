import { sql } from 'kysely'
import { implement } from '../../../kit/server/implement.ts'
import { fail } from '../../../kit/describe/errors.ts'
import { seesWhole } from '../../../kit/describe/session.ts'
import { mayOpen, runReport } from '../../../kit/server/reports.ts'
import { serveResource } from '../../../kit/server/resources.ts'
import { accounts } from '../accounts.ts'
import { addEntry as addEntryCall, cardOfAccount } from '../endpoints.ts'
import { addEntry } from './addEntry.ts'
import '../rules.ts'
import { accountCard, partyCard } from './reports/cards.ts'
import { trialBalance } from './reports/trialBalance.ts'

export { entryLinesOf } from './entryLinesOf.ts'
export { openBooks } from './openBooks.ts'
export { accountIds, entryForDatabase, post, type AccountIds, type Entry } from './post.ts'

/** What an account stands at today, from its monthly sums. */
const balance = sql`coalesce((select sum(m.debit_agorot - m.credit_agorot) from account_months m where m.company_id = t.company_id and m.account_id = t.id), 0)::bigint`

export const implementations = [
  ...serveResource({
    resource: accounts,
    compute: { balanceAgorot: balance },
    keptFrom: (ctx) => (seesWhole(ctx.caller) ? [] : ['balanceAgorot']),
  }),
  implement(addEntryCall, addEntry),
  implement(cardOfAccount, (ctx, { id, from, to }) => {
    if (!mayOpen(ctx, accountCard)) throw fail('session.forbidden')
    return runReport(ctx, accountCard, { account: id, from, to })
  }),
]

export const reports = [
  trialBalance,
  accountCard,
  partyCard('customerCard', '/invoice/reportcustomercard', 'customer', 'reports.accounting'),
  partyCard('providerCard', '/invoice/reportprovidercard', 'supplier', 'reports.accounting'),
]
