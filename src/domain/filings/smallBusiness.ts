import type { BusinessKind } from '../documents/kinds.ts'
import { inForceOn, knownOn } from '../law/figures.ts'
import { smallBusinessFrom, warCountsFrom } from '../law/terms.ts'
import { sum, timesRate, type Agorot } from '../money.ts'

/*
 * A small business (esek zair) by the Income Tax Ordinance, sections 87b to 87g: an individual whose turnover does not
 * exceed the exempt dealer's ceiling may deduct a fixed part of it in place of the expenses, and hands in a short
 * statement in place of the annual return.
 */

/** From a tax year on, until another one is set: whether the business takes the fixed deduction. */
export interface SmallElection {
  readonly fromYear: number
  readonly takes: boolean
}

/** Whether the business takes the fixed deduction in a year; elections may come in any order. */
export function takesSmall(elections: readonly SmallElection[], year: number): boolean {
  const last = elections
    .filter(({ fromYear }) => fromYear <= year)
    .toSorted((a, b) => a.fromYear - b.fromYear)
    .at(-1)
  return year >= smallBusinessFrom && (last?.takes ?? false)
}

/** After a year in which it stopped, a business takes the deduction in neither of so many years (section 87e(b)). */
const barredYears = 2

/** The first year from which a business may take the deduction, not before `year`: one that stopped waits. */
export function mayTakeFrom(elections: readonly SmallElection[], year: number): number {
  const first = Math.max(year, smallBusinessFrom)
  for (let stopped = first - barredYears; stopped < first; stopped++)
    if (takesSmall(elections, stopped - 1) && !takesSmall(elections, stopped))
      return stopped + barredYears + 1
  return first
}

/** Only individuals are small businesses. */
export const maySmall = (kind: BusinessKind): boolean => kind === 'exemptDealer' || kind === 'licensedDealer'

/**
 * What bars a business from the deduction although its turnover allows it (section 87e(a)). The books know none of
 * these, so the business answers for them.
 */
export const smallConditions = [
  'employees',
  'books',
  'ownWork',
  'employer',
  'transparent',
  'relatives',
  'control',
] as const
export type SmallCondition = (typeof smallConditions)[number]

/**
 * Payments of the year that no document shows. Compensation for indirect war damage is turnover; the others replace
 * income, are taxed whole and leave the right to the short statement as it is.
 */
export const smallPayments = ['war', 'reserve', 'birth', 'pregnancy'] as const
export type SmallPayment = (typeof smallPayments)[number]

export const isTurnover = (kind: SmallPayment, year: number): boolean =>
  kind === 'war' && year >= warCountsFrom

export interface SmallFacts {
  year: number
  /** Turnover by the books, without VAT, by month. */
  months: readonly Agorot[]
  payments: readonly { kind: SmallPayment; amountAgorot: Agorot; withheldAgorot: Agorot }[]
  /** Expenses of the year by the books. */
  expenses: Agorot
  /** Deductions that the fixed one replaces and no account of the books shows, such as National Insurance. */
  otherDeductions: Agorot
  /** Withheld by customers. */
  withheld: Agorot
}

export interface SmallStatement {
  turnover: Agorot
  /** Compensation that counts as turnover. */
  compensation: Agorot
  /** Both. */
  whole: Agorot
  rateBp: number
  deduction: Agorot
  /** Payments that are taxed whole. */
  otherPayments: Agorot
  /** What is taxed by the fixed deduction and by the expenses as they were. */
  income: Agorot
  actualIncome: Agorot
  actual: Agorot
  withheld: Agorot
  better: 'small' | 'actual' | 'same'
  /** How much less is taxed by the better of the two. */
  difference: Agorot
  /** `unknown`: the ceiling of the year is not known here. */
  ceiling: { state: 'within' | 'near' | 'passed' | 'unknown'; limit: Agorot | null }
}

/** From this part of the ceiling on a business is warned, in percent; as exempt dealers are. */
const nearPercent = 80

function ceilingOf(whole: Agorot, year: number): SmallStatement['ceiling'] {
  const limit = knownOn('exemptCeiling', `${year}-12-31`)
  if (limit === undefined) return { state: 'unknown', limit: null }
  if (whole > limit) return { state: 'passed', limit }
  return { state: whole * 100 >= limit * nearPercent ? 'near' : 'within', limit }
}

/** The figures of the year's short statement, and beside them those of the ordinary method. */
export function smallStatement(facts: SmallFacts): SmallStatement {
  const { year, payments } = facts
  const rateBp = inForceOn('smallDeduction', `${year}-12-31`) ?? 0
  const turnover = sum(facts.months)
  const compensation = sum(
    payments.filter(({ kind }) => isTurnover(kind, year)).map((one) => one.amountAgorot),
  )
  const otherPayments = sum(payments.map((one) => one.amountAgorot)) - compensation
  const whole = turnover + compensation
  // A year of more credits than sales has nothing to deduct from.
  const deduction = timesRate(Math.max(0, whole), rateBp, 'halfAwayFromZero')
  const actual = facts.expenses + facts.otherDeductions
  const income = whole - deduction + otherPayments
  const actualIncome = whole - actual + otherPayments
  return {
    turnover,
    compensation,
    whole,
    rateBp,
    deduction,
    otherPayments,
    income,
    actualIncome,
    actual,
    withheld: facts.withheld + sum(payments.map((one) => one.withheldAgorot)),
    better: income < actualIncome ? 'small' : income > actualIncome ? 'actual' : 'same',
    difference: Math.abs(income - actualIncome),
    ceiling: ceilingOf(whole, year),
  }
}
