import { expect, test } from 'vitest'
import { vatRateOn, vatRatesBefore } from './rates.ts'

test.each([
  ['1976-06-30', 0],
  ['1976-07-01', 800],
  ['2005-08-31', 1700],
  ['2005-09-01', 1650],
  ['2013-06-01', 1700],
  ['2013-06-02', 1800],
  ['2015-10-01', 1700],
  ['2024-12-31', 1700],
  ['2025-01-01', 1800],
  // After what is known the rate without an end goes on, and `unknownOn` says so.
  ['2099-01-01', 1800],
])('the rate on %s is %d', (day, rate) => {
  expect(vatRateOn(day)).toBe(rate)
})

test('the rates of the ten years before a day, the newest first', () => {
  expect(vatRatesBefore('2026-11-30')).toEqual([1800, 1700])
  expect(vatRatesBefore('2012-12-31')).toEqual([1700, 1600, 1650, 1550, 1800])
  expect(vatRatesBefore('1970-01-01')).toEqual([])
})
