import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  digitsAndDot,
  formatDay,
  formatMoment,
  formatMoney,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatPrice,
  formatQuantity,
  formatShort,
  formatShortMoney,
  lowercaseLettersDigitsApostrophe,
  machineDate,
  machineMoney,
  withCurrency,
} from './format.ts'
import { parseMoney } from './money.ts'

test.each([
  [0, '0.00', '0.00'],
  [5, '0.05', '0.05'],
  [100, '1.00', '1.00'],
  [99_999, '999.99', '999.99'],
  [100_000, '1,000.00', '1000.00'],
  [123_456_789, '1,234,567.89', '1234567.89'],
  [-123_400, '(1,234.00-)', '-1234.00'],
  [-5, '(0.05-)', '-0.05'],
])('%d agorot read %s, and %s in a file', (amount, people, machine) => {
  expect(formatMoney(amount)).toBe(people)
  expect(machineMoney(amount)).toBe(machine)
})

test('every sum we show can be typed back', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (amount) => {
      expect(parseMoney(formatMoney(amount))).toBe(amount)
      expect(parseMoney(machineMoney(amount))).toBe(amount)
      expect(parseMoney(withCurrency(amount, 'ILS', 'he'))).toBe(amount)
    }),
  )
})

test('a fraction of an agora is no money', () => {
  expect(() => formatMoney(0.5)).toThrow(RangeError)
  expect(() => machineMoney(Number.NaN)).toThrow(RangeError)
})

test('numbers, quantities, prices', () => {
  expect(formatNumber(1_234_567)).toBe('1,234,567')
  expect(formatNumber(-12)).toBe('(12-)')
  expect(formatNumber(1234.5678, 2)).toBe('1,234.57')
  expect(formatNumber(-0.001, 2)).toBe('0.00')
  expect(formatQuantity(12_345_000)).toBe('1,234.5')
  expect(formatQuantity(30_000)).toBe('3')
  expect(formatQuantity(0)).toBe('0')
  expect(formatPrice(0)).toBe('0.00')
  expect(formatQuantity(-20_000)).toBe('(2-)')
  expect(formatPrice(125_000)).toBe('12.50')
  expect(formatPrice(3333)).toBe('0.3333')
  expect(formatPrice(12_345_678_000)).toBe('1,234,567.80')
  expect(formatPrice(-125_100)).toBe('(12.51-)')
})

test.each([
  ['ILS', 'en', '₪1,234.00'],
  ['ILS', 'he', '₪\u00a01,234.00'],
  ['ILS', 'ar', '₪\u00a01,234.00'],
  ['ILS', 'ru', '1,234.00\u00a0₪'],
  ['ILS', 'fr', '1,234.00\u00a0₪'],
  ['USD', 'en', '$1,234.00'],
  ['EUR', 'fr', '1,234.00\u00a0€'],
  ['CHF', 'en', '1,234.00\u00a0CHF'],
  ['CHF', 'he', '1,234.00\u00a0CHF'],
] as const)('%s in %s', (currency, language, text) => {
  expect(withCurrency(123_400, currency, language)).toBe(text)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1250, '1.3K'],
  [1_249, '1.2K'],
  [999_949, '999.9K'],
  [999_950, '1M'],
  [12_000_000, '12M'],
  [3_400_000_000, '3.4B'],
  [1_000_000_000_000, '1T'],
  [9_007_199_254_740_991, '9,007.2T'],
  [-1_200_000, '(1.2M-)'],
])('%d is short %s', (value, text) => {
  expect(formatShort(value)).toBe(text)
})

test('short money is in whole units', () => {
  expect(formatShortMoney(123_456_789)).toBe('1.2M')
  expect(formatShortMoney(99_950)).toBe('1K')
  expect(formatShortMoney(99_949)).toBe('999')
})

describe('days', () => {
  test('a day and a moment', () => {
    expect(formatDay('2025-12-31')).toBe('31/12/2025')
    expect(formatMoment(new Date('2025-12-31T12:05:00Z'))).toBe('31/12/2025 14:05')
    expect(formatMoment(new Date('2025-12-31T22:00:59Z'))).toBe('01/01/2026 00:00')
    expect(machineDate(new Date('2025-12-31T22:07:59Z'))).toBe('2026-01-01')
    expect(machineDate(new Date('2025-12-31T22:07:59Z'), true)).toBe('2026-01-01 00:07:00')
  })

  test.each([
    ['2026-01-01', '2026-01-31', '01/2026'],
    ['2026-01-01', '2026-02-28', '01-02/2026'],
    ['2026-01-01', '2026-12-31', '2026'],
    ['2025-12-01', '2026-01-31', '12/2025–01/2026'],
    ['2026-01-01', '2026-01-30', '01/01/2026–30/01/2026'],
    ['2026-01-05', '2026-01-05', '05/01/2026'],
  ])('%s to %s', (from, to, text) => {
    expect(formatPeriod({ from, to })).toBe(text)
  })
})

test('per cent', () => {
  expect(formatPercent(1800)).toBe('18%')
  expect(formatPercent(1650, 'en')).toBe('16.5%')
  expect(formatPercent(6667, 'ru')).toBe('66.67%')
  expect(formatPercent(1800, 'fr')).toBe('18\u202f%')
  expect(formatPercent(-500)).toBe('(5%-)')
  expect(formatPercent(0)).toBe('0%')
})

test('the text helpers of the specification', () => {
  expect(digitsAndDot('₪ -1,234.50 x')).toBe('1234.50')
  expect(digitsAndDot('١2')).toBe('2')
  expect(lowercaseLettersDigitsApostrophe("O'Neil שלום é 42-b")).toBe("'eil42b")
})
