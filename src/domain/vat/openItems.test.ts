import { describe, expect, test } from 'vitest'
import { mostVatIn, soldWith } from './openItems.ts'
import { paidPart, partInPeriod } from './papers.ts'

describe('VAT in an open item', () => {
  test.each([
    [118_000, '2026-01-10', 18_001],
    [117_000, '2024-12-31', 17_001],
    [100, '2026-01-10', 16],
    [1, '2026-01-10', 1],
    [0, '2026-01-10', 0],
    [-11_800, '2026-01-10', 0],
    [1_000, '1970-01-01', 1],
  ])('of %i agorot of %s is %i at most', (total, day, most) => expect(mostVatIn(total, day)).toBe(most))

  test.each([
    ['all of it taxed', 118_000, 18_000, '2026-01-10', 100_000, 0],
    ['rounded up by another program', 118_000, 18_001, '2026-01-10', 99_999, 0],
    ['rounded line by line', 118_000, 17_997, '2026-01-10', 100_003, 0],
    ['half of it sold without VAT', 118_000, 9_000, '2026-01-10', 50_000, 59_000],
    ['at the rate of its day', 117_000, 17_000, '2024-12-31', 100_000, 0],
    ['mixed at the rate of its day', 167_000, 17_000, '2024-12-31', 100_000, 50_000],
  ])('%s', (_, total, vat, day, taxable, untaxed) => {
    const sold = soldWith(total, vat, day)
    expect(sold).toEqual({ taxable, untaxed, vat })
    expect(sold.taxable + sold.untaxed + sold.vat).toBe(total)
  })

  test.each([
    [50_050, 50_050, 18_017, 59_059, 118_117, 25_025, 25_025],
    [99_999, 1, 18_000, 1, 118_000, 1, 0],
    [100, 33, 18, 50, 151, 33, 11],
    [33, 100, 6, 50, 139, 12, 36],
  ])(
    'of %i taxed and %i untaxed a part is a part of both together',
    (taxable, untaxed, vat, paid, total, taxed, rest) => {
      const part = partInPeriod({ taxable, untaxed, vat }, { before: 0, after: paid, total })
      expect([part.taxable, part.untaxed]).toEqual([taxed, rest])
      expect(part.taxable + part.untaxed).toBe(paidPart(taxable + untaxed, paid, total))
    },
  )

  test.each([
    [[118_000]],
    [[1, 117_999]],
    [[33_333, 33_333, 51_334]],
    [[100, 100, 100, 117_700]],
    // Paid, taken back, and paid again.
    [[50_000, -50_000, 118_000]],
    [[118_000, -118_000, 7, 117_993]],
  ])('paid by %j is reported once, to the agora', (payments) => {
    const sold = soldWith(118_000, 17_000, '2026-01-10')
    const sums = { taxable: 0, untaxed: 0, vat: 0 }
    let before = 0
    for (const paid of payments) {
      const part = partInPeriod(sold, { before, after: before + paid, total: 118_000 })
      before += paid
      for (const name of ['taxable', 'untaxed', 'vat'] as const) sums[name] += part[name]
    }
    expect(sums).toEqual(sold)
  })
})
