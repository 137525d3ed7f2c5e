import { expect, test } from 'vitest'
import { advancesOf, wholeShekels } from './advances.ts'

test.each([
  ['turnover times the rate, in whole shekels', [[1_234_567, 0]], 500, [[61_700, 0]]],
  ['less what customers withheld', [[1_000_000, 20_000]], 500, [[30_000, 0]]],
  [
    'what is withheld beyond it serves the next period',
    [
      [1_000_000, 70_000],
      [1_000_000, 0],
    ],
    500,
    [
      [0, 20_000],
      [30_000, 0],
    ],
  ],
  [
    'and the one after it',
    [
      [100_000, 70_000],
      [1_000_000, 0],
      [1_000_000, 0],
    ],
    500,
    [
      [0, 65_000],
      [0, 15_000],
      [35_000, 0],
    ],
  ],
  ['credits beyond sales are no advance', [[-100_000, 0]], 500, [[0, 0]]],
  ['no rate, nothing to pay', [[1_000_000, 1000]], 0, [[0, 1000]]],
] as [string, [number, number][], number, [number, number][]][])('%s', (_, periods, rate, expected) => {
  const made = advancesOf(periods.map(([turnover, withheld]) => ({ turnover, withheld, rateBp: rate })))
  expect(made.map((one) => [one.toPay, one.carried])).toEqual(expected)
})

test('a new rate changes nothing of the periods before it', () => {
  const period = { turnover: 1_000_000, withheld: 0 }
  expect(
    advancesOf([500, 500, 300].map((rateBp) => ({ ...period, rateBp }))).map((one) => one.toPay),
  ).toEqual([50_000, 50_000, 30_000])
})

test('whole shekels round half away from zero', () => {
  expect([150, 149, -150, 50, -49].map(wholeShekels)).toEqual([200, 100, -200, 100, -0])
})
