import { assertWhole } from './money.ts'
import { plainNumberText, readUnsigned, withCommas } from './numberText.ts'

/**
 * An exact decimal of up to four places, held as its number of ten-thousandths: 18.25 is 182500. Quantities
 * and unit prices.
 */
export type Decimal4 = number

/**
 * Reads a quantity or a unit price. Undefined for more than four decimals (nothing is rounded behind the
 * writer's back), for exponent forms such as 1e3, and for anything that is not a number.
 */
export function parseDecimal4(value: string | number): Decimal4 | undefined {
  const text = plainNumberText(String(value))
  const negative = /^-|-$/.test(text)
  const unsigned = readUnsigned(negative ? text.replace(/^-|-$/, '') : text)
  if (!unsigned || unsigned.places > 4) return undefined
  const scaled = Number(unsigned.digits * 10n ** BigInt(4 - unsigned.places))
  if (!Number.isSafeInteger(scaled)) return undefined
  return negative && scaled !== 0 ? -scaled : scaled
}

/**
 * Reads a quantity or a price typed as a small sum: '3*40', '12.5+7', '-2x1.25'. Every part may have four
 * decimals; a product finer than that is refused rather than rounded. Undefined for anything parseDecimal4
 * would refuse in its place.
 */
export function parseDecimal4Sum(text: string): Decimal4 | undefined {
  const plain = plainNumberText(text).replace(/^=/, '')
  const whole = parseDecimal4(plain)
  if (whole !== undefined) return whole
  if (!/^-?[^-+]+([-+][^-+]+)*$/.test(plain)) return undefined
  let total = 0n
  for (const term of plain.match(/[-+]?[^-+]+/g) ?? []) {
    const factors = term
      .replace(/^[-+]/, '')
      .split(/[*×xX]/)
      .map(readUnsigned)
    let digits = 1n
    let places = 0
    for (const factor of factors) {
      if (!factor || factor.places > 4) return undefined
      digits *= factor.digits
      places += factor.places
    }
    const unit = 10n ** BigInt(Math.max(0, places - 4))
    if (digits % unit !== 0n) return undefined
    const value = places > 4 ? digits / unit : digits * 10n ** BigInt(4 - places)
    total += term.startsWith('-') ? -value : value
  }
  const value = Number(total)
  return Number.isSafeInteger(value) ? value : undefined
}

/**
 * The machine form for the API, the database and exports: '18.25', '-3', '0.0001'. No commas, no trailing
 * zeros.
 */
export function toText(value: Decimal4): string {
  const { sign, whole, decimals } = partsOf(value)
  return sign + whole + (decimals === '' ? '' : `.${decimals}`)
}

/**
 * The form for a field being edited: '1,234.5', '-3'. For reading on screen and paper see formatQuantity and
 * formatPrice.
 */
export function formatDecimal4(value: Decimal4): string {
  const { sign, whole, decimals } = partsOf(value)
  return sign + withCommas(whole) + (decimals === '' ? '' : `.${decimals}`)
}

/** A sum of money as a unit price: 12.50 shekels (1250 agorot) is 125000. */
export function decimal4OfAgorot(amount: number): Decimal4 {
  return assertWhole(amount * 100)
}

function partsOf(value: Decimal4): { sign: string; whole: string; decimals: string } {
  const digits = String(Math.abs(assertWhole(value))).padStart(5, '0')
  return {
    sign: value < 0 ? '-' : '',
    whole: digits.slice(0, -4),
    decimals: digits.slice(-4).replace(/0+$/, ''),
  }
}
