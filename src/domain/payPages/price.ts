import type { Agorot } from '../money.ts'

/*
 * The price of a basket of a payment page. Prices include VAT, as a buyer pays them; everything is whole agorot, and
 * a share is rounded so that the parts are the whole.
 */

export interface BasketLine {
  /** Of the thing on the page; absent where the payer enters the amount. */
  id?: string | undefined
  quantity: number
  priceAgorot: Agorot
}

export interface CouponTerms {
  kind: 'percent' | 'sum'
  /** Basis points of a percentage, agorot of a sum. */
  value: number
  /** The things it is for; all of them when there are none. */
  itemIds: readonly string[]
  /** Less than that and it is not given. */
  leastAgorot: Agorot | null
}

/** Less is not worth a charge, and no acquirer takes it. */
export const leastCharge: Agorot = 100
/** More than this is nobody's basket. */
export const mostCharge: Agorot = 100_000_000

export type CouponTrouble = 'payPages.couponLeast' | 'payPages.couponOther' | 'payPages.couponNothingLeft'

export interface Priced {
  grossAgorot: Agorot
  discountAgorot: Agorot
  totalAgorot: Agorot
  /** What comes off each line, in its order. */
  discounts: Agorot[]
  /** Why the coupon gives nothing. */
  trouble?: CouponTrouble
}

const grossOf = ({ quantity, priceAgorot }: BasketLine): Agorot => quantity * priceAgorot

/** Calculates a basket. A coupon that does not apply is named, and the basket is valid without it. */
export function priceBasket(lines: readonly BasketLine[], coupon?: CouponTerms): Priced {
  const gross = lines.reduce((sum, line) => sum + grossOf(line), 0)
  const without = (trouble?: CouponTrouble): Priced => ({
    grossAgorot: gross,
    discountAgorot: 0,
    totalAgorot: gross,
    discounts: lines.map(() => 0),
    ...(trouble ? { trouble } : {}),
  })
  if (!coupon) return without()
  if (coupon.leastAgorot !== null && gross < coupon.leastAgorot) return without('payPages.couponLeast')
  const isFor = ({ id }: BasketLine) =>
    coupon.itemIds.length === 0 || (id !== undefined && coupon.itemIds.includes(id))
  const parts = lines.map((line) => (isFor(line) ? grossOf(line) : 0))
  const base = parts.reduce((sum, part) => sum + part, 0)
  if (base === 0) return without('payPages.couponOther')
  // Rounded half up to the agora; a sum takes no more off than there is.
  const off =
    coupon.kind === 'percent'
      ? Math.floor((base * coupon.value + 5_000) / 10_000)
      : Math.min(coupon.value, base)
  if (gross - off < leastCharge) return without('payPages.couponNothingLeft')
  return { grossAgorot: gross, discountAgorot: off, totalAgorot: gross - off, discounts: shared(off, parts) }
}

/**
 * A sum in parts that stand to each other as others do, and are it together: what rounding leaves goes to the
 * largest remainders.
 */
export function shared(sum: Agorot, by: readonly Agorot[]): Agorot[] {
  const base = by.reduce((all, part) => all + part, 0)
  if (base === 0) return by.map(() => 0)
  const exact = by.map((part) => BigInt(part) * BigInt(sum))
  const parts = exact.map((part) => Number(part / BigInt(base)))
  let left = sum - parts.reduce((all, part) => all + part, 0)
  const order = exact
    .map((part, i) => ({ i, rest: part % BigInt(base) }))
    .toSorted((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))
  for (const { i } of order) {
    if (left === 0) break
    parts[i]! += 1
    left -= 1
  }
  return parts
}

/** A code as it is looked for: people write it with spaces, dashes and in any case. */
export const foldCode = (code: string): string =>
  code
    .normalize('NFKC')
    .replace(/[\s\p{Cf}\p{Pd}_]+/gu, '')
    .toUpperCase()

/** The user of a coupon, as far as known: by email, else by phone. */
export function whoOf({ email, phone }: { email?: string | undefined; phone?: string | undefined }): string {
  const mail = email?.trim().toLowerCase()
  if (mail) return mail
  const digits = phone?.replace(/\D/g, '').replace(/^972/, '0') ?? ''
  return digits.length >= 7 ? digits : ''
}
