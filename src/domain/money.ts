import { plainNumberText, readUnsigned } from './numberText.ts'

/**
 * A sum in hundredths of its currency's unit (agorot of the shekel, cents of the dollar): always a whole,
 * safe integer.
 */
export type Agorot = number

/** A rate or a discount in hundredths of a per cent: 18% is 1800. */
export type BasisPoints = number

/**
 * The one rounding of the product, written out at the call so that a reader sees where a figure is rounded.
 */
export type Rounding = 'halfAwayFromZero'

/** To what the total of a document is rounded: 'whole' and 'half' are units of the currency (shekels). */
export type TotalRounding = 'none' | 'whole' | 'half'

/** The same number, or RangeError when it is not a whole safe integer: a float must never pass for money. */
export function assertWhole(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole safe integer: ${value}`)
  return value === 0 ? 0 : value
}

/** A big integer as an ordinary number; RangeError above 2^53. */
export function toSafeNumber(value: bigint): number {
  return assertWhole(Number(value))
}

/**
 * numerator / denominator to a whole number, half away from zero. The denominator may be negative, not zero.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const above = numerator < 0n ? -numerator : numerator
  const below = denominator < 0n ? -denominator : denominator
  const quotient = (2n * above + below) / (2n * below)
  return negative ? -quotient : quotient
}

// example: rounding
/** amount x rate: the VAT on a sum without VAT, a discount, a withholding. */
export function timesRate(amount: Agorot, rate: BasisPoints, _rounding: Rounding): Agorot {
  return toSafeNumber(divideRounded(big(amount) * big(rate), 10_000n))
}
// example end

/** The VAT inside a sum that includes it: round(amount x rate / (1 + rate)). */
export function includedRate(
  amount: Agorot,
  rate: BasisPoints,
  _rounding: Rounding = 'halfAwayFromZero',
): Agorot {
  return toSafeNumber(divideRounded(big(amount) * big(rate), 10_000n + big(rate)))
}

/**
 * amount x numerator / denominator, for shares such as the two thirds of a car's VAT. RangeError on a zero
 * denominator.
 */
export function timesFraction(
  amount: Agorot,
  numerator: number,
  denominator: number,
  _rounding: Rounding,
): Agorot {
  return toSafeNumber(divideRounded(big(amount) * big(numerator), big(denominator)))
}

/**
 * The amount of a line: round(quantity x unit price x (1 - discount)), with a single rounding at the end,
 * because rounding the price first would move the sum of a thousand pieces by shekels. Unit price and
 * quantity are in ten-thousandths.
 */
export function timesQuantity(unitPrice: number, quantity: number, discount: BasisPoints = 0): Agorot {
  return toSafeNumber(
    divideRounded(big(unitPrice) * big(quantity) * (10_000n - big(discount)), 10_000_000_000n),
  )
}

/** The sum; RangeError when a part or the sum is not a safe integer. */
export function sum(amounts: readonly Agorot[]): Agorot {
  let total = 0
  for (const amount of amounts) total = assertWhole(total + assertWhole(amount))
  return total
}

/**
 * Splits a total in proportion to the weights, so that the parts sum to it exactly: every part is its exact
 * share rounded down or up, up for those with the largest remainder, and of equal remainders the earlier. A
 * weight of zero gets nothing; a weight of the other sign gets the other sign. Weights that sum to zero carry
 * no proportion, and then the parts are as equal as can be. RangeError when there is something to split and
 * nothing to split it over.
 */
export function splitByLargestRemainder(total: Agorot, weights: readonly number[]): Agorot[] {
  const whole = weights.map(big)
  const sumOfWeights = whole.reduce((left, right) => left + right, 0n)
  if (sumOfWeights === 0n) {
    return apportion(
      total,
      whole.map(() => big(total)),
      BigInt(weights.length),
    )
  }
  return apportion(
    total,
    whole.map((weight) => big(total) * weight),
    sumOfWeights,
  )
}

/**
 * Whole parts nearest to the exact values numerators[i] / denominator that sum to the total: round all down,
 * then hand out what is missing, one each, by largest remainder. Parts whose exact value is zero take none of
 * it while another can.
 */
export function apportion(total: Agorot, numerators: readonly bigint[], denominator: bigint): Agorot[] {
  if (numerators.length === 0) {
    if (total !== 0) throw new RangeError('nothing to split over')
    return []
  }
  if (denominator === 0n) throw new RangeError('a share needs a denominator')
  const turned = denominator < 0n ? numerators.map((value) => -value) : numerators
  const below = denominator < 0n ? -denominator : denominator
  // A negative total is split as its mirror image, so that a credit undoes its invoice line by line.
  const isMirrored = total < 0 || (total === 0 && (turned.find((value) => value !== 0n) ?? 0n) < 0n)
  if (isMirrored) {
    const opposite = turned.map((value) => -value)
    return apportion(-total, opposite, below).map((part) => (part === 0 ? 0 : -part))
  }
  const parts = turned.map((value) => floorDivide(value, below))
  const remainders = turned.map((value, index) => value - (parts[index] ?? 0n) * below)

  const takers = turned.map((_, index) => index).filter((index) => turned[index] !== 0n)
  const order = (takers.length > 0 ? takers : turned.map((_, index) => index)).toSorted((left, right) => {
    const difference = (remainders[right] ?? 0n) - (remainders[left] ?? 0n)
    return difference > 0n ? 1 : difference < 0n ? -1 : left - right
  })
  const missing = big(total) - parts.reduce((left, right) => left + right, 0n)
  const count = BigInt(order.length)
  const forEach = floorDivide(missing, count)
  const forFirst = missing - forEach * count
  order.forEach((index, place) => {
    parts[index] = (parts[index] ?? 0n) + forEach + (BigInt(place) < forFirst ? 1n : 0n)
  })
  return parts.map(toSafeNumber)
}

/** Whole shekels (not agorot) for the tax reports, where each figure is rounded separately. */
export function toWholeShekels(amount: Agorot): number {
  return toSafeNumber(divideRounded(big(amount), 100n))
}

/** The amount rounded to a whole or half unit, still in agorot. */
export function roundTo(amount: Agorot, to: TotalRounding): Agorot {
  if (to === 'none') return assertWhole(amount)
  const step = to === 'whole' ? 100n : 50n
  return toSafeNumber(divideRounded(big(amount), step) * step)
}

/**
 * Reads a typed or pasted amount: '1,234.50', '-5', '5-', '(5.00)', '(1,234.00-)', '₪ 12', and small calculations
 * such as '1000+250-30' and '3*40'. Undefined for anything else: empty text, commas not at thousands, a plain number
 * with more than two decimals. Only a product may be finer than an agora, and its result is rounded.
 */
export function parseMoney(text: string): Agorot | undefined {
  let rest = plainNumberText(text)
  let negative = false
  const bracketed = /^\((.+?)-?\)$/.exec(rest)
  const trailing = /^(.+)-$/.exec(rest)
  if (bracketed) {
    rest = bracketed[1] ?? ''
    negative = true
    if (rest.startsWith('-')) return undefined
  } else if (trailing) {
    rest = trailing[1] ?? ''
    negative = true
    if (rest.startsWith('-')) return undefined
  }
  const value = readSum(rest.replace(/^=/, ''))
  if (value === undefined) return undefined
  const amount = Number(divideRounded(negative ? -value : value, MONEY_SCALE / 100n))
  return Number.isSafeInteger(amount) ? (amount === 0 ? 0 : amount) : undefined
}

/** Twelve decimals: room for a product of three numbers of four decimals each. */
const MONEY_SCALE = 10n ** 12n

function readSum(text: string): bigint | undefined {
  if (!/^-?[^-+]+([-+][^-+]+)*$/.test(text)) return undefined
  let total = 0n
  for (const term of text.match(/[-+]?[^-+]+/g) ?? []) {
    const value = readProduct(term.replace(/^[-+]/, ''))
    if (value === undefined) return undefined
    total += term.startsWith('-') ? -value : value
  }
  return total
}

function readProduct(text: string): bigint | undefined {
  const factors = text.split(/[*×xX]/).map(readUnsigned)
  let digits = 1n
  let places = 0
  for (const factor of factors) {
    if (!factor || factor.places > (factors.length === 1 ? 2 : 4)) return undefined
    digits *= factor.digits
    places += factor.places
  }
  return places > 12 ? undefined : digits * 10n ** BigInt(12 - places)
}

function big(value: number): bigint {
  return BigInt(assertWhole(value))
}

function floorDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}
