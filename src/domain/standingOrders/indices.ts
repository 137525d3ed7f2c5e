import { addDays, addMonths, startOfMonth, type Day } from '../day.ts'
import { divideRounded } from '../money.ts'

/**
 * A month's consumer price index as it was published, and by what it is multiplied to stand on the same base
 * as those before it.
 */
export interface MonthIndex {
  /** The first day of the month. */
  month: Day
  value: string
  /**
   * 1 until the bureau begins a new base; from then on the linking coefficient it published, times those
   * before.
   */
  coefficient: string
}

/** The index of a month is published on the fifteenth of the next (Central Bureau of Statistics). */
export const publishedOn = (month: Day): Day => addDays(startOfMonth(addMonths(month, 1)), 14)

const tenMillionths = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole) * 10_000_000n + BigInt(part.padEnd(7, '0').slice(0, 7))
}

/** The index on one base through all years: its value times the coefficient, to six places. */
export function chained({ value, coefficient }: Pick<MonthIndex, 'value' | 'coefficient'>): string {
  const product = divideRounded(tenMillionths(value) * tenMillionths(coefficient), 100_000_000n)
  const digits = product.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** The index that is known on a day: the last that was published, and not the one of its own month. */
export function knownIndex(indices: readonly MonthIndex[], day: Day): { value: string; of: Day } | undefined {
  let found: MonthIndex | undefined
  for (const one of indices)
    if (publishedOn(one.month) <= day && (!found || one.month > found.month)) found = one
  return found && { value: chained(found), of: found.month }
}
