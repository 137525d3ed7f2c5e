import { addMonths, startOfMonth, yearOf, type Day } from '../day.ts'
import type { BusinessKind } from '../documents/kinds.ts'
import { dueOfYear } from '../law/dues.ts'

/** What is handed in once for a year, besides form 856. */
export const yearlyDuties = ['exemptStatement', 'smallStatement', 'form6111', 'annualReturn'] as const
export type YearlyDuty = (typeof yearlyDuties)[number]

/** Of a small business the short statement replaces the annual return, and an individual hands in no form 6111 with it. */
const dutiesOf = (kind: BusinessKind, isSmall: boolean): readonly YearlyDuty[] => [
  ...(kind === 'exemptDealer' ? (['exemptStatement'] as const) : []),
  ...(isSmall
    ? (['smallStatement'] as const)
    : kind === 'exemptDealer'
      ? (['annualReturn'] as const)
      : (['form6111', 'annualReturn'] as const)),
]

export interface Yearly {
  duty: YearlyDuty
  /** The year it is about. */
  year: number
  dueDay: Day
}

/**
 * The list of a month, named by its last day: what the law requires in the month after it, as the month itself is
 * reported then.
 * @param isSmallIn whether the business takes the fixed deduction of a small business in a year
 */
export const yearlyIn = (kind: BusinessKind, to: Day, isSmallIn: (year: number) => boolean): Yearly[] =>
  [yearOf(to) - 1, yearOf(to)].flatMap((year) =>
    dutiesOf(kind, isSmallIn(year)).flatMap((duty): Yearly[] => {
      const dueDay = dueOfYear(duty, year, kind === 'exemptDealer').day
      return startOfMonth(to) === addMonths(startOfMonth(dueDay), -1) ? [{ duty, year, dueDay }] : []
    }),
  )
