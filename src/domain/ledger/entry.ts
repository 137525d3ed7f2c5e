import { assertWhole, sum, type Agorot } from '../money.ts'

/** One line of a journal entry, in agorot of the books' currency. One side is zero, neither is negative. */
export interface Posting {
  readonly account: string
  /** The customer or supplier, on accounts that keep a card for each. */
  readonly party?: string
  readonly debit: Agorot
  readonly credit: Agorot
  /**
   * What it moves in the currency its account is held in; money in is positive. The books themselves are
   * shekels.
   */
  readonly foreign?: { readonly currency: string; readonly amount: Agorot }
}

/**
 * A debit line. A negative amount becomes a credit, because a line with a minus would hide on the wrong side
 * of a card.
 */
export function debit(account: string, amount: Agorot, party?: string): Posting {
  const size = Math.abs(assertWhole(amount))
  return {
    account,
    ...(party === undefined ? {} : { party }),
    debit: amount > 0 ? size : 0,
    credit: amount < 0 ? size : 0,
  }
}

/** A credit line; a negative amount becomes a debit. */
export function credit(account: string, amount: Agorot, party?: string): Posting {
  return debit(account, assertWhole(-amount), party)
}

/**
 * The lines of an entry as they are posted: lines of the same account and party joined, zeros dropped, order
 * kept. RangeError when they do not balance.
 */
export function entryOf(postings: readonly Posting[]): Posting[] {
  const joined = new Map<string, Posting>()
  for (const posting of postings) {
    const { account, party, foreign } = posting
    const key = JSON.stringify([account, party, foreign?.currency])
    const before = joined.get(key)
    const amount = balance([...(before ? [before] : []), posting])
    const moved = foreign && {
      foreign: {
        currency: foreign.currency,
        amount: (before?.foreign?.amount ?? 0) + assertWhole(foreign.amount),
      },
    }
    joined.set(key, { ...debit(account, amount, party), ...moved })
  }
  const entry = [...joined.values()].filter((posting) => posting.debit !== 0 || posting.credit !== 0)
  assertBalanced(entry)
  return entry
}

/** Debit less credit: positive when the lines leave a debit. */
export function balance(postings: readonly Posting[]): Agorot {
  return sum(postings.map((posting) => assertWhole(posting.debit - posting.credit)))
}

export function assertBalanced(postings: readonly Posting[]): void {
  const difference = balance(postings)
  if (difference !== 0)
    throw new RangeError(`the entry does not balance: debit less credit is ${difference} agorot`)
}

/**
 * The storno: the same lines with the sides changed. Nothing posted is edited, a mistake is undone by its
 * mirror image.
 */
export function reverse(postings: readonly Posting[]): Posting[] {
  return postings.map(({ foreign, ...posting }) => ({
    ...posting,
    debit: posting.credit,
    credit: posting.debit,
    ...(foreign ? { foreign: { ...foreign, amount: -foreign.amount } } : {}),
  }))
}
