import { fold } from '#domain/fold.ts'
import { parseMoney, type Agorot } from '#domain/money.ts'
import type { JournalFacts } from '../endpoints.ts'
import { accountIn, cellsOf } from './paste.ts'

/** What the columns of such a sheet are called; a title that holds the word of a side is that side's. */
export interface BalanceWords {
  number: string
  debit: string
  credit: string
  balance: string
}

export interface ReadBalances {
  /** By account: debit less credit; an account in several rows is added up. */
  balances: Map<string, Agorot>
  /**
   * Rows with a sum and no account of ours, or one that changes by papers only, or a sum that is none;
   * counted from 1.
   */
  faults: { row: number; why: 'unknown' | 'parties' | 'sum'; text: string }[]
}

/** A row of a table by the number its sheet shows. */
export interface SheetRow {
  row: number
  cells: readonly string[]
}

/** Cells that were copied from a spreadsheet. */
export const pastedRows = (text: string): SheetRow[] =>
  cellsOf(text).map((cells, i) => ({ row: i + 1, cells }))

/** Above the titles of a sheet may stand whose it is, and of which day. */
const mostAbove = 20

/**
 * Reads balances out of the trial balance of another program: a number or a name, and either debit and credit
 * or one balance, in which a debit is positive. A row with titles, the first or some way below it, says which
 * column is which, and a column of balances goes before movements; without one they stand as number, name,
 * debit, credit, or number, name, balance. Rows that come to nothing are left out.
 */
export function readBalances(
  sheet: readonly SheetRow[],
  { facts, words }: { facts: JournalFacts; words: BalanceWords },
): ReadBalances {
  const all = sheet.map(({ row, cells }) => ({
    row,
    cells: cells.map((one) => one.replace(/\s+/g, ' ').trim()),
  }))
  const [debitWord, creditWord, balanceWord, numberWord] = [
    words.debit,
    words.credit,
    words.balance,
    words.number,
  ].map(fold)
  const columnsIn = (cells: readonly string[]) => {
    const titles = cells.map(fold)
    return {
      titles,
      debit: titles.findIndex((title) => title.includes(debitWord!)),
      credit: titles.findIndex((title) => title.includes(creditWord!)),
      balance: titles.indexOf(balanceWord!),
    }
  }
  const head = all.slice(0, mostAbove).findIndex(({ cells }) => {
    const found = columnsIn(cells)
    // A sentence may name both sides.
    return found.balance >= 0 || (found.debit >= 0 && found.credit >= 0 && found.debit !== found.credit)
  })
  const rows = all.slice(head + 1)
  let { titles, debit, credit, balance } =
    head >= 0 ? columnsIn(all[head]!.cells) : { titles: [], debit: -1, credit: -1, balance: -1 }
  const number = Math.max(
    0,
    titles.findIndex((title) => title === numberWord || title.startsWith(numberWord!.split(' ')[0]!)),
  )
  if (head < 0) {
    const filled = rows.map(({ cells }) => cells).filter((cells) => cells.some((cell) => cell !== ''))
    // A second column in which nothing is a sum is the name.
    const start = filled.some((row) => row[1] && parseMoney(row[1]) === undefined) ? 2 : 1
    const width = Math.max(0, ...filled.map((row) => row.findLastIndex((cell) => cell !== '') + 1))
    if (width - start >= 2) [debit, credit] = [start, start + 1]
    else balance = start
  }
  const balances = new Map<string, Agorot>()
  const faults: ReadBalances['faults'] = []
  for (const { row, cells } of rows) {
    const cell = (column: number) => (column < 0 ? '' : (cells[column] ?? ''))
    const sums = balance >= 0 ? [cell(balance)] : [cell(debit), cell(credit)]
    const read = sums.map((one) => (/^[-–]?$/.test(one) ? 0 : parseMoney(one)))
    const named = [cell(number), cell(number + 1)].filter(Boolean).join(' ')
    const bad = read.indexOf(undefined)
    if (bad >= 0) {
      // Titles in another language than this screen's.
      const isFirst = balances.size + faults.length === 0
      if (head < 0 && isFirst && read.every((one) => one === undefined) && !accountIn(facts, cell(number)))
        continue
      if (named !== '') faults.push({ row, why: 'sum', text: sums[bad]! })
      continue
    }
    const amount = read[0]! - (read[1] ?? 0)
    // A sum of everything names no account.
    if (amount === 0 || cell(number) === '') continue
    const id = accountIn(facts, cell(number)) ?? accountIn(facts, named)
    const account = facts.accounts.find((one) => one.id === id)
    if (!account) faults.push({ row, why: 'unknown', text: named })
    else if (account.control !== null) faults.push({ row, why: 'parties', text: named })
    else balances.set(account.id, (balances.get(account.id) ?? 0) + amount)
  }
  return { balances, faults }
}
