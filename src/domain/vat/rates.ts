import type { Day } from '../day.ts'
import { inForceOn } from '../law/figures.ts'
import type { BasisPoints } from '../money.ts'

/**
 * The standard rate in force on a day; 0 before there was VAT. A credit does not ask here: it takes the rate
 * of the invoice it credits. A document made from another asks by its own date. Whether the rate is known for the
 * day `unknownOn` tells.
 */
export const vatRateOn = (day: Day): BasisPoints => inForceOn('vatRate', day) ?? 0
