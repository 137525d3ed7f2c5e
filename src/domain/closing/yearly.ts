import { addMonths, startOfMonth, yearOf, type Day } from '../day.ts'
import type { BusinessKind } from '../documents/kinds.ts'
import { dueOfYear } from '../law/dues.ts'

/** What is handed in once for a year, besides form 856. */
export const yearlyDuties = ['exemptStatement', 'form6111', 'annualReturn'] as const
export type YearlyDuty = (typeof yearlyDuties)[number]

const exempt: readonly YearlyDuty[] = ['exemptStatement', 'annualReturn']
const doubleEntry: readonly YearlyDuty[] = ['form6111', 'annualReturn']

export interface Yearly {
  duty: YearlyDuty
  /** The year it is about. */
  year: number
  dueDay: Day
}

/**
 * The list of a month, named by its last day: what the law requires in the month after it, as the month itself is
 * reported then.
 */
export const yearlyIn = (kind: BusinessKind, to: Day): Yearly[] =>
  [yearOf(to) - 1, yearOf(to)].flatMap((year) =>
    (kind === 'exemptDealer' ? exempt : doubleEntry).flatMap((duty): Yearly[] => {
      const dueDay = dueOfYear(duty, year, kind === 'exemptDealer').day
      return startOfMonth(to) === addMonths(startOfMonth(dueDay), -1) ? [{ duty, year, dueDay }] : []
    }),
  )
