import type { Day } from '../day.ts'
import { sum, type Agorot } from '../money.ts'

/*
 * What suppliers were paid and what was withheld from them (forms 856, 857 and 102), told twice: from the
 * payments, and from the lines of the books alone. The two are compared supplier by supplier and month by
 * month, so that two mistakes never cancel each other out.
 */

/** A payment; its reversal has the day of the reversal with negated amounts and `count` -1. */
export interface PaidPaper {
  supplierId: string
  day: Day
  count: 1 | -1
  gross: Agorot
  withheld: Agorot
}

/** A line of the entry of a payment or of its reversal; debit positive. */
export interface PaidLine {
  entryId: string
  day: Day
  /** The supplier's card, or the account of tax withheld from suppliers. */
  role: 'card' | 'tax'
  /** Of a card. */
  supplierId: string | null
  amount: Agorot
}

export interface PayeeMonth {
  /** 'YYYY-MM'. */
  month: string
  supplierId: string
  payments: number
  gross: Agorot
  withheld: Agorot
}

const monthOf = (day: Day): string => day.slice(0, 7)
const rising = (a: PayeeMonth, b: PayeeMonth): number =>
  a.month.localeCompare(b.month) || a.supplierId.localeCompare(b.supplierId)

function gather(moves: readonly PayeeMonth[]): PayeeMonth[] {
  const found = new Map<string, PayeeMonth>()
  for (const move of moves) {
    const key = `${move.month}|${move.supplierId}`
    const of = found.get(key)
    if (!of) found.set(key, { ...move })
    else {
      of.payments += move.payments
      of.gross += move.gross
      of.withheld += move.withheld
    }
  }
  // What was reversed in its own month never was.
  return [...found.values()]
    .filter((one) => one.payments !== 0 || one.gross !== 0 || one.withheld !== 0)
    .toSorted(rising)
}

export const paidByPapers = (papers: readonly PaidPaper[]): PayeeMonth[] =>
  gather(papers.map(({ day, count, ...p }) => ({ ...p, month: monthOf(day), payments: count })))

/**
 * What the entries took from suppliers' cards, and what each left on the account of tax withheld: the tax of
 * an entry is that of its supplier.
 */
export function paidByBooks(lines: readonly PaidLine[]): PayeeMonth[] {
  const entries = new Map<string, PaidLine[]>()
  for (const line of lines) entries.set(line.entryId, [...(entries.get(line.entryId) ?? []), line])
  return gather(
    [...entries.values()].flatMap((of) => {
      const cards = of.filter((line) => line.role === 'card' && line.supplierId !== null)
      const tax = -sum(of.filter((line) => line.role === 'tax').map((line) => line.amount))
      return cards.map((card, i) => ({
        month: monthOf(card.day),
        supplierId: card.supplierId!,
        payments: 0,
        gross: card.amount,
        withheld: i === 0 ? tax : 0,
      }))
    }),
  )
}

/**
 * What of a month's withheld tax is still owed to the authority: payments settle what is oldest first, so
 * that what is owed at the end of the month and was not paid since is the month's own up to as much as was
 * withheld in it. `owed`: of everything until its end; `paidSince`: to the authority after it.
 */
export const leftOfMonth = (withheld: Agorot, owed: Agorot, paidSince: Agorot): Agorot =>
  Math.max(0, Math.min(withheld, owed - Math.max(0, paidSince)))

/** A supplier's month about which the two disagree, and in what. */
export interface PaidDifference {
  month: string
  supplierId: string
  in: 'gross' | 'withheld'
  paper: Agorot
  books: Agorot
}

/** The suppliers' months about which the two disagree; none: the return may go. */
export function differencesOfPaid(
  papers: readonly PayeeMonth[],
  books: readonly PayeeMonth[],
): PaidDifference[] {
  const key = (one: PayeeMonth) => `${one.month}|${one.supplierId}`
  const said = new Map(papers.map((one) => [key(one), one]))
  const booked = new Map(books.map((one) => [key(one), one]))
  return [...new Map([...said, ...booked]).values()].toSorted(rising).flatMap((one) =>
    (['gross', 'withheld'] as const).flatMap((what): PaidDifference[] => {
      const [paper, book] = [said.get(key(one))?.[what] ?? 0, booked.get(key(one))?.[what] ?? 0]
      return paper === book
        ? []
        : [{ month: one.month, supplierId: one.supplierId, in: what, paper, books: book }]
    }),
  )
}

/** A sum of one paper, or of one entry of the books. */
export interface Keyed {
  key: string
  amount: Agorot
}

/** What the two ways say of one paper, where they disagree. */
export interface KeyedDifference {
  key: string
  paper: Agorot
  books: Agorot
}

/** The papers about whose sum the two ways to the turnover, or to the tax withheld from us, disagree. */
export function differencesOfSums(papers: readonly Keyed[], books: readonly Keyed[]): KeyedDifference[] {
  const found = new Map<string, KeyedDifference>()
  const of = (key: string) => {
    const known = found.get(key) ?? { key, paper: 0, books: 0 }
    found.set(key, known)
    return known
  }
  for (const { key, amount } of papers) of(key).paper += amount
  for (const { key, amount } of books) of(key).books += amount
  return [...found.values()].filter((one) => one.paper !== one.books)
}
