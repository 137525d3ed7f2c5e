import { describe, expect, test } from 'vitest'
import { chartFor } from '../ledger/chart.ts'
import { vatPeriod, type Day } from '../day.ts'
import { lastVatDay } from '../law/terms.ts'
import { numberKey, refuseVatDay, vatDifference } from '../vat/bills.ts'
import { expenseTypeTemplates } from './types.ts'
import { workOutExpense, type ExpensePart } from './workOut.ts'

const ils = { rateMillionths: 1_000_000, recognisesVat: true }
const part = (
  net: number,
  vat: number,
  vatShare: ExpensePart['vatShare'] = 'full',
  more: Partial<ExpensePart> = {},
): ExpensePart => ({
  net,
  vat,
  vatShare,
  incomeTaxBp: 10_000,
  isFixedAsset: false,
  ...more,
})

describe('what of the VAT is recognised', () => {
  test.each([
    ['full', 18_01, 18_01],
    ['twoThirds', 18_01, 12_01],
    ['twoThirds', 18_02, 12_01],
    ['quarter', 18_01, 4_50],
    ['quarter', 18_02, 4_51],
    ['none', 18_01, 0],
    ['twoThirds', -18_01, -12_01],
  ] as const)('%s of %i is %i', (share, vat, recognised) => {
    const sums = workOutExpense([part(Math.sign(vat) * 100_05, vat, share)], ils)
    expect(sums.recognisedVat).toBe(recognised)
    // Nothing is lost: what does not come back is part of the cost.
    expect(sums.parts[0]!.cost).toBe(sums.total - recognised)
  })

  test('nothing for whoever deducts none', () => {
    expect(workOutExpense([part(100_00, 18_00)], { ...ils, recognisesVat: false })).toMatchObject({
      recognisedVat: 0,
      total: 118_00,
    })
  })

  test('equipment apart, income tax on the cost', () => {
    const sums = workOutExpense(
      [
        part(1_000_00, 180_00, 'full', { isFixedAsset: true }),
        part(100_00, 18_00, 'twoThirds', { incomeTaxBp: 4500 }),
      ],
      ils,
    )
    expect(sums).toMatchObject({ recognisedVat: 192_00, equipmentVat: 180_00, incomeTax: 1_000_00 + 47_70 })
  })

  test('a foreign paper: each line in shekels by itself, so that the lines are the entry', () => {
    const sums = workOutExpense([part(33_33, 0), part(33_33, 0), part(33_33, 0)], {
      rateMillionths: 3_655_000,
      recognisesVat: true,
    })
    expect(sums).toMatchObject({ paper: { total: 99_99 }, total: 3 * 121_82 })
    expect(() =>
      workOutExpense([part(Number.MAX_SAFE_INTEGER, 0)], { ...ils, rateMillionths: 3_000_000 }),
    ).toThrow(RangeError)
  })
})

describe('checks', () => {
  test.each([
    [100_00, 18_00, 1800, 0],
    [100_00, 18_10, 1800, 0],
    [100_00, 18_11, 1800, 11],
    [100_00, 17_00, 1800, -1_00],
    [100_00, 17_00, 1700, 0],
    [100_00, 0, 1800, 0],
    [-100_00, -18_00, 1800, 0],
  ])('net %i with VAT %i at %i differs by %i', (net, vat, rate, difference) =>
    expect(vatDifference(net, vat, rate)).toBe(difference),
  )

  test('VAT is claimed from the paper’s own period on, for six months', () => {
    const every = (months: 1 | 2) => (day: Day) => vatPeriod(day, months)
    expect(lastVatDay('2026-08-31')).toBe('2027-02-28')
    expect(refuseVatDay('2026-02-10', '2026-01-01', every(2))).toBeUndefined()
    expect(refuseVatDay('2026-02-10', '2026-01-01', every(1))).toBe('tooEarly')
    expect(refuseVatDay('2026-02-10', '2026-08-10', every(2))).toBeUndefined()
    expect(refuseVatDay('2026-02-10', '2026-08-11', every(2))).toBe('tooLate')
  })

  test.each([
    ['000123', '123'],
    [' 12-3/4 ', '1234'],
    ['ab-01', 'AB01'],
    ['0', '0'],
    ['000', '0'],
    ['א-7', 'א7'],
    ['', ''],
  ])('number %j is compared as %j', (number, key) => expect(numberKey(number)).toBe(key))
})

describe('the template', () => {
  test('every kind stands on an account that businesses begin with, fixed assets on assets', () => {
    for (const kind of ['licensedDealer', 'exemptDealer', 'company', 'partnership', 'nonProfit'] as const) {
      const chart = new Map(chartFor(kind).map((a) => [a.number, a.kind]))
      for (const { key, account, depreciationBp } of expenseTypeTemplates)
        expect([key, chart.get(account)]).toEqual([key, depreciationBp === undefined ? 'expense' : 'asset'])
    }
    expect(new Set(expenseTypeTemplates.map((t) => t.key)).size).toBe(expenseTypeTemplates.length)
  })
})
