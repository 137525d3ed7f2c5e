import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  apportion,
  divideRounded,
  includedRate,
  parseMoney,
  roundTo,
  splitByLargestRemainder,
  sum,
  timesFraction,
  timesQuantity,
  timesRate,
  toWholeShekels,
} from './money.ts'

const UNSAFE = Number.MAX_SAFE_INTEGER + 1

describe('rates', () => {
  test.each([
    [100_000, 1800, 18_000],
    [25, 1800, 5], // 4.5 up
    [-25, 1800, -5], // away from zero, not towards infinity
    [24, 1800, 4], // 4.32
    [1, 1, 0],
    [0, 1800, 0],
    [99, 0, 0],
    [100_001, 1650, 16_500], // 16,500.165
  ])('%d at %d is %d', (amount, rate, vat) => {
    expect(timesRate(amount, rate, 'halfAwayFromZero')).toBe(vat)
  })

  test.each([
    [11_800, 1800, 1800],
    [100, 1800, 15], // 15.25
    [-100, 1800, -15],
    [59, 1800, 9],
    [3, 10_000, 2], // half of 3 is 1.5
    [-3, 10_000, -2],
    [11_700, 1700, 1700],
    [500, 0, 0],
  ])('%d including %d holds %d', (amount, rate, vat) => {
    expect(includedRate(amount, rate)).toBe(vat)
  })

  test('VAT put on a sum comes out of it again', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 3000 }), (net, rate) => {
        const vat = timesRate(net, rate, 'halfAwayFromZero')
        expect(includedRate(net + vat, rate)).toBe(vat)
      }),
    )
  })

  test('two thirds of a VAT of one shekel', () => {
    expect(timesFraction(100, 2, 3, 'halfAwayFromZero')).toBe(67)
    expect(timesFraction(-100, 2, 3, 'halfAwayFromZero')).toBe(-67)
  })

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, UNSAFE])('%d is not money', (amount) => {
    expect(() => timesRate(amount, 1800, 'halfAwayFromZero')).toThrow(RangeError)
    expect(() => includedRate(amount, 1800)).toThrow(RangeError)
    expect(() => sum([amount])).toThrow(RangeError)
    expect(() => roundTo(amount, 'none')).toThrow(RangeError)
  })

  test('a result beyond safe integers is refused, not rounded', () => {
    expect(() => timesRate(Number.MAX_SAFE_INTEGER, 20_000, 'halfAwayFromZero')).toThrow(RangeError)
    expect(() => sum([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError)
  })
})

test.each([
  [5n, 2n, 3n],
  [-5n, 2n, -3n],
  [5n, -2n, -3n],
  [-5n, -2n, 3n],
  [4n, 3n, 1n],
  [0n, 7n, 0n],
])('%d / %d rounds to %d', (numerator, denominator, quotient) => {
  expect(divideRounded(numerator, denominator)).toBe(quotient)
})

