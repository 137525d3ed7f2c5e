import { splitByLargestRemainder, type Agorot } from '../money.ts'
import { parseDecimal4 } from '../quantity.ts'

/**
 * How a sum of the house is split over its flats. By area is what the law says where a house decided nothing
 * (Land Law, section 58).
 */
export const splitRules = ['equal', 'area', 'floor', 'share', 'own'] as const
export type SplitRule = (typeof splitRules)[number]

export interface Flat {
  readonly isExempt: boolean
  /** Square metres, an exact decimal. */
  readonly area: string | null
  /** What its floor bears beside a whole part, which is 100; null where the house set nothing for it. */
  readonly floorWeight: number | null
  readonly shareBp: number | null
  /** Its monthly payment in a custom table. */
  readonly ownAgorot: Agorot | null
}

/**
 * Why an amount cannot be split: no flat pays, a flat has no area, a flat has no floor or its floor no part, shares
 * of all flats are not a hundred per cent, a flat has no custom amount.
 */
export type SplitFault = 'noFlats' | 'noArea' | 'noFloor' | 'sharesNotWhole' | 'noOwn'

/**
 * What each flat pays of an amount, in their order: together exactly that amount, the rest of the division by the
 * largest remainder. An exempt flat pays nothing and the others bear its part. With custom amounts the house's total
 * is their total, unless a one-time amount is split in their proportion.
 */
export function splitOver(
  flats: readonly Flat[],
  rule: SplitRule,
  agorot: Agorot | 'own',
): Agorot[] | SplitFault {
  const pays = flats.filter((flat) => !flat.isExempt)
  if (!pays.length) return 'noFlats'
  if (rule === 'area' && pays.some((flat) => flat.area === null)) return 'noArea'
  if (rule === 'floor' && pays.some((flat) => flat.floorWeight === null)) return 'noFloor'
  if (rule === 'share' && flats.reduce((sum, flat) => sum + (flat.shareBp ?? 0), 0) !== 10_000)
    return 'sharesNotWhole'
  if (rule === 'own' && pays.some((flat) => flat.ownAgorot === null)) return 'noOwn'
  if (rule === 'own' && agorot === 'own') return flats.map((flat) => (flat.isExempt ? 0 : flat.ownAgorot!))
  if (agorot === 'own') return 'noOwn'
  const weights = flats.map((flat) =>
    flat.isExempt
      ? 0
      : rule === 'equal'
        ? 1
        : rule === 'area'
          ? parseDecimal4(flat.area!)!
          : rule === 'floor'
            ? flat.floorWeight!
            : rule === 'share'
              ? (flat.shareBp ?? 0)
              : flat.ownAgorot!,
  )
  if (weights.every((weight) => weight === 0))
    return rule === 'share' ? 'sharesNotWhole' : rule === 'floor' ? 'noFloor' : 'noOwn'
  return splitByLargestRemainder(agorot, weights)
}

/** What a flat pays in each instalment: as equal as can be, the larger first. */
export const instalmentsOf = (agorot: Agorot, count: number): Agorot[] =>
  splitByLargestRemainder(
    agorot,
    Array.from({ length: count }, () => 1),
  )

export interface Due {
  readonly id: string
  readonly month: string
  readonly kind: 'month' | 'levy' | 'opening'
  readonly openAgorot: Agorot
}

/**
 * What a sum pays, the oldest first; of one month what was there before it, then the month, then a levy. The
 * rest stays for what comes.
 */
export function payOldest(
  dues: readonly Due[],
  agorot: Agorot,
): { paid: { id: string; agorot: Agorot }[]; ahead: Agorot } {
  const rank = { opening: 0, month: 1, levy: 2 } as const
  let left = agorot
  const paid: { id: string; agorot: Agorot }[] = []
  for (const due of dues.toSorted((a, b) =>
    a.month < b.month ? -1 : a.month > b.month ? 1 : rank[a.kind] - rank[b.kind],
  )) {
    const part = Math.min(left, due.openAgorot)
    if (part <= 0) continue
    paid.push({ id: due.id, agorot: part })
    left -= part
  }
  return { paid, ahead: left }
}
