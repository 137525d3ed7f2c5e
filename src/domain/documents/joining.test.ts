import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinDiscounts, shareOf } from './joining.ts'

const line = (lineBp: number, documentBp: number, share = 0) => ({ lineBp, documentBp, share })

describe('discounts on their way into the next paper', () => {
  test('one percent that all have stays the percent of the whole', () =>
    expect(joinDiscounts([line(0, 1000), line(500, 1000)])).toEqual({ discount: { basisPoints: 1000 }, lines: [0, 500] }))

  test('percents that differ go into the lines, on top of what is there', () =>
    expect(joinDiscounts([line(0, 1000), line(500, 1000), line(300, 0)])).toEqual({ discount: null, lines: [1000, 1450, 300] }))

  test('sums are added up, beside percents of other papers', () =>
    expect(joinDiscounts([line(0, 0, 1200), line(0, 0, 300), line(0, 2000)])).toEqual({ discount: { agorot: 1500 }, lines: [0, 0, 2000] }))

  test('nothing stays nothing', () => {
    expect(joinDiscounts([line(250, 0)])).toEqual({ discount: null, lines: [250] })
    expect(joinDiscounts([])).toEqual({ discount: null, lines: [] })
  })

  test('parts of a line taken one after another have its whole share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 8 }),
        (share, parts) => {
          const whole = parts.reduce((sum, part) => sum + part, 0)
          let left = whole
          const shares = parts.map((part) => {
            const own = shareOf(share, whole, left, part)
            left -= part
            return own
          })
          expect(shares.reduce((sum, one) => sum + one, 0)).toBe(share)
          expect(shares.every((one) => one >= 0)).toBe(true)
        },
      ),
    )
  })
})
