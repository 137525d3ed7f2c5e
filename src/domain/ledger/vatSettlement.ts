import { credit, entryOf, type Posting } from '../ledger/entry.ts'
import { sum, type Agorot } from '../money.ts'

/**
 * The entry that settles a period with the VAT authority. `balances`: what each account of VAT holds of the
 * period, debit positive; `toPay`: as it was reported, in whole shekels, negative a refund. The accounts are
 * emptied, the authority is owed what was reported, and the few agorot between go to rounding. Nothing at all
 * makes no lines.
 */
export function settlementOf(
  balances: ReadonlyMap<string, Agorot>,
  toPay: Agorot,
  accounts: { authority: string; rounding: string },
): Posting[] {
  const exact = -sum([...balances.values()])
  return entryOf([
    ...[...balances].map(([account, balance]) => credit(account, balance)),
    credit(accounts.authority, toPay),
    credit(accounts.rounding, exact - toPay),
  ])
}
