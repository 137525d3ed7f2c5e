import { timesFraction, type Agorot, type BasisPoints } from '../money.ts'
import type { Discount } from './arithmetic.ts'

/*
 * Discounts on their way into the next paper. Nothing that was promised may be lost when a part of a paper goes on, or several go into one.
 */

/** A line on its way, with what its paper took off it. */
export interface DiscountedLine {
  /** Its own discount. */
  readonly lineBp: BasisPoints
  /** The discount of its paper, by percent. */
  readonly documentBp: BasisPoints
  /** Its part of a discount by sum, in proportion to the quantity that goes on. */
  readonly share: Agorot
}

/**
 * One percent that all have stays the percent of the whole. Where papers differ it goes into the lines: ten and five percent are 14.5, to a hundredth
 * of a per cent. Shares of discounts by sum make one sum of the whole.
 */
export function joinDiscounts(lines: readonly DiscountedLine[]): { discount: Discount | null; lines: BasisPoints[] } {
  const agorot = lines.reduce((sum, { share }) => sum + share, 0)
  const [first] = lines
  const isOne = lines.every(({ documentBp }) => documentBp === first?.documentBp)
  if (isOne && first?.documentBp) return { discount: { basisPoints: first.documentBp }, lines: lines.map(({ lineBp }) => lineBp) }
  return {
    discount: agorot > 0 ? { agorot } : null,
    lines: lines.map(({ lineBp, documentBp }) => lineBp + timesFraction(10_000 - lineBp, documentBp, 10_000, 'halfAwayFromZero')),
  }
}

/**
 * The part of a line's share of a discount by sum that goes with `taken` of the `left` of its `whole` quantity: parts taken one after another sum to
 * it exactly. Quantities in ten-thousandths.
 */
export function shareOf(share: Agorot, whole: number, left: number, taken: number): Agorot {
  if (whole <= 0) return share
  const upTo = (quantity: number) => timesFraction(share, quantity, whole, 'halfAwayFromZero')
  return upTo(Math.max(0, left)) - upTo(Math.max(0, left - taken))
}
