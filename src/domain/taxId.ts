/*
 * Israeli numbers of persons, companies and dealers: nine digits, the last a check digit. Weights 1, 2, 1, 2
 * ... from the left, the digits of each product added, the sum divisible by ten.
 */

export type TaxIdKind = 'company' | 'nonProfit' | 'partnership' | 'cooperative' | 'person'

/**
 * Nine digits with the left zeros, whatever the dashes and spaces; undefined when there are other signs, no
 * digits or more than nine.
 */
export function normaliseTaxId(text: string): string | undefined {
  const digits = text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069\-./]/g, '')
  return /^\d{1,9}$/.test(digits) ? digits.padStart(9, '0') : undefined
}

/** True when the check digit is right. Nine zeros pass the arithmetic and are refused all the same. */
export function isTaxId(text: string): boolean {
  const digits = normaliseTaxId(text)
  return digits !== undefined && digits !== '000000000' && weighted(digits) % 10 === 0
}

/**
 * Eight digits (left zeros are added) made nine by their check digit. RangeError for anything but one to
 * eight digits.
 */
export function completeCheckDigit(firstDigits: string): string {
  if (!/^\d{1,8}$/.test(firstDigits)) throw new RangeError(`not one to eight digits: ${firstDigits}`)
  const digits = firstDigits.padStart(8, '0')
  return digits + String((10 - (weighted(`${digits}0`) % 10)) % 10)
}

/**
 * What the prefix suggests: companies 51, non-profits 58, partnerships 54 and 55, cooperatives 57, the rest
 * persons. A suggestion for a form to fill in, never a check: the registries make exceptions.
 */
export function guessTaxIdKind(text: string): TaxIdKind | undefined {
  const digits = normaliseTaxId(text)
  return digits === undefined ? undefined : (kindByPrefix[digits.slice(0, 2)] ?? 'person')
}

const kindByPrefix: Readonly<Record<string, TaxIdKind>> = {
  51: 'company',
  54: 'partnership',
  55: 'partnership',
  57: 'cooperative',
  58: 'nonProfit',
}

function weighted(nineDigits: string): number {
  let total = 0
  for (const [index, digit] of [...nineDigits].entries()) {
    const product = Number(digit) * (index % 2 === 0 ? 1 : 2)
    total += product > 9 ? product - 9 : product
  }
  return total
}
