import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byMonth, sharesOf } from './instalments.ts'

describe('what instalments come to', () => {
  test.each([
    [10_000, 1, [10_000]],
    [10_000, 3, [3_334, 3_333, 3_333]],
    [10_001, 2, [5_001, 5_000]],
    [5, 12, [5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('%d in %d', (agorot, instalments, shares) => expect(sharesOf(agorot, instalments)).toEqual(shares))

  test('each stands in its month; what went back takes the last ones first', () => {
    const of = (backAgorot: number) =>
      byMonth([{ day: '2026-11-30', agorot: 30_000, instalments: 3, backAgorot }])
    expect(of(0)).toEqual([
      { day: '2026-11-01', charged: 10_000, refunded: 0 },
      { day: '2026-12-01', charged: 10_000, refunded: 0 },
      { day: '2027-01-01', charged: 10_000, refunded: 0 },
    ])
    expect(of(12_000).map(({ refunded }) => refunded)).toEqual([0, 2_000, 10_000])
    expect(of(30_000).map(({ charged, refunded }) => charged - refunded)).toEqual([0, 0, 0])
  })

  test('nothing is lost or made on the way', () => {
    const charge = fc.record({
      day: fc.constantFrom('2026-01-31', '2026-02-28', '2026-12-05'),
      agorot: fc.integer({ min: 1, max: 10_000_000 }),
      instalments: fc.integer({ min: 1, max: 36 }),
      part: fc.integer({ min: 0, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 8 }), (given) => {
        const charges = given.map(({ part, ...one }) => ({
          ...one,
          backAgorot: Math.floor((one.agorot * part) / 100),
        }))
        const months = byMonth(charges)
        const all = (of: readonly number[]) => of.reduce((a, b) => a + b, 0)
        expect(all(months.map(({ charged }) => charged))).toBe(all(charges.map(({ agorot }) => agorot)))
        expect(all(months.map(({ refunded }) => refunded))).toBe(
          all(charges.map(({ backAgorot }) => backAgorot)),
        )
        expect(months.every(({ charged, refunded }) => refunded <= charged)).toBe(true)
      }),
    )
  })
})
