import { expect, test } from 'vitest'
import { barsOf, hasRightCheckDigit } from './barcode.ts'

test.each([
  ['7290000066318', true],
  ['7290000066319', false],
  ['036000291452', true], // UPC-A
  ['036000291453', false],
  ['7290000060040', true], // what completes the ten already is 0
  ['7290000060019', true],
  ['73513537', true], // EAN-8
  ['73513536', false],
  ['10012345678902', true], // a carton
  ['ABC-12', undefined],
  ['12345', undefined],
])('%s', (code, right) => expect(hasRightCheckDigit(code)).toBe(right))

test('a barcode is ninety-five modules, an eight-digit one sixty-seven, each beginning and ending with a guard', () => {
  // The pattern printed in the standard's own example.
  expect(barsOf('5901234123457')).toBe(
    '10100010110100111011001100100110111101001110101010110011011011001000010101110010011101000100101',
  )
  expect(barsOf('036000291452')).toBe(barsOf('0036000291452'))
  expect(barsOf('73513537')).toMatch(/^101[01]{28}01010[01]{28}101$/)
  expect(barsOf('7290000066319')).toBeUndefined()
})
