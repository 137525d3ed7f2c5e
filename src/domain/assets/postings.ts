import { credit, debit, entryOf, type Posting } from '../ledger/entry.ts'
import { sum, type Agorot } from '../money.ts'

/**
 * Depreciation of a period: an expense against what is worn, by the account of each kind. A negative part
 * takes too much back.
 */
export function postDepreciation(
  parts: readonly { worn: string; amount: Agorot }[],
  expense: string,
): Posting[] {
  return entryOf([
    debit(expense, sum(parts.map((part) => part.amount))),
    ...parts.map((part) => credit(part.worn, part.amount)),
  ])
}

export interface Disposal {
  cost: Agorot
  /** All that was depreciated until the day. */
  worn: Agorot
  /** What it brought, before VAT; nothing when it was scrapped. */
  proceeds: Agorot
}

/** Positive: a capital gain; negative: a loss. */
export const gainOf = ({ cost, worn, proceeds }: Disposal): Agorot => proceeds - (cost - worn)

/** Sale or scrap: cost and what is worn leave the books, what is over is gain or loss. */
export function postDisposal(
  of: Disposal,
  accounts: { cost: string; worn: string; proceeds: string | undefined; gain: string; loss: string },
): Posting[] {
  const gain = gainOf(of)
  return entryOf([
    ...(accounts.proceeds === undefined ? [] : [debit(accounts.proceeds, of.proceeds)]),
    debit(accounts.worn, of.worn),
    credit(accounts.cost, of.cost),
    credit(gain > 0 ? accounts.gain : accounts.loss, gain),
  ])
}
