import { describe, expect, test } from 'vitest'
import { totalsOf } from '#domain/documents/arithmetic.ts'
import { millionths, totalsInIls, totalsOfMoney } from './workOut.ts'

const rate = millionths('3.65')

describe('in shekels', () => {
  const bare = totalsOf({ lines: [], vatRate: 1800 })

  test.each([
    ['money that is income is exempt as a whole', true, [36_500, 36_500, 36_500]],
    ['money for a debt is no income', false, [36_500, 0, 0]],
  ] as const)('%s', (_, isIncome, sums) => {
    const { total, net, netExempt, vat } = totalsInIls(totalsOfMoney(bare, 10_000, isIncome), rate)
    expect([total, net, netExempt]).toEqual(sums)
    expect(vat).toBe(0)
  })

  test('a paper with lines is converted line by line', () => {
    const totals = totalsOf({
      lines: [
        { quantity: 10_000, unitPrice: 1_000_000, vatKind: 'beforeVat' },
        { quantity: 10_000, unitPrice: 1_000_000, vatKind: 'beforeVat', vatClass: 'exempt' },
      ],
      vatRate: 1800,
    })
    const ils = totalsInIls(totals, rate)
    expect([totals.total, totals.netExempt]).toEqual([21_800, 10_000])
    expect([ils.total, ils.netExempt, ils.netTaxable, ils.vat]).toEqual([79_570, 36_500, 36_500, 6_570])
  })
})

test.each([
  ['3', 3_000_000],
  ['3.651', 3_651_000],
  ['0.0000019', 1],
])('a rate of %s is so many millionths', (rate, result) => {
  expect(millionths(rate)).toBe(result)
})
