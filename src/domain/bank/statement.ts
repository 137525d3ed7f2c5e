import type { Day } from '../day.ts'
import type { Agorot } from '../money.ts'

/** What the bank says happened on an account: money in is positive, money out negative. */
export interface StatementLine {
  readonly day: Day
  readonly valueDay: Day | null
  readonly amount: Agorot
  readonly text: string
  readonly details: string
  readonly reference: string
  /** What the account stood at after this line, where the file says so. */
  readonly balance: Agorot | null
}

/** A file of a bank, its lines in the order in which they happened. */
export interface Statement {
  readonly lines: readonly StatementLine[]
  /** The account's number as the file has it; empty when it does not say. */
  readonly account: string
  readonly currency: string | null
  readonly opening: Agorot | null
  readonly closing: Agorot | null
}

/** A line of a file that could not be read; `row` from 1. */
export interface UnreadLine {
  readonly row: number
  readonly value: string
}

/** The row of a position in a text, from 1; called from its beginning to its end. */
export function rowsOf(text: string): (place: number) => number {
  let row = 1
  let at = 0
  return (place) => {
    for (; at < place; at++) if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) row++
    return row
  }
}

/** The digits that tell an account. */
const accountDigits = (text: string): string => text.replace(/\D/g, '').replace(/^0+/, '')

/**
 * Two numbers speak of one account when one ends with the other: banks put branch and bank before it.
 * Undefined when one of them says too little.
 */
export function isSameAccount(one: string, other: string): boolean | undefined {
  const [a, b] = [accountDigits(one), accountDigits(other)]
  return a.length < 5 || b.length < 5 ? undefined : a.endsWith(b) || b.endsWith(a)
}

/** Spaces of all kinds become one; signs that steer direction and control characters go. */
export const plainText = (text: string): string =>
  text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[\u0000-\u001f\u007f\s\u00a0]+/g, ' ')
    .trim()

/** How many neighbours agree with their balances, read downwards and read upwards. */
function agreeing(lines: readonly StatementLine[]): { down: number; up: number } {
  let down = 0
  let up = 0
  for (let i = 1; i < lines.length; i++) {
    const [before, after] = [lines[i - 1]!, lines[i]!]
    if (before.balance === null || after.balance === null) continue
    if (after.balance === before.balance + after.amount) down++
    if (before.balance === after.balance + before.amount) up++
  }
  return { down, up }
}

/**
 * The lines of a file from the oldest to the newest: banks write both ways, and the running balance tells
 * which it was.
 */
export function inOrder(lines: readonly StatementLine[]): StatementLine[] {
  const { down, up } = agreeing(lines)
  const first = lines[0]
  const last = lines.at(-1)
  const isTurned = up !== down ? up > down : !!first && !!last && first.day > last.day
  return isTurned ? lines.toReversed() : [...lines]
}

export interface BalanceCheck {
  /** Before the first line and after the last; null when the file has no balances. */
  readonly opening: Agorot | null
  readonly closing: Agorot | null
  /** Places (from 0) of lines whose balance is not that of the line before plus their own sum. */
  readonly mismatches: readonly number[]
}

/** Follows the running balance of lines in order. A line without one hands on what was reckoned so far. */
export function checkBalances(
  lines: readonly StatementLine[],
  given: Partial<Pick<Statement, 'opening' | 'closing'>> = {},
): BalanceCheck {
  const mismatches: number[] = []
  const firstKnown = lines.findIndex((line) => line.balance !== null)
  const before =
    firstKnown < 0
      ? null
      : lines.slice(0, firstKnown + 1).reduce((sum, line) => sum - line.amount, lines[firstKnown]!.balance!)
  const opening = given.opening ?? before
  let running = opening
  for (const [i, line] of lines.entries()) {
    if (running !== null) running += line.amount
    if (line.balance !== null) {
      if (running !== null && running !== line.balance) mismatches.push(i)
      running = line.balance
    }
  }
  if (running === null && given.closing != null) {
    return {
      opening: lines.reduce((sum, line) => sum - line.amount, given.closing),
      closing: given.closing,
      mismatches,
    }
  }
  // The file's own closing balance speaks of all its lines; where it differs, one of them is missing at the
  // end.
  if (running !== null && given.closing != null && given.closing !== running) mismatches.push(lines.length)
  return { opening, closing: given.closing ?? running, mismatches }
}
