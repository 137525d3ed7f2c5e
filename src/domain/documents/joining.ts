import { timesFraction, timesQuantity, type Agorot, type BasisPoints } from '../money.ts'
import type { Decimal4 } from '../quantity.ts'
import { lineAmount, type Discount } from './arithmetic.ts'

/*
 * Discounts on their way into the next paper. Nothing that was promised may be lost when a part of a paper
 * goes on, or several go into one.
 */

/** A line on its way, with what its paper took off it. */
export interface DiscountedLine {
  /** Which of the papers it comes from. */
  readonly paper: number
  /** What VAT is worked out on together with it: its class and whether its price includes VAT. */
  readonly group: string
  /** The part that goes on, and the price. */
  readonly quantity: Decimal4
  readonly unitPrice: Decimal4
  /** Its own discount, of this part. */
  readonly own: Discount | undefined
  /** The discount of its paper, by percent. */
  readonly documentBp: BasisPoints
  /** Its part of a discount by sum, in proportion to the quantity that goes on. */
  readonly share: Agorot
}

export interface JoinedDiscounts {
  /** Of the whole new paper. */
  readonly discount: Discount | null
  /** By line. */
  readonly lines: readonly (Discount | undefined)[]
}

/**
 * One percent that all have stays the percent of the whole, and one paper's discount by sum that of the
 * whole. Where papers differ, a percent goes into the lines: ten and five percent are 14.5, and a sum where
 * no percent says it exactly. Shares of discounts by sum make one sum of the whole while all lines are taxed
 * alike; else each goes into its own line, since a sum over all of them would move from what is taxed to what
 * is not. 'apart' when a line cannot bear its share.
 */
export function joinDiscounts(lines: readonly DiscountedLine[]): JoinedDiscounts | 'apart' {
  const [first] = lines
  const own = lines.map((line) => line.own)
  if (first?.documentBp && lines.every(({ documentBp }) => documentBp === first.documentBp))
    return { discount: { basisPoints: first.documentBp }, lines: own }
  const agorot = lines.reduce((sum, { share }) => sum + share, 0)
  const inWhole =
    lines.every(({ paper }) => paper === first?.paper) ||
    (agorot >= 0 && lines.every(({ group }) => group === first?.group))
  const joined = lines.map((line) => ownWith(line, inWhole ? 0 : line.share))
  if (joined.includes('apart')) return 'apart'
  return { discount: inWhole && agorot > 0 ? { agorot } : null, lines: joined as (Discount | undefined)[] }
}

/** The discount of a line with what its paper took off it besides. */
function ownWith(
  { quantity, unitPrice, own, documentBp }: DiscountedLine,
  share: Agorot,
): Discount | undefined | 'apart' {
  const ownBp = own && 'basisPoints' in own ? own.basisPoints : 0
  const isPercent = !own || 'basisPoints' in own
  if (!share && isPercent && ((10_000 - ownBp) * documentBp) % 10_000 === 0) {
    const basisPoints = ownBp + ((10_000 - ownBp) * documentBp) / 10_000
    return basisPoints ? { basisPoints } : undefined
  }
  const whole = timesQuantity(unitPrice, quantity)
  const after = lineAmount({ quantity, unitPrice, ...(own ? { discount: own } : {}) })
  const agorot =
    (whole - after + timesFraction(after, documentBp, 10_000, 'halfAwayFromZero') + share) * Math.sign(whole)
  if (agorot < 0 || agorot > Math.abs(whole)) return 'apart'
  return agorot ? { agorot } : undefined
}

/**
 * The part of a line's share of a discount by sum that goes with `taken` of the `left` of its `whole`
 * quantity: parts taken one after another sum to it exactly. Quantities in ten-thousandths.
 */
export function shareOf(share: Agorot, whole: number, left: number, taken: number): Agorot {
  if (whole <= 0) return share
  const upTo = (quantity: number) => timesFraction(share, quantity, whole, 'halfAwayFromZero')
  return upTo(Math.max(0, left)) - upTo(Math.max(0, left - taken))
}

/**
 * A line's own discount for the part of it that is taken: the same percent, or its share of the sum and never
 * above the part.
 */
export function discountOfPart(
  discount: Discount | undefined,
  {
    whole,
    left,
    taken,
    unitPrice,
  }: { whole: Decimal4; left: Decimal4; taken: Decimal4; unitPrice: Decimal4 },
): Discount | undefined {
  if (!discount || 'basisPoints' in discount) return discount
  const agorot = Math.min(
    shareOf(discount.agorot, whole, left, taken),
    Math.abs(timesQuantity(unitPrice, taken)),
  )
  return agorot > 0 ? { agorot } : undefined
}
