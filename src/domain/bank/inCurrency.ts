import { credit, debit, entryOf, type Posting } from '../ledger/entry.ts'
import { divideRounded, toSafeNumber, type Agorot } from '../money.ts'

/** What lies on an account in its currency, and what the books carry it at in shekels. */
export interface Held {
  readonly foreign: Agorot
  readonly books: Agorot
}

/**
 * A sum of a currency in shekels at a rate of up to six decimals ('3.6512'), rounded once, half away from
 * zero.
 */
export function inShekels(foreign: Agorot, rate: string): Agorot {
  const [whole = '0', part = ''] = rate.split('.')
  const millionths = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0').slice(0, 6))
  return toSafeNumber(divideRounded(BigInt(foreign) * millionths, 1_000_000n))
}

/**
 * What an account in foreign currency moves by in shekels when so much of the currency comes or goes. What
 * comes is worth the rate of its day; what goes leaves at what the books carry it at, on the average, so that
 * an account that is empty is empty in shekels too. More than lies there goes at the rate of the day.
 */
export function carriedAt(foreign: Agorot, rate: string, held: Held): Agorot {
  // Without a balance, or with one the books carry on the other side, there is no average.
  if (
    held.foreign === 0 ||
    Math.sign(foreign) === Math.sign(held.foreign) ||
    Math.sign(held.books) !== Math.sign(held.foreign)
  )
    return inShekels(foreign, rate)
  const size = Math.abs(held.foreign)
  const covered = Math.min(Math.abs(foreign), size)
  const cost =
    covered === size
      ? held.books
      : toSafeNumber(divideRounded(BigInt(held.books) * BigInt(covered), BigInt(size)))
  return -cost + inShekels(foreign + Math.sign(held.foreign) * covered, rate)
}

/** A posting that moves a currency beside its shekels. */
export const withForeign = (posting: Posting, currency: string, amount: Agorot): Posting => ({
  ...posting,
  foreign: { currency, amount },
})

export interface Moved {
  readonly account: string
  readonly currency: string
  readonly foreign: Agorot
  /** Of the bank's account, see `carriedAt`. */
  readonly carried: Agorot
  /** At the rate of the day, or what the other side really was. */
  readonly worth: Agorot
}

/**
 * One side of an entry: the account in currency, and the difference of exchange between what it moves by and
 * what the money is worth.
 */
export const moveInCurrency = (moved: Moved, exchange: string): Posting[] => [
  withForeign(debit(moved.account, moved.carried), moved.currency, moved.foreign),
  credit(exchange, moved.carried - moved.worth),
]

/** Money in or out of an account in currency against another account, which gets what the money is worth. */
export const postInCurrency = (moved: Moved, other: string, exchange: string): Posting[] =>
  entryOf([...moveInCurrency(moved, exchange), credit(other, moved.worth)])
