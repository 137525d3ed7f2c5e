import type { Day } from '../day.ts'
import { divideRounded, timesFraction, toSafeNumber, type Agorot } from '../money.ts'
import { parseDecimal4, toText } from '../quantity.ts'
import type { Turn } from './schedule.ts'

/** What makes the first charges less than the others. */
export interface Benefit {
  /**
   * What the first charge comes to before VAT is added or with it, as the lines say; null where there is
   * none.
   */
  firstPriceAgorot: Agorot | null
  /** Taken off so many first charges. */
  discountBp: number
  discountTurns: number
}

export const links = ['none', 'cpi', 'usd'] as const
export type LinkedTo = (typeof links)[number]

/** An index or a rate of exchange, exact, with the day or month it is of. */
export interface Known {
  value: string
  of: Day
}

/** How a sum follows an index. */
export interface Link {
  to: LinkedTo
  base: Known
  /** A fall below the base lowers the sum. */
  falls: boolean
}

export interface Line {
  description: string
  quantity: string
  unitPrice: string
}

/** Numerator and denominator of what a sum is multiplied by, in millionths of each. */
export interface Ratio {
  up: bigint
  down: bigint
}

const millionths = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0').slice(0, 6))
}

/** By how much an index moved since the base; one whole where it fell and the deal does not follow falls. */
export function ratioOf({ base, falls }: Pick<Link, 'base' | 'falls'>, known: Known): Ratio {
  const [up, down] = [millionths(known.value), millionths(base.value)]
  return !falls && up < down ? { up: down, down } : { up, down }
}

/** A price in shekels to the agora times a ratio; half an agora goes away from zero. */
export function linkedPrice(unitPrice: string, { up, down }: Ratio): string {
  const price = BigInt(parseDecimal4(unitPrice) ?? 0)
  // Decimals of four places: to whole agorot and back.
  return toText(toSafeNumber(divideRounded(price * up, down * 100n)) * 100)
}

/** A price of a part of a period, to the agora. */
export const partPrice = (unitPrice: string, { days, of }: { days: number; of: number }): string =>
  toText(
    toSafeNumber(divideRounded(BigInt(parseDecimal4(unitPrice) ?? 0) * BigInt(days), BigInt(of) * 100n)) *
      100,
  )

export type Reduction = 'first' | 'discount'

/** What is taken off a charge as a whole: the rest down to the first price, or a part of it. */
export function reductionOf(
  { no }: Pick<Turn, 'no'>,
  { firstPriceAgorot, discountBp, discountTurns }: Benefit,
  sumAgorot: Agorot,
): { kind: Reduction; discount: { agorot: Agorot } | { basisPoints: number } } | undefined {
  if (no === 1 && firstPriceAgorot !== null && firstPriceAgorot < sumAgorot)
    return { kind: 'first', discount: { agorot: sumAgorot - firstPriceAgorot } }
  if (no <= discountTurns && discountBp > 0)
    return { kind: 'discount', discount: { basisPoints: discountBp } }
  return undefined
}

/** How many of the first charges are less than the usual one. */
export const benefitTurns = ({ firstPriceAgorot, discountBp, discountTurns }: Benefit): number =>
  Math.max(firstPriceAgorot === null ? 0 : 1, discountBp > 0 ? discountTurns : 0)

/**
 * What a charge comes to in a month: a year by its twelfth, weeks and days by a year's. Half an agora goes
 * away from zero.
 */
export function monthlyOf(agorot: Agorot, every: number, unit: 'day' | 'week' | 'month' | 'year'): Agorot {
  switch (unit) {
    case 'month':
      return timesFraction(agorot, 1, every, 'halfAwayFromZero')
    case 'year':
      return timesFraction(agorot, 1, 12 * every, 'halfAwayFromZero')
    case 'week':
      return timesFraction(agorot, 52, 12 * every, 'halfAwayFromZero')
    case 'day':
      return timesFraction(agorot, 365, 12 * every, 'halfAwayFromZero')
  }
}
