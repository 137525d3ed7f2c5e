import type { Day } from '../day.ts'
import { sum, type Agorot } from '../money.ts'

/*
 * What is owed now. A customer may have paid money that no document was closed with: it stays on account, and what it
 * covers is not asked for again. Whatever asks for money (reminders, pages where it is paid, statements, debits) asks for
 * this amount; the SQL of the same rule is `owedNow` of the documents.
 */

/** What is open of a document. */
export interface OpenAmount {
  readonly id: string
  /** Above zero: a debt, or what a request for payment asks for. Below zero: money or a credit on account. */
  readonly open: Agorot
  /** It asks for money that nobody owes yet: money on account covers it after all debts. */
  readonly asks?: boolean
  /** The day it is due, or its own. */
  readonly day: Day
  readonly number: number
}

/**
 * What is owed now of each debt and request of one customer in one currency, by its id. Money on account covers debts by
 * the day they are due, then requests.
 */
export function owedNow(items: readonly OpenAmount[]): Map<string, Agorot> {
  let onAccount = -sum(items.map(({ open }) => Math.min(open, 0)))
  const owed = new Map<string, Agorot>()
  for (const { id, open } of items.filter((one) => one.open > 0).toSorted(byAge)) {
    const covered = Math.min(open, onAccount)
    onAccount -= covered
    owed.set(id, open - covered)
  }
  return owed
}

const byAge = (one: OpenAmount, other: OpenAmount): number =>
  Number(one.asks ?? false) - Number(other.asks ?? false) ||
  (one.day < other.day ? -1 : one.day > other.day ? 1 : 0) ||
  one.number - other.number ||
  (one.id < other.id ? -1 : 1)
