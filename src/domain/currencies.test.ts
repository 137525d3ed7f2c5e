import { expect, test } from 'vitest'
import { isCurrency } from './currencies.ts'

test.each(['ILS', 'USD', 'EUR', 'JOD', 'XOF', 'ZWG'])('%s is money', (code) => {
  expect(isCurrency(code)).toBe(true)
})
// Gold, a unit of account, a fund, a code for tests, one that was replaced long ago, and none at all.
test.each(['XAU', 'XDR', 'CHE', 'XTS', 'DEM', 'QQQ', 'ils', ''])('%s is none', (code) => {
  expect(isCurrency(code)).toBe(false)
})
