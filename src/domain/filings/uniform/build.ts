import type { Agorot } from '../../money.ts'

/*
 * How our figures are expressed so that the identities of the Instructions hold. They want a line as quantity times
 * a price in agorot plus a discount that is never positive, while our prices have four decimals and may include VAT.
 */

interface LinePrice {
  /** In agorot, without VAT. */
  unitPrice: number
  /** Zero or of the sign opposite to the quantity's. */
  discount: Agorot
}

const roundHalfAway = (n: number): number => Math.sign(n) * Math.round(Math.abs(n))

/** round(quantity × price), both sides half away from zero; quantity in ten-thousandths, price in agorot. */
export function lineOf(quantity: number, unitPrice: number): Agorot {
  const product = BigInt(quantity) * BigInt(unitPrice)
  const half = product < 0n ? -5_000n : 5_000n
  return Number((product + half) / 10_000n)
}

/**
 * The price and discount by which `total` = round(quantity × price) + discount. `listPrice` (in agorot, may
 * have a fraction) is kept when the difference is a discount; where rounding would make it a surcharge, the
 * price is raised by as little as that takes.
 */
export function priceOfLine(quantity: number, listPrice: number, total: Agorot): LinePrice {
  if (quantity === 0) return { unitPrice: Math.max(0, roundHalfAway(listPrice)), discount: total }
  let unitPrice = roundHalfAway(listPrice)
  const way = Math.sign(quantity)
  let discount = total - lineOf(quantity, unitPrice)
  for (let tries = 0; tries < 4 && discount * way > 0; tries++) {
    unitPrice += Math.ceil((discount * way * 10_000) / Math.abs(quantity))
    discount = total - lineOf(quantity, unitPrice)
  }
  return { unitPrice, discount: discount === 0 ? 0 : discount }
}