describe('the amount of a line', () => {
  test.each([
    // price, quantity and discount as written; amount in agorot
    [125_000, 30_000, 0, 3750],
    [125_000, 30_000, 1000, 3375],
    [3333, 10_000_000, 0, 33_330], // 1,000 at 0.3333: rounding the price first would give 330.00
    [10_050, 5000, 0, 50], // 0.5025
    [10_100, 5000, 0, 51], // 0.505 up
    [-10_100, 5000, 0, -51],
    [10_100, -5000, 0, -51],
    [10_000, 10_000, 3333, 67],
    [10_000, 10_000, 10_000, 0],
    [999_999_999_999, 10_000, 0, 9_999_999_999_990_000 / 1_000_000],
  ])('%d x %d less %d is %d', (price, quantity, discount, amount) => {
    expect(timesQuantity(price, quantity, discount)).toBe(Math.round(amount))
  })

  test('too large', () => {
    expect(() => timesQuantity(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toThrow(RangeError)
  })
})

test('a sum of sums', () => {
  expect(sum([100, 250, -30])).toBe(320)
  expect(sum([])).toBe(0)
})

describe('splitting', () => {
  test.each<[string, number, number[], number[]]>([
    ['the odd agora goes to the earlier of equals', 100, [1, 1, 1], [34, 33, 33]],
    ['to the largest remainder', 10, [1, 2, 4], [1, 3, 6]],
    ['a credit mirrors its invoice', -100, [1, 1, 1], [-34, -33, -33]],
    ['which may be the remainder of the smaller part', 5, [9, 5], [3, 2]],
    ['zero weights get nothing', 7, [0, 3, 0, 4], [0, 3, 0, 4]],
    ['nor the odd agora', 1, [0, 5, 5], [0, 1, 0]],
    ['a returned line takes the other sign', 800, [1000, -200], [1000, -200]],
    ['negative weights alone', -18, [-100, -50], [-12, -6]],
    ['no proportion: equal parts', 10, [0, 0, 0], [4, 3, 3]],
    ['weights that cancel out', 4, [5, -5], [2, 2]],
    ['nothing to split', 0, [5, 5], [0, 0]],
    ['nothing over nothing', 0, [], []],
  ])('%s', (_, total, weights, parts) => {
    expect(splitByLargestRemainder(total, weights)).toEqual(parts)
  })

  test('something over nothing is refused', () => {
    expect(() => splitByLargestRemainder(1, [])).toThrow(RangeError)
  })

  const weights = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 30 })

  test('the parts sum to the total and stand within one agora of their exact share', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), weights, (total, parts) => {
        fc.pre(parts.some((weight) => weight > 0))
        const split = splitByLargestRemainder(total, parts)
        expect(split.reduce((left, right) => left + right, 0)).toBe(total)
        const whole = parts.reduce((left, right) => left + right, 0)
        for (const [index, part] of split.entries()) {
          const error = BigInt(part) * BigInt(whole) - BigInt(total) * BigInt(parts[index] ?? 0)
          expect(error < BigInt(whole) && error > -BigInt(whole)).toBe(true)
        }
      }),
    )
  })

  test('the sum is exact with weights of any sign, and a mirrored total mirrors the parts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.array(fc.integer({ min: -1e4, max: 1e4 }), { minLength: 1, maxLength: 12 }),
        (total, signed) => {
          const split = splitByLargestRemainder(total, signed)
          expect(split.reduce((left, right) => left + right, 0)).toBe(total)
          expect(splitByLargestRemainder(-total, signed)).toEqual(
            split.map((part) => (part === 0 ? 0 : -part)),
          )
        },
      ),
    )
  })

  test('a total that the exact values do not reach is still met', () => {
    expect(apportion(10, [15n, 15n], 10n)).toEqual([5, 5])
    expect(apportion(2, [15n, 0n, 14n], 10n)).toEqual([1, 0, 1])
    expect(apportion(-3, [15n, 15n], -10n)).toEqual([-2, -1])
    expect(apportion(0, [55n, -55n], 10n)).toEqual([6, -6])
    expect(apportion(0, [-55n, 55n], 10n)).toEqual([-6, 6])
  })
})

test.each([
  [149, 1],
  [150, 2],
  [-150, -2],
  [-149, -1],
  [0, 0],
])('%d agorot are %d shekels in a tax report', (amount, shekels) => {
  expect(toWholeShekels(amount)).toBe(shekels)
})

test.each([
  [12_349, 'whole', 12_300],
  [12_350, 'whole', 12_400],
  [-12_350, 'whole', -12_400],
  [12_324, 'half', 12_300],
  [12_325, 'half', 12_350],
  [-12_325, 'half', -12_350],
  [12_377, 'none', 12_377],
] as const)('%d rounded to %s is %d', (amount, to, rounded) => {
  expect(roundTo(amount, to)).toBe(rounded)
})

describe('reading a sum', () => {
  test.each([
    ['0', 0],
    ['12', 1200],
    ['12.5', 1250],
    ['12.50', 1250],
    ['.5', 50],
    ['5.', 500],
    ['1,234.50', 123_450],
    ['1,234,567', 123_456_700],
    ['-5', -500],
    ['−5', -500],
    ['5-', -500],
    ['(5.00)', -500],
    ['(1,234.00-)', -123_400],
    ['-0', 0],
    ['₪ 1,234.00', 123_400],
    ['\u2066₪\u00a01,234.00\u2069', 123_400],
    ['١٢.5', 1250],
    ['1000+250', 125_000],
    ['=1000+250', 125_000],
    ['1,000 + 250 - 30.5', 121_950],
    ['-100+30', -7000],
    ['3*40', 12_000],
    ['2+3*40', 12_200],
    ['3×40', 12_000],
    ['0.3333*1000', 33_330],
    ['0.005*1', 1],
    ['0.5*0.0001*0.0001*100', 0],
    ['0.0001*0.0001*0.0001', 0],
    ['(100+50)', -15_000],
  ])('%s', (text, amount) => {
    expect(parseMoney(text)).toBe(amount)
  })

  test.each([
    '',
    ' ',
    '-',
    '()',
    '(-5)',
    '--5',
    '-5-',
    '1.234',
    '12,50',
    '1,23',
    '1,2345',
    ',5',
    '1.2.3',
    '1e3',
    'abc',
    '5+',
    '+',
    '3**4',
    '*3',
    '3*-4',
    '10/2',
    '0.0001*0.0001*0.0001*0.5',
    '1+2.005',
    'NaN',
    '99999999999999999',
  ])('%j is refused', (text) => {
    expect(parseMoney(text)).toBeUndefined()
  })
})
