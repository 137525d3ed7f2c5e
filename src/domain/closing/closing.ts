import { daysBetween, type Day } from '../day.ts'
import { yearlyDuties } from './yearly.ts'

/** What the books are asked before a month is closed, in the order in which it is usually mended. */
export const bookLines = [
  'bankUntil',
  'bankPapers',
  'unmatched',
  'reconciled',
  'usualBills',
  'papers',
  'expenses',
  'drafts',
  'batches',
  'allocation',
  'inputAllocation',
  'twoWays',
  'missingEntries',
  'trialBalance',
  'certificates',
  'vatFiled',
  'turnover',
  'form102',
  'form856',
  ...yearlyDuties,
] as const
export type BookLine = (typeof bookLines)[number]

/**
 * Lines that only ask whether something was or will have to be reported: no work before the month is closed.
 */
export const reportLines: readonly string[] = [
  'vatFiled',
  'turnover',
  'form102',
  'form856',
  ...yearlyDuties,
] satisfies BookLine[]

const askedLines: readonly string[] = ['bankPapers', 'usualBills'] satisfies BookLine[]
/** How many papers the client is asked for when everything that is missing is asked for. */
export const papersToAsk = (lines: readonly Pick<ClosingLine, 'line' | 'count'>[]): number =>
  lines.reduce((all, { line, count }) => all + (askedLines.includes(line) ? count : 0), 0)

/** The five questions that stand as boxes on the page of the office, and the lines behind each. */
export const questions = {
  bank: ['bankUntil', 'bankPapers'],
  suppliers: ['usualBills', 'papers', 'expenses'],
  allocation: ['allocation', 'inputAllocation'],
  matching: ['unmatched', 'reconciled', 'batches', 'drafts'],
  vat: [
    'twoWays',
    'missingEntries',
    'trialBalance',
    'vatFiled',
    'turnover',
    'form102',
    'form856',
    ...yearlyDuties,
  ],
} as const satisfies Record<string, readonly BookLine[]>
export type QuestionName = keyof typeof questions

/**
 * A line of the list: what the books say of it, and whether somebody signed it all the same. `stop`: the
 * month cannot be closed.
 */
export interface ClosingLine {
  line: string
  state: 'ok' | 'look' | 'stop'
  count: number
  isSigned: boolean
}

export const closingStates = ['untouched', 'waiting', 'work', 'review', 'filed', 'paid'] as const
export type ClosingState = (typeof closingStates)[number]

export interface ClosingFacts {
  lines: readonly ClosingLine[]
  /** Requests to the client without an answer. */
  requestsOpen: number
  /** Something was written in the month: an entry, a line of the bank, a signature. */
  isTouched: boolean
  isClosed: boolean
  /** The VAT that has to be reported with this month; null where none has. */
  vat: { isFiled: boolean } | null
  isPaid: boolean
  /** What a person recorded; it is valid until the month is closed. */
  said: 'waiting' | 'work' | 'review' | null
}

/**
 * Whether a line leaves something to do: what the books complain of and nobody signed. What stops is never
 * signed away.
 */
export const isLeft = ({ state, isSigned }: ClosingLine): boolean =>
  state === 'stop' || (state === 'look' && !isSigned)

/** The state of a month, from its books. */
export function closingState(facts: ClosingFacts): ClosingState {
  const { lines, vat, said } = facts
  const isFiled = facts.isClosed && (vat === null || vat.isFiled)
  if (isFiled) return facts.isPaid ? 'paid' : 'filed'
  if (said) return said
  if (facts.requestsOpen > 0) return 'waiting'
  if (!lines.some((line) => isLeft(line) && !reportLines.includes(line.line)))
    return facts.isTouched ? 'review' : 'untouched'
  return facts.isTouched ? 'work' : 'untouched'
}

/** How one of the five boxes is shown: full, half (something is left) or empty (nothing was begun). */
export function boxOf(
  lines: readonly ClosingLine[],
  question: QuestionName,
  isTouched: boolean,
): 'done' | 'left' | 'none' {
  const own = lines.filter(({ line }) => (questions[question] as readonly string[]).includes(line))
  if (own.some(isLeft)) return 'left'
  return isTouched ? 'done' : 'none'
}

/** Days from today until a day; negative when it is past. */
export const daysLeft = (today: Day, due: Day): number => daysBetween(today, due)
