import { addDays, addMonths, type Day } from '../day.ts'
import { inForceOn, stepOn } from '../law/figures.ts'
import type { BasisPoints } from '../money.ts'

/**
 * The standard rate in force on a day; 0 before there was VAT. A credit does not ask here: it takes the rate
 * of the invoice it credits. A document made from another asks by its own date. Whether the rate is known for the
 * day `unknownOn` tells.
 */
export const vatRateOn = (day: Day): BasisPoints => inForceOn('vatRate', day) ?? 0

/** The rates that were in force in the ten years before a day, the newest first. */
export function vatRatesBefore(day: Day): BasisPoints[] {
  const rates: BasisPoints[] = []
  const first = addMonths(day, -120)
  for (let at: Day | undefined = day; at !== undefined;) {
    const rate = vatRateOn(at)
    if (rate && !rates.includes(rate)) rates.push(rate)
    const since: Day | undefined = stepOn('vatRate', at)
    at = since === undefined || since <= first ? undefined : addDays(since, -1)
  }
  return rates
}
