import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineAmount, totalsOf, type Discount, type DocumentLine } from './arithmetic.ts'
import { discountOfPart, joinDiscounts, shareOf, type DiscountedLine } from './joining.ts'

/** One piece at a thousand shekels. */
const line = (
  own: Discount | undefined,
  documentBp: number,
  share = 0,
  more: Partial<DiscountedLine> = {},
): DiscountedLine => ({
  paper: 0,
  group: 'standard',
  quantity: 10_000,
  unitPrice: 10_000_000,
  own,
  documentBp,
  share,
  ...more,
})
const percent = (basisPoints: number) => ({ basisPoints })
const sumOf = (agorot: number) => ({ agorot })

describe('discounts on their way into the next paper', () => {
  test('one percent that all have stays the percent of the whole', () =>
    expect(joinDiscounts([line(undefined, 1000), line(percent(500), 1000), line(sumOf(70), 1000)])).toEqual({
      discount: { basisPoints: 1000 },
      lines: [undefined, percent(500), sumOf(70)],
    }))

  test('percents that differ go into the lines, on top of what is there', () =>
    expect(
      joinDiscounts([
        line(undefined, 1000),
        line(percent(500), 1000, 0, { paper: 1 }),
        line(percent(300), 0, 0, { paper: 2 }),
      ]),
    ).toEqual({ discount: null, lines: [percent(1000), percent(1450), percent(300)] }))

  test('where no percent says it, the sum does: 3.33% and then 12.5% of 1,000.00, and 10.00 and then 10%', () =>
    expect(joinDiscounts([line(percent(333), 1250), line(sumOf(1_000), 1000, 0, { paper: 1 })])).toEqual({
      discount: null,
      // 1,000.00 less 33.30 is 966.70, less 120.84 is 845.86; and 990.00 less 99.00 is 891.00.
      lines: [sumOf(15_414), sumOf(10_900)],
    }))

  test('sums of lines taxed alike are added up, beside percents of other papers', () =>
    expect(
      joinDiscounts([
        line(undefined, 0, 1200),
        line(undefined, 0, 300, { paper: 1 }),
        line(undefined, 2000, 0, { paper: 2 }),
      ]),
    ).toEqual({ discount: { agorot: 1500 }, lines: [undefined, undefined, percent(2000)] }))

  test('sums of lines taxed otherwise stay where they were', () =>
    expect(
      joinDiscounts([
        line(undefined, 0, 5_000),
        line(percent(1000), 0, 4_500, { group: 'zero' }),
        line(undefined, 0, 0, { paper: 1 }),
      ]),
    ).toEqual({ discount: null, lines: [sumOf(5_000), sumOf(14_500), undefined] }))

  test('one paper alone keeps its discount by sum, whatever its lines', () =>
    expect(joinDiscounts([line(undefined, 0, 5_000), line(undefined, 0, 5_000, { group: 'zero' })])).toEqual({
      discount: { agorot: 10_000 },
      lines: [undefined, undefined],
    }))

  test('a line that cannot bear its share says so', () =>
    expect(
      joinDiscounts([line(undefined, 0, 100_001), line(undefined, 0, 0, { paper: 1, group: 'zero' })]),
    ).toBe('apart'))

  test('nothing stays nothing', () => {
    expect(joinDiscounts([line(percent(250), 0)])).toEqual({ discount: null, lines: [percent(250)] })
    expect(joinDiscounts([])).toEqual({ discount: null, lines: [] })
  })

  test('papers joined come to what they came to by themselves, class by class', () => {
    const anyLine = fc
      .record({
        quantity: fc.integer({ min: 1, max: 300_000 }),
        unitPrice: fc.integer({ min: 100, max: 5_000_000 }),
        vatKind: fc.constantFrom('beforeVat' as const, 'includingVat' as const, 'withoutVat' as const),
        vatClass: fc.constantFrom('standard' as const, 'zero' as const),
        own: fc.oneof(
          fc.constant(undefined),
          fc.integer({ min: 1, max: 10_000 }).map(percent),
          fc.double({ min: 0, max: 1, noNaN: true }).map((part) => ({ part })),
        ),
      })
      .map(({ own, ...rest }): DocumentLine => {
        if (!own) return rest
        return { ...rest, discount: 'part' in own ? sumOf(Math.floor(lineAmount(rest) * own.part)) : own }
      })
    const anyPaper = fc.record({
      lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
      off: fc.oneof(
        fc.constant(undefined),
        fc.integer({ min: 1, max: 10_000 }).map(percent),
        fc.double({ min: 0, max: 1, noNaN: true }).map((part) => ({ part })),
      ),
    })
    fc.assert(
      fc.property(fc.array(anyPaper, { minLength: 2, maxLength: 4 }), fc.boolean(), (papers, isSame) => {
        const worked = papers.map(({ lines, off: each }) => {
          const off = isSame ? papers[0]!.off : each
          const discount =
            off &&
            ('part' in off
              ? sumOf(Math.floor(lines.reduce((sum, l) => sum + lineAmount(l), 0) * off.part))
              : off)
          return {
            lines,
            discount,
            totals: totalsOf({ lines, vatRate: 1800, ...(discount ? { discount } : {}) }),
          }
        })
        const groupOf = (l: { vatKind: string; vatClass?: string }) => `${l.vatClass}${l.vatKind}`
        const joined = joinDiscounts(
          worked.flatMap(({ lines, discount, totals }, paper) =>
            lines.map((l, i) => ({
              paper,
              group: groupOf({ ...l, vatClass: totals.lines[i]!.vatClass }),
              quantity: l.quantity,
              unitPrice: l.unitPrice,
              own: l.discount,
              documentBp: discount && 'basisPoints' in discount ? discount.basisPoints : 0,
              share: discount && 'agorot' in discount ? totals.lines[i]!.discountShare : 0,
            })),
          ),
        )
        if (joined === 'apart') throw new Error('every line of these can bear its share')
        const lines = papers
          .flatMap((paper) => paper.lines)
          .map(({ discount: _, ...l }, i) => {
            const discount = joined.lines[i]
            return { ...l, ...(discount ? { discount } : {}) }
          })
        const whole = totalsOf({
          lines,
          vatRate: 1800,
          ...(joined.discount ? { discount: joined.discount } : {}),
        })
        const off = (of: readonly { totals: typeof whole }[], vatClass: string) =>
          of.reduce(
            (sum, { totals }) =>
              sum + totals.lines.reduce((s, l) => s + (l.vatClass === vatClass ? l.net : 0), 0),
            0,
          )
        // A percentage is rounded once for each group of each paper, VAT once for each kind of price: no more
        // than that may lie between.
        for (const vatClass of ['standard', 'zero', 'exempt'])
          expect(Math.abs(off([{ totals: whole }], vatClass) - off(worked, vatClass))).toBeLessThanOrEqual(
            lines.length + papers.length * 2,
          )
        expect(
          Math.abs(whole.total - worked.reduce((sum, { totals }) => sum + totals.total, 0)),
        ).toBeLessThanOrEqual(lines.length + papers.length * 4)
      }),
      { numRuns: 500 },
    )
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

  test('a part of a line has its part of the discount, and no more than itself', () => {
    const third = { whole: 30_000, left: 30_000, taken: 10_000, unitPrice: 1_000_000 }
    expect(discountOfPart(sumOf(1_000), third)).toEqual(sumOf(333))
    expect(discountOfPart(sumOf(1_000), { ...third, left: 20_000 })).toEqual(sumOf(334))
    expect(discountOfPart(percent(700), third)).toEqual(percent(700))
    expect(discountOfPart(undefined, third)).toBeUndefined()
    // Three pieces for 0.01 given away whole: a piece comes to nothing, and so does its discount.
    expect(discountOfPart(sumOf(1), { ...third, unitPrice: 33 })).toBeUndefined()
  })
})
