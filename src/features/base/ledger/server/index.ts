import { implement } from '#kit/server/contract/implement.ts'
import { refuseUnlessOpen } from '#kit/server/described/reports.ts'
import { runReport } from '#kit/server/described/serveReports.ts'
import { serveResource } from '#kit/server/described/resources.ts'
import * as calls from '../endpoints.ts'
import '../rules.ts'
import { servedAccounts } from './accounts.ts'
import { addEntry } from './addEntry.ts'
import { balanceOn } from './balanceOn.ts'
import { cardLines } from './card.ts'
import { codeImplementations } from './codes.ts'
import { codes6111Of, import6111, tie6111 } from './codes6111.ts'
import { entryOf, listEntries } from './entries.ts'
import { balanceSheet } from './reports/balanceSheet.ts'
import { accountCard, partyCard } from './reports/cards.ts'
import { generalLedger } from './reports/generalLedger.ts'
import { totalBalance } from './reports/partyBalances.ts'
import { profitLoss, profitYears } from './reports/profit.ts'
import { trialBalance } from './reports/trialBalance.ts'

export { codesOf as codes6111OfYear } from './codes6111.ts'
export { ensureAccount } from './ensureAccount.ts'
export { ensureCodes } from './codes.ts'
export { entryLinesOf } from './entryLinesOf.ts'
export { postingsOf } from './postingsOf.ts'
export { accountSums, balanceToday, net, partiesNet, partySums } from './sums.ts'
export { openBooks } from './openBooks.ts'
export { accountIds, entryForDatabase, post, postAll, type AccountIds, type Entry } from './post.ts'

export const implementations = [
  ...serveResource(servedAccounts),
  ...codeImplementations,
  implement(calls.addEntry, addEntry),
  implement(calls.cardOfAccount, (ctx, { id, from, to }) => {
    refuseUnlessOpen(ctx, accountCard)
    return runReport(ctx, accountCard, { account: id, from, to })
  }),
  implement(calls.cardLines, (ctx, input) => {
    refuseUnlessOpen(ctx, accountCard)
    return cardLines(ctx, input)
  }),
  implement(calls.accountBalance, balanceOn),
  implement(calls.listEntries, (ctx, input) => {
    refuseUnlessOpen(ctx, accountCard)
    return listEntries(ctx, input)
  }),
  implement(calls.getEntry, (ctx, { id }) => {
    refuseUnlessOpen(ctx, accountCard)
    return entryOf(ctx, id)
  }),
  implement(calls.codes6111Of, (ctx, { year }) => codes6111Of(ctx, year)),
  implement(calls.tie6111, tie6111),
  implement(calls.import6111, import6111),
]

export const reports = [
  trialBalance,
  balanceSheet,
  profitLoss,
  profitYears,
  generalLedger,
  totalBalance,
  accountCard,
  partyCard('customerCard', '/invoice/reportcustomercard', 'customer', 'reports.accounting'),
  partyCard('providerCard', '/invoice/reportprovidercard', 'supplier', 'reports.accounting'),
]
