import { addMonths, daysBetween, endOfMonth, startOfMonth, type Day, type Period } from '../day.ts'
import { splitByLargestRemainder, sum, timesFraction, type Agorot, type BasisPoints } from '../money.ts'

/*
 * A budget: for each account of income or expense and each month a sum, positive as the account grows. Agorot
 * are kept; screens show whole shekels.
 */

export const monthsOfYear = 12

/** The first days of a year's months. */
export const monthsIn = (year: number): Day[] =>
  Array.from({ length: monthsOfYear }, (_, i) => addMonths(`${year}-01-01`, i))

/**
 * A year's sum over its months, to the agora: as equal as can be, or in the proportions of another year. A
 * month that was turned round there (a reversal) carries no weight; a year in which nothing was carries none
 * at all.
 */
export function spreadYear(total: Agorot, like?: readonly Agorot[]): Agorot[] {
  const weights = Array.from({ length: monthsOfYear }, (_, i) => Math.max(0, like?.[i] ?? 0))
  return splitByLargestRemainder(total, weights.some((weight) => weight > 0) ? weights : weights.map(() => 1))
}

/** A sum raised by a percentage, or lowered by a negative one. */
export const raised = (amount: Agorot, percent: BasisPoints): Agorot =>
  timesFraction(amount, 10_000 + percent, 10_000, 'halfAwayFromZero')

/** What real figures a budget is copied from. */
export const copySources = ['lastYear', 'newest', 'lastBudget'] as const
export type CopySource = (typeof copySources)[number]

/**
 * The month whose real figures stand for a month of a budget when the newest are asked for: the last whole
 * one of its name.
 */
export function newestLike(month: Day, today: Day): Day {
  const running = startOfMonth(today)
  let like = month
  while (like >= running) like = addMonths(like, -12)
  return like
}

/**
 * What a budget says of a stretch of days: whole months whole, of a month that is cut as many of its days,
 * rounded once for the month.
 */
export function budgetIn(months: ReadonlyMap<Day, Agorot>, { from, to }: Period): Agorot {
  const parts: Agorot[] = []
  for (const [month, agorot] of months) {
    const last = endOfMonth(month)
    const [first, end] = [month < from ? from : month, last > to ? to : last]
    if (first > end) continue
    parts.push(
      timesFraction(agorot, daysBetween(first, end) + 1, daysBetween(month, last) + 1, 'halfAwayFromZero'),
    )
  }
  return sum(parts)
}
