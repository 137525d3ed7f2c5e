/*
 * Barcodes of the trade: EAN-13, EAN-8 and UPC-A share one check digit; UPC-A is an EAN-13 with a zero
 * before it.
 */

/**
 * Whether the last digit is right. Undefined for what is no barcode of goods (other lengths, letters): a business
 * may have custom codes.
 */
export function hasRightCheckDigit(code: string): boolean | undefined {
  if (!/^(\d{8}|\d{12,14})$/.test(code)) return undefined
  return Number(code.at(-1)) === checkDigit(code.slice(0, -1))
}

/** The digit that completes the others: weights 3 and 1 from the right, to the next ten. */
export function checkDigit(digits: string): number {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return (10 - (sum % 10)) % 10
}

const left = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
]
const mirrored = (pattern: string) => [...pattern].reverse().join('')
const inverted = (pattern: string) => [...pattern].map((bit) => (bit === '0' ? '1' : '0')).join('')
/** Which of the left half's digits are written in the second manner; the pattern is the first digit. */
const parity = [
  '000000',
  '001011',
  '001101',
  '001110',
  '010011',
  '011001',
  '011100',
  '010101',
  '010110',
  '011010',
]

/** Digits of the left half, each in the encoding of its position. */
const leftOf = (digits: string, manners: string): string =>
  Array.from(digits, (digit, i) =>
    manners[i] === '0' ? left[Number(digit)]! : mirrored(inverted(left[Number(digit)]!)),
  ).join('')

/**
 * The bars of an EAN-13 (or a UPC-A, or an EAN-8) as ones and noughts of one module each, without the quiet
 * zone. Undefined for a code whose check digit is wrong or that is none of these.
 */
export function barsOf(code: string): string | undefined {
  if (!hasRightCheckDigit(code) || code.length === 14) return undefined
  const right = (digits: string) => [...digits].map((digit) => inverted(left[Number(digit)]!)).join('')
  if (code.length === 8) return `101${leftOf(code.slice(0, 4), '0000')}01010${right(code.slice(4))}101`
  const full = code.padStart(13, '0')
  return `101${leftOf(full.slice(1, 7), parity[Number(full[0])]!)}01010${right(full.slice(7))}101`
}
