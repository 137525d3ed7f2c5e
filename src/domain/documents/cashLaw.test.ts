import { expect, test } from 'vitest'
import { cashLimit, refuseCash, type CashDeal } from './cashLaw.ts'

test.each<[CashDeal, number, number | undefined]>([
  ['business', 600_000, undefined], // 6,000.00: cash without limit
  ['business', 600_001, 60_000], // a tenth of 6,000.01
  ['business', 5_000_000, 500_000],
  ['business', 6_000_000, 600_000],
  ['business', 9_000_000, 600_000], // a tenth would be 9,000
  ['tourist', 4_000_000, undefined],
  ['tourist', 4_000_001, 400_000],
  ['private', 1_500_001, 150_000],
  ['privateCar', 5_000_000, undefined],
  ['privateCar', 60_000_000, 5_000_000],
])('%s at a price of %d agorot: at most %s', (deal, price, limit) => {
  expect(cashLimit('2026-01-01', price, deal)).toBe(limit)
})

test('exactly the limit may be taken, one agora more may not', () => {
  const payment = { day: '2026-01-01', price: 1_000_000, deal: 'business' } as const
  expect(refuseCash({ ...payment, cash: 100_000 })).toBeUndefined()
  expect(refuseCash({ ...payment, cash: 100_001 })).toEqual({
    code: 'payments.cashAboveLimit',
    params: { cash: 100_001, limit: 100_000, ceiling: 600_000 },
  })
})

test('the table begins on 1 August 2022', () => {
  const payment = { price: 1_000_000, cash: 1_000_000, deal: 'business' } as const
  expect(refuseCash({ ...payment, day: '2022-07-31' })).toBeUndefined()
  expect(refuseCash({ ...payment, day: '2022-08-01' })).toBeDefined()
})
