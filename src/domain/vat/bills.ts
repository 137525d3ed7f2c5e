import type { Day, Period } from '../day.ts'
import { lastVatDay } from '../law/terms.ts'
import { timesRate, type Agorot, type BasisPoints } from '../money.ts'

/** Suppliers round by the line and some round down: so many agorot are no mistake. */
export const vatTolerance: Agorot = 10

/**
 * By how much the VAT of a bill differs from the rate of its day, in agorot: positive when the bill has more.
 * 0 when it fits, and for a bill without VAT, which is lawful (an exempt dealer, fruit and vegetables, a
 * bank).
 */
export function vatDifference(net: Agorot, vat: Agorot, rate: BasisPoints): Agorot {
  if (vat === 0) return 0
  const difference = vat - timesRate(net, rate, 'halfAwayFromZero')
  return Math.abs(difference) <= vatTolerance ? 0 : difference
}

/**
 * What is wrong with claiming a bill's VAT on this day; undefined when nothing is. `periodOn`: the VAT period
 * of a day.
 */
export function refuseVatDay(
  day: Day,
  vatDay: Day,
  periodOn: (day: Day) => Period,
): 'tooEarly' | 'tooLate' | undefined {
  if (vatDay < periodOn(day).from) return 'tooEarly'
  // Anywhere in the paper's own period is always in time.
  return vatDay > lastVatDay(day) && vatDay > periodOn(day).to ? 'tooLate' : undefined
}

/** A bill's number as it is compared: '000123', '123' and ' 12-3 ' are one number. */
export const numberKey = (number: string): string =>
  number
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '')
