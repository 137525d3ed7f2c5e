import { addDays, addMonths, startOfMonth, weekday, yearOf, type Day } from '../day.ts'
import type { BusinessKind } from '../documents/kinds.ts'

/** What is handed in once for a year, besides form 856 (`dueDay856`). */
export const yearlyDuties = ['exemptStatement', 'form6111', 'annualReturn'] as const
export type YearlyDuty = (typeof yearlyDuties)[number]

/**
 * The last days, as month and day of the year after, by the law itself: an exempt dealer's statement of his turnover (VAT Regulations, Registration), and the annual
 * return (Income Tax Ordinance, section 132: the thirtieth of April; of bodies and of whoever keeps books by double entry the end of May),
 * with which form 6111 goes.
 */
const exempt: readonly (readonly [YearlyDuty, string])[] = [
  ['exemptStatement', '01-31'],
  ['annualReturn', '04-30'],
]
const doubleEntry: readonly (readonly [YearlyDuty, string])[] = [
  ['form6111', '05-31'],
  ['annualReturn', '05-31'],
]

export interface Yearly {
  duty: YearlyDuty
  /** The year it is about. */
  year: number
  dueDay: Day
}

/**
 * What stands on the list of a month, named by its last day: what the law wants in the month after it, as the month itself is reported then. What falls on the
 * Sabbath moves to the day after it (Interpretation Law, section 10).
 */
export const yearlyIn = (kind: BusinessKind, to: Day): Yearly[] =>
  [yearOf(to) - 1, yearOf(to)].flatMap((year) =>
    (kind === 'exemptDealer' ? exempt : doubleEntry).flatMap(([duty, day]): Yearly[] => {
      const due = `${year + 1}-${day}`
      if (startOfMonth(to) !== addMonths(startOfMonth(due), -1)) return []
      return [{ duty, year, dueDay: weekday(due) === 6 ? addDays(due, 1) : due }]
    }),
  )
