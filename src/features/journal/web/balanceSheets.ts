import { fold } from '../../../domain/fold.ts'
import { parseMoney, type Agorot } from '../../../domain/money.ts'
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
  /** By account: debit less credit; an account that stands in several rows is summed. */
  balances: Map<string, Agorot>
  /** Rows with a sum and no account of ours, or one that changes by papers only, or a sum that is none; counted from 1. */
  faults: { row: number; why: 'unknown' | 'parties' | 'sum'; text: string }[]
}

/** Between the cells: tabs of a spreadsheet, else whichever of semicolon and comma the first row has more of. */
function separatorOf(text: string): '\t' | ';' | ',' {
  if (text.includes('\t')) return '\t'
  const first = text.split(/[\r\n]/, 1)[0]!
  return first.split(';').length > first.split(',').length ? ';' : ','
}

/**
 * Reads balances out of the trial balance of another program: a number or a name, and either debit and credit or one balance, in which a debit is
 * positive. A first row with titles says which column is which, and a column of balances goes before movements; without one they stand as number,
 * name, debit, credit, or number, name, balance. Rows that come to nothing are left out.
 */
export function readBalances(text: string, { facts, words }: { facts: JournalFacts; words: BalanceWords }): ReadBalances {
  const rows = cellsOf(text.replace(/^\ufeff/, ''), separatorOf(text))
  const [debitWord, creditWord, balanceWord, numberWord] = [words.debit, words.credit, words.balance, words.number].map(fold)
  const titles = rows[0]!.map(fold)
  const at = (is: (title: string) => boolean) => titles.findIndex(is)
  let debit = at((title) => title.includes(debitWord!))
  let credit = at((title) => title.includes(creditWord!))
  let balance = at((title) => title === balanceWord)
  const hasHead = balance >= 0 || (debit >= 0 && credit >= 0)
  let number = hasHead
    ? Math.max(
        0,
        at((title) => title === numberWord || title.startsWith(numberWord!.split(' ')[0]!)),
      )
    : 0
  if (!hasHead) {
    const filled = rows.filter((row) => row.some((cell) => cell !== ''))
    // A second column in which nothing is a sum is the name.
    const start = filled.some((row) => row[1] && parseMoney(row[1]) === undefined) ? 2 : 1
    const width = Math.max(0, ...filled.map((row) => row.findLastIndex((cell) => cell !== '') + 1))
    if (width - start >= 2) [debit, credit] = [start, start + 1]
    else balance = start
    number = 0
  }
  const balances = new Map<string, Agorot>()
  const faults: ReadBalances['faults'] = []
  for (const [i, row] of rows.entries()) {
    if (hasHead && i === 0) continue
    const cell = (column: number) => (column < 0 ? '' : (row[column] ?? ''))
    const sums = balance >= 0 ? [cell(balance)] : [cell(debit), cell(credit)]
    const read = sums.map((one) => (/^[-–]?$/.test(one) ? 0 : parseMoney(one)))
    const named = [cell(number), cell(number + 1)].filter(Boolean).join(' ')
    const bad = read.indexOf(undefined)
    if (bad >= 0) {
      // Titles in another language than this screen's.
      if (i === 0 && read.every((one) => one === undefined)) continue
      if (named !== '') faults.push({ row: i + 1, why: 'sum', text: sums[bad]! })
      continue
    }
    const amount = read[0]! - (read[1] ?? 0)
    // A sum of everything names no account.
    if (amount === 0 || cell(number) === '') continue
    const id = accountIn(facts, cell(number)) ?? accountIn(facts, named)
    const account = facts.accounts.find((one) => one.id === id)
    if (!account) faults.push({ row: i + 1, why: 'unknown', text: named })
    else if (account.control !== null) faults.push({ row: i + 1, why: 'parties', text: named })
    else balances.set(account.id, (balances.get(account.id) ?? 0) + amount)
  }
  return { balances, faults }
}
