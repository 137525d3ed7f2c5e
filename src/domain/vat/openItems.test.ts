import fc from 'fast-check'
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

  // Rounded is the smaller part, and the larger takes what is left: half an agora moves the smaller one away
  // from zero.
  test.each([
    // One of two agorot of a hundred paid: the half of each kind.
    [3, 1, 1, 2, 1, 1],
    [1, 3, 1, 2, 1, 1],
    [5, 1, 1, 2, 2, 1],
    [1, 5, 1, 2, 1, 2],
    [7, 3, 1, 2, 3, 2],
    [3, 7, 1, 2, 2, 3],
    [-7, -3, 1, 2, -3, -2],
    [-3, -7, 1, 2, -2, -3],
    // As large one as the other: the taxed takes the rest.
    [5, 5, 1, 2, 2, 3],
    [-5, -5, 1, 2, -2, -3],
    // Of a credit in the one and a sale in the other it is the size that counts.
    [9, -3, 1, 2, 5, -2],
    [-3, 9, 1, 2, -2, 5],
  ])(
    'of %i taxed and %i untaxed, %i of %i paid: the smaller part is rounded',
    (taxable, untaxed, after, total, taxed, rest) => {
      const part = partInPeriod({ taxable, untaxed, vat: 0 }, { before: 0, after, total })
      expect([part.taxable, part.untaxed]).toEqual([taxed, rest])
    },
  )

  test('parts of any periods are the whole, each of them a part of the sum and rounded in its smaller one', () => {
    const agorot = fc.integer({ min: -10_000_000, max: 10_000_000 })
    fc.assert(
      fc.property(
        agorot,
        agorot,
        agorot,
        fc.integer({ min: 1, max: 20_000_000 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
        (taxable, untaxed, vat, total, shares) => {
          const paper = { taxable, untaxed, vat }
          const stops = [0, ...shares.map((share) => Math.round(share * total)), total]
          const parts = stops
            .slice(1)
            .map((after, i) => partInPeriod(paper, { before: stops[i]!, after, total }))
          const all = { taxable: 0, untaxed: 0, vat: 0 }
          for (const part of parts)
            for (const name of ['taxable', 'untaxed', 'vat'] as const) all[name] += part[name]
          expect(all).toEqual(paper)
          const [small, large] =
            Math.abs(untaxed) > Math.abs(taxable)
              ? (['taxable', 'untaxed'] as const)
              : (['untaxed', 'taxable'] as const)
          parts.forEach((part, i) => {
            const due = (amount: number) =>
              paidPart(amount, stops[i + 1]!, total) - paidPart(amount, stops[i]!, total)
            expect(part[small]).toBe(due(paper[small]))
            expect(part[large]).toBe(due(taxable + untaxed) - part[small])
          })
        },
      ),
    )
  })

  test.each([
    [[118_000]],
    [[1, 117_999]],
    [[33_333, 33_333, 51_334]],
    [[100, 100, 100, 117_700]],
    // Paid, reversed, and paid again.
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
