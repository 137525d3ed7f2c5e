import { addDays, daysBetween, endOfMonth, type Day } from '../day.ts'

/**
 * Terms of payment: at once, so many days from the document, or so many days from the end of its month (שוטף
 * + days).
 */
export type PaymentTerms =
  | { readonly kind: 'immediate' }
  | { readonly kind: 'net'; readonly dueDays: number }
  | { readonly kind: 'endOfMonth'; readonly dueDays: number }

/**
 * The day a document is to be paid. 'End of month + 30' counts thirty days from the last day of the
 * document's month, so an invoice of any day of January falls due on 2 March (1 March in a leap year).
 * RangeError when the days are not a whole number from 0 up.
 */
export function dueDay(day: Day, terms: PaymentTerms): Day {
  if (terms.kind === 'immediate') return day
  if (!Number.isInteger(terms.dueDays) || terms.dueDays < 0)
    throw new RangeError(`not a number of days: ${terms.dueDays}`)
  return addDays(terms.kind === 'endOfMonth' ? endOfMonth(day) : day, terms.dueDays)
}

/** How many days a debt is late on a day; 0 while it is not. Due today is not late. */
export function daysLate(due: Day, today: Day): number {
  return due < today ? daysBetween(due, today) : 0
}
