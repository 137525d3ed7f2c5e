import { divideRounded, toSafeNumber, type BasisPoints, type Rounding } from '../money.ts'
import { assertWhole } from '../money.ts'
import type { Decimal4 } from '../quantity.ts'
import { changedByRate } from './price.ts'

/**
 * To what a changed price is brought: as it falls, agorot, tenths, halves, whole units, or an end of .90 or
 * .99.
 */
export const priceRoundings = ['none', 'agora', 'tenth', 'half', 'whole', 'ninety', 'ninetyNine'] as const
export type PriceRounding = (typeof priceRoundings)[number]

/**
 * A change of many prices at once: by a share (-500 is five per cent less) or by a sum, then brought to a
 * round figure.
 */
export interface PriceRule {
  change: { basisPoints: BasisPoints } | { sum: Decimal4 }
  rounding: PriceRounding
}

const steps: Record<PriceRounding, { step: Decimal4; end: Decimal4 }> = {
  none: { step: 1, end: 0 },
  agora: { step: 100, end: 0 },
  tenth: { step: 1_000, end: 0 },
  half: { step: 5_000, end: 0 },
  whole: { step: 10_000, end: 0 },
  ninety: { step: 10_000, end: 9_000 },
  ninetyNine: { step: 10_000, end: 9_900 },
}

/**
 * The nearest price with the wished end, half upwards; an end such as .90 never turns something into nothing.
 */
export function roundedPrice(price: Decimal4, rounding: PriceRounding, _rounding: Rounding): Decimal4 {
  const { step, end } = steps[rounding]
  const nearest = toSafeNumber(divideRounded(BigInt(price - end), BigInt(step))) * step + end
  return price <= 0 ? 0 : Math.max(nearest, end)
}

/** A price after the rule; never below nothing. RangeError beyond what is exact. */
export const changedPrice = (price: Decimal4, { change, rounding }: PriceRule): Decimal4 =>
  roundedPrice(
    'basisPoints' in change
      ? changedByRate(price, change.basisPoints, 'halfAwayFromZero')
      : Math.max(0, assertWhole(price + change.sum)),
    rounding,
    'halfAwayFromZero',
  )
