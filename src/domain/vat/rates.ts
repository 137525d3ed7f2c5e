import type { Day } from '../day.ts'
import type { BasisPoints } from '../money.ts'

/** The standard rate of VAT in Israel from each day on, in basis points. Source: VAT orders, dates cross-checked with open tables. */
export const vatRates: readonly (readonly [from: Day, rate: BasisPoints])[] = [
  ['1976-07-01', 800],
  ['1977-11-01', 1200],
  ['1982-08-01', 1500],
  ['1985-06-01', 1700],
  ['1985-10-01', 1500],
  ['1990-03-01', 1600],
  ['1991-01-01', 1800],
  ['1993-01-01', 1700],
  ['2002-06-15', 1800],
  ['2004-03-01', 1700],
  ['2005-09-01', 1650],
  ['2006-07-01', 1550],
  ['2009-07-01', 1650],
  ['2010-01-01', 1600],
  ['2012-09-01', 1700],
  ['2013-06-02', 1800],
  ['2015-10-01', 1700],
  ['2025-01-01', 1800],
]

/**
 * The standard rate in force on a day; 0 before there was VAT. A credit does not ask here: it takes the rate of the invoice it
 * credits. A document made from another asks by its own date.
 */
export function vatRateOn(day: Day): BasisPoints {
  return vatRates.findLast(([from]) => from <= day)?.[1] ?? 0
}
