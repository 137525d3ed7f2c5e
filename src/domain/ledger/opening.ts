import { divideRounded, sum, toSafeNumber, type Agorot } from '../money.ts'
import type { Day } from '../day.ts'
import { balance, credit, debit, entryOf, type Posting } from './entry.ts'

/** A paper from before the books began that is still owed. */
export interface OpeningItem {
  readonly role: 'customer' | 'supplier'
  readonly party: string
  readonly day: Day
  /**
   * Owed to us by a customer, by us to a supplier, in its currency; negative: money or a credit that waits.
   */
  readonly amount: Agorot
  /** Shekels for one unit, as a decimal of up to four places. */
  readonly rate: string
  /** Of a customer of a business that counts by cash: income of the day it is paid. */
  readonly incomeWhenPaid?: boolean
  /**
   * Of a customer's debt in shekels: the VAT in it that falls due as it is paid, because the business reports
   * it so.
   */
  readonly vat?: Agorot
}

/** What an item is in shekels: at its rate, rounded once, half away from zero. */
export function inIls({ amount, rate }: Pick<OpeningItem, 'amount' | 'rate'>): Agorot {
  const [whole = '0', part = ''] = rate.split('.')
  const parts = BigInt(whole) * 10_000n + BigInt(part.padEnd(4, '0').slice(0, 4))
  return toSafeNumber(divideRounded(BigInt(amount) * parts, 10_000n))
}

export interface OpeningAccounts {
  readonly customers: string
  readonly suppliers: string
  readonly outputVat: string
  /** Takes the other side of everything, and in the end only what the old books lacked. */
  readonly openingBalances: string
}

/**
 * The entry of one item: what the party owes, carried over against the account of opening balances, but for
 * VAT that is not reported yet.
 */
export function postOpeningItem(item: OpeningItem, accounts: OpeningAccounts): Posting[] {
  const ils = inIls(item)
  return item.role === 'customer'
    ? entryOf([
        debit(accounts.customers, ils, item.party),
        credit(accounts.outputVat, item.vat ?? 0),
        credit(accounts.openingBalances, ils - (item.vat ?? 0)),
      ])
    : entryOf([credit(accounts.suppliers, ils, item.party), debit(accounts.openingBalances, ils)])
}

/**
 * The lines of a trial balance without the VAT that the items bring themselves: it is part of the balance the
 * old books had on that account. Where they had none, the items bring it all.
 */
export function withoutVatOf(
  items: readonly OpeningItem[],
  lines: readonly Posting[],
  outputVat: string,
): Posting[] {
  const brought = sum(items.map(({ vat = 0 }) => vat))
  return brought !== 0 && lines.some(({ account }) => account === outputVat)
    ? [...lines, debit(outputVat, brought)]
    : [...lines]
}

/**
 * What lines and items leave over together: debit positive. Nothing when the old books balanced. Books by
 * cash name no debts of customers, so those that count when they are paid stand beside the balance.
 */
export const openingDifference = (lines: readonly Posting[], items: readonly OpeningItem[]): Agorot =>
  balance(lines) +
  sum(
    items.map((item) =>
      item.incomeWhenPaid ? 0 : item.role === 'customer' ? inIls(item) - (item.vat ?? 0) : -inIls(item),
    ),
  )

/**
 * The payment of a debt that no year had counted: the receipt's income is of this year, and what stood
 * against the debt since the opening goes. Credits the customer with what was paid, which the income did not.
 */
export const postPaidOpening = (
  ils: Agorot,
  accounts: { readonly customers: string; readonly party: string; readonly openingBalances: string },
): Posting[] =>
  entryOf([debit(accounts.openingBalances, ils), credit(accounts.customers, ils, accounts.party)])

/** The entry of the accounts that keep no cards; its other side is where the items stood against. */
export const postOpeningLines = (lines: readonly Posting[], accounts: OpeningAccounts): Posting[] =>
  entryOf([...lines, credit(accounts.openingBalances, balance(lines))])
