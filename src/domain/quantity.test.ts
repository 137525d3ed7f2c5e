import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal4OfAgorot, formatDecimal4, parseDecimal4, parseDecimal4Sum, toText } from './quantity.ts'

test.each<[string | number, number]>([
  ['18.25', 182_500],
  [18.25, 182_500],
  [0.1, 1000],
  ['0.0001', 1],
  [3, 30_000],
  ['1,234.5', 12_345_000],
  ['-2', -20_000],
  ['2-', -20_000],
  [-0.5, -5000],
  ['.5', 5000],
  ['7.', 70_000],
  ['-0', 0],
  ['\u20661.5\u2069', 15_000],
])('%s is %d ten-thousandths', (value, expected) => {
  expect(parseDecimal4(value)).toBe(expected)
})

test.each<string | number>([
  '',
  '.',
  '-',
  '1.00001',
  '0.00001',
  0.1 + 0.2,
  1e-7,
  1e21,
  '1e3',
  '1,5',
  '0x10',
  'x',
  Number.NaN,
  Infinity,
  '9999999999999',
  '--1',
])('%s is refused', (value) => {
  expect(parseDecimal4(value)).toBeUndefined()
})

test.each([
  [182_500, '18.25', '18.25'],
  [-30_000, '-3', '-3'],
  [1, '0.0001', '0.0001'],
  [12_345_678_900, '1234567.89', '1,234,567.89'],
  [0, '0', '0'],
  [-5, '-0.0005', '-0.0005'],
])('%d is written %s', (value, machine, field) => {
  expect(toText(value)).toBe(machine)
  expect(formatDecimal4(value)).toBe(field)
})

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(parseDecimal4(toText(value))).toBe(value)
      expect(parseDecimal4(formatDecimal4(value))).toBe(value)
    }),
  )
})

test('a float is no decimal', () => {
  expect(() => toText(1.5)).toThrow(RangeError)
  expect(() => decimal4OfAgorot(0.5)).not.toThrow()
  expect(() => decimal4OfAgorot(0.005)).toThrow(RangeError)
})

test('a sum of money as a unit price', () => {
  expect(decimal4OfAgorot(1250)).toBe(125_000)
})

test.each([
  ['3*40', 1_200_000],
  ['12.5+7', 195_000],
  ['1,000+250-30', 12_200_000],
  ['=2x1.25', 25_000],
  ['0.5*0.5', 2500],
  ['18.25', 182_500],
  ['-5', -50_000],
])('the sum %s is %d', (text, value) => {
  expect(parseDecimal4Sum(text)).toBe(value)
})

test.each(['3*', '*3', '1e3', '0.001*0.01', 'abc', '', '3**4', '1.23456'])(
  'the sum %s is refused',
  (text) => {
    expect(parseDecimal4Sum(text)).toBeUndefined()
  },
)
