import type { Day } from '../day.ts'
import type { Agorot } from '../money.ts'

/**
 * What was bought, as the shop sold it. Amounts are in hundredths of the order's currency, after the line's own
 * discount, with VAT where the shop charged any.
 */
export interface OrderLine {
  readonly name: string
  readonly sku: string
  /** A decimal of up to four places, as text. */
  readonly quantity: string
  readonly total: Agorot
  /** What was taken off the line before `total`. */
  readonly discount: Agorot
  /** The VAT inside `total`; null where the shop does not say. */
  readonly vat: Agorot | null
  /**
   * goods: carries its part of a discount on the whole order. extra: shipping, fees, tips. giftCard: a card
   * that is sold, which is money held and no supply.
   */
  readonly kind: 'goods' | 'extra' | 'giftCard'
}

export interface OrderPayment {
  /** Of `paymentMeans`; null where the shop does not say. */
  readonly means: number | null
  readonly amount: Agorot
  readonly reference: string
}

/** Money that went back to the buyer. */
export interface OrderRefund {
  readonly externalId: string
  readonly amount: Agorot
  readonly day: Day | null
  readonly reason: string
}

export interface OrderCustomer {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly taxId: string
  readonly street: string
  readonly city: string
  readonly zip: string
  /** Two letters; empty where the shop does not say. */
  readonly country: string
}

/** An order as every shop's is understood, the person who sent it. */
export interface ShopOrder {
  readonly externalId: string
  /** As the shop shows it to people. */
  readonly number: string
  /** Grows with every change; 0 where the shop says nothing of the kind. */
  readonly version: number
  readonly state: 'open' | 'paid' | 'cancelled'
  /** A trial of the shop's owner, for which nothing is issued. */
  readonly isTest: boolean
  readonly paidDay: Day | null
  readonly currency: string
  /** What was paid, gift cards included, before any refund. */
  readonly total: Agorot
  /** What was taken off the whole order, and of no line yet. */
  readonly discount: Agorot
  /** What the shop rounded the total by. */
  readonly rounding: Agorot
  /** All VAT the shop charged; null where it does not say. */
  readonly vat: Agorot | null
  readonly giftCard: Agorot
  /** A tourist's purchase, at zero rate by the shop's own mark. */
  readonly isTourist: boolean
  /** hint of the language people ordered in; empty where the shop does not say. */
  readonly language: string
  readonly customer: OrderCustomer
  readonly lines: readonly OrderLine[]
  readonly payments: readonly OrderPayment[]
  readonly refunds: readonly OrderRefund[]
}

const SCALE = 8

/**
 * An exact decimal of up to eight places as its number of hundred-millionths; undefined for what is no
 * number.
 */
export function exactOf(value: unknown): bigint | undefined {
  const text =
    typeof value === 'number'
      ? plainNumber(value)
      : typeof value === 'string'
        ? value.trim().replaceAll(',', '')
        : ''
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,20}))?$/.exec(text)
  if (!parts) return undefined
  const [, sign, whole = '', places = ''] = parts
  const kept = places.padEnd(SCALE, '0')
  let units = BigInt(whole + kept.slice(0, SCALE))
  // Shops send 14.529914529914; what lies below the eighth place is rounded once.
  if (kept.length > SCALE && kept.charCodeAt(SCALE) >= 53) units += 1n
  return sign ? -units : units
}

/** JSON numbers come as floats: 0.1 + 0.2 is meant as 0.3. */
const plainNumber = (value: number): string =>
  Number.isFinite(value) && Math.abs(value) < 1e13 ? value.toFixed(9).replace(/0$/, '') : ''

/**
 * A sum in agorot, rounded half away from zero; several parts are added before they are rounded. Undefined
 * where one of them is no number.
 */
export function agorotOf(...values: unknown[]): Agorot | undefined {
  let all = 0n
  for (const value of values) {
    const units = exactOf(value)
    if (units === undefined) return undefined
    all += units
  }
  const half = 500_000n
  const rounded = all < 0n ? -((-all + half) / 1_000_000n) : (all + half) / 1_000_000n
  const agorot = Number(rounded)
  return Number.isSafeInteger(agorot) ? agorot + 0 : undefined
}

/** A quantity as text of at most four places, or undefined. */
export function quantityOf(value: unknown): string | undefined {
  const units = exactOf(value)
  if (units === undefined || units % 10_000n !== 0n) return undefined
  const tenThousandths = units / 10_000n
  const sign = tenThousandths < 0n ? '-' : ''
  const digits = String(tenThousandths < 0n ? -tenThousandths : tenThousandths).padStart(5, '0')
  return (
    sign +
    digits.slice(0, -4) +
    (/[1-9]/.test(digits.slice(-4)) ? `.${digits.slice(-4).replace(/0+$/, '')}` : '')
  )
}
