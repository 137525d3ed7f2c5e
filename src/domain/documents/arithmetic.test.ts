import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  convertToIls,
  isDiscountAbove,
  lineAmount,
  totalsOf,
  type DocumentAmounts,
  type DocumentLine,
  type DocumentTotals,
  type VatClass,
} from './arithmetic.ts'

/** A line of one piece at a price in shekels. */
const line = (shekels: number, more: Partial<DocumentLine> = {}): DocumentLine => ({
  quantity: 10_000,
  unitPrice: Math.round(shekels * 10_000),
  vatKind: 'beforeVat',
  ...more,
})
const including = (shekels: number, more: Partial<DocumentLine> = {}) =>
  line(shekels, { vatKind: 'includingVat', ...more })
const figures = (totals: DocumentTotals) => ({
  subtotal: totals.subtotal,
  discount: totals.discount,
  netTaxable: totals.netTaxable,
  netExempt: totals.netExempt,
  netZero: totals.netZero,
  vat: totals.vat,
  rounding: totals.rounding,
  total: totals.total,
})

describe('documents worked out by hand', () => {
  test.each<[string, DocumentAmounts, Partial<DocumentTotals>]>([
    [
      'one line',
      { lines: [line(1000)], vatRate: 1800 },
      { subtotal: 100_000, netTaxable: 100_000, vat: 18_000, total: 118_000 },
    ],
    ['the old rate', { lines: [line(1000)], vatRate: 1700 }, { vat: 17_000, total: 117_000 }],
    // Three lines of 0.03 make 0.0162 of VAT, so 2 agorot; line by line they would make 3.
    [
      'VAT once per document',
      { lines: [line(0.03), line(0.03), line(0.03)], vatRate: 1800 },
      { netTaxable: 9, vat: 2, total: 11 },
    ],
    // 118.00 holds 18.00.
    [
      'prices with VAT',
      { lines: [including(59), including(59)], vatRate: 1800 },
      { subtotal: 11_800, netTaxable: 10_000, vat: 1800, total: 11_800 },
    ],
    // 10% of 333.33 is 33.333, so 33.33; VAT on 300.00.
    [
      'a discount in per cent',
      { lines: [line(111.11), line(222.22)], discount: { basisPoints: 1000 }, vatRate: 1800 },
      { subtotal: 33_333, discount: 3333, netTaxable: 30_000, vat: 5400, total: 35_400 },
    ],
    // 10% of 0.05 and 10% of 0.05 are 0.005 each: rounded apart one agora in each class, together it would be
    // one.
    [
      'the discount of each class by itself',
      {
        lines: [line(0.05), line(0.05, { vatKind: 'withoutVat' })],
        discount: { basisPoints: 1000 },
        vatRate: 1800,
      },
      { discount: 2, netTaxable: 4, netExempt: 4, vat: 1, total: 9 },
    ],
    // 333.33 less 33.33; VAT on 300.00.
    [
      'a discount of a line by sum',
      { lines: [line(333.33, { discount: { agorot: 3_333 } })], vatRate: 1800 },
      { subtotal: 30_000, netTaxable: 30_000, vat: 5400, total: 35_400 },
    ],
    // 118.00 with VAT less 59.00 with VAT.
    [
      'a discount of a line by sum has the VAT that its price has',
      { lines: [including(118, { discount: { agorot: 5_900 } })], vatRate: 1800 },
      { subtotal: 5_900, netTaxable: 5_000, vat: 900, total: 5_900 },
    ],
    // What was sold for 90 comes back for 90.
    [
      'a returned line has its discount too',
      {
        lines: [line(100, { discount: { agorot: 1_000 } }), line(-100, { discount: { agorot: 1_000 } })],
        vatRate: 1800,
      },
      { subtotal: 0, netTaxable: 0, vat: 0, total: 0 },
    ],
    // 100 off 1000 taxed and 3000 exempt: 25 and 75.
    [
      'a discount by sum goes over all lines',
      {
        lines: [line(1000), line(3000, { vatKind: 'withoutVat' })],
        discount: { agorot: 10_000 },
        vatRate: 1800,
      },
      { discount: 10_000, netTaxable: 97_500, netExempt: 292_500, vat: 17_550, total: 407_550 },
    ],
    // 50.00 + VAT 9.00, and 118.00 with 18.00 in it.
    [
      'prices with and without VAT in one document',
      { lines: [line(50), including(118)], vatRate: 1800 },
      { subtotal: 16_800, netTaxable: 15_000, vat: 2700, total: 17_700 },
    ],
    [
      'a deposit in trust carries no VAT',
      { lines: [line(100), line(500, { vatKind: 'trustDeposit', vatClass: 'standard' })], vatRate: 1800 },
      { netTaxable: 10_000, netExempt: 50_000, vat: 1800, total: 61_800 },
    ],
    [
      'an exempt dealer',
      { lines: [line(100), including(50)], vatRate: 1800, vatTreatment: 'none' },
      { netTaxable: 0, netExempt: 15_000, netZero: 0, vat: 0, total: 15_000 },
    ],
    [
      'export: what is taxed becomes zero rate, what is exempt stays exempt',
      {
        lines: [line(100), line(40, { vatClass: 'exempt' }), line(7, { vatKind: 'trustDeposit' })],
        vatRate: 1800,
        vatTreatment: 'zero',
      },
      { netTaxable: 0, netExempt: 4700, netZero: 10_000, vat: 0, total: 14_700 },
    ],
    [
      'an item at zero rate',
      {
        lines: [line(10, { vatClass: 'zero' }), line(5, { vatKind: 'withoutVat', vatClass: 'zero' })],
        vatRate: 1800,
      },
      { netZero: 1500, vat: 0 },
    ],
    [
      'rounding to a whole shekel',
      { lines: [line(100.3)], vatRate: 1800, rounding: 'whole' },
      { vat: 1805, rounding: -35, total: 11_800 },
    ],
    [
      'rounding to half a shekel',
      { lines: [line(100.3)], vatRate: 1800, rounding: 'half' },
      { vat: 1805, rounding: 15, total: 11_850 },
    ],
    [
      'more given back than sold',
      { lines: [line(100), line(300, { quantity: -10_000 })], vatRate: 1800 },
      { netTaxable: -20_000, vat: -3600, total: -23_600 },
    ],
    [
      'nothing at all',
      { lines: [], discount: { agorot: 100 }, vatRate: 1800, rounding: 'whole' },
      { subtotal: 0, discount: 0, total: 0 },
    ],
    [
      'all of it given away',
      { lines: [line(99.99)], discount: { basisPoints: 10_000 }, vatRate: 1800 },
      { discount: 9999, netTaxable: 0, vat: 0, total: 0 },
    ],
  ])('%s', (_, document, expected) => {
    expect(figures(totalsOf(document))).toMatchObject(expected)
  })

  test('the odd agora of the VAT falls on the earlier line', () => {
    const { lines } = totalsOf({ lines: [line(0.03), line(0.03), line(0.03)], vatRate: 1800 })
    expect(lines.map(({ net, vat, gross }) => [net, vat, gross])).toEqual([
      [3, 1, 4],
      [3, 1, 4],
      [3, 0, 3],
    ])
  })

  test('where prices include VAT the line keeps its price and its net gives way', () => {
    const { lines, vat } = totalsOf({ lines: [including(1), including(1), including(1)], vatRate: 1800 })
    expect(vat).toBe(46) // 300 x 18 / 118 = 45.76
    expect(lines.map((each) => [each.amount, each.net, each.vat])).toEqual([
      [100, 84, 16],
      [100, 85, 15],
      [100, 85, 15],
    ])
  })

  test('quantity, price of four decimals and discount are rounded once', () => {
    // 7.5 x 0.3333 x 0.875 = 2.18728...
    const { lines } = totalsOf({
      lines: [{ quantity: 75_000, unitPrice: 3333, discount: { basisPoints: 1250 }, vatKind: 'beforeVat' }],
      vatRate: 1800,
    })
    expect(lines[0]?.amount).toBe(219)
  })

  test('a discount of a line by sum', () => {
    expect(totalsOf({ lines: [line(10, { discount: { agorot: 150 } })], vatRate: 1800 })).toMatchObject({
      subtotal: 850,
      vat: 153,
    })
  })

  test('a discount by sum may take all of its line, and above it is told', () => {
    const of = (agorot: number, quantity = 20_000) => ({ quantity, unitPrice: 500_000, discount: { agorot } })
    expect(lineAmount(of(10_000))).toBe(0)
    expect(
      [of(10_000), of(10_001), of(10_001, -20_000), { ...of(0), discount: { basisPoints: 10_000 } }].map(
        isDiscountAbove,
      ),
    ).toEqual([false, true, true, false])
  })

  test('an exchange that nearly cancels out keeps the VAT of each line sane', () => {
    const { lines, vat } = totalsOf({
      lines: [line(1000), line(999.9, { quantity: -10_000 })],
      vatRate: 1800,
    })
    expect(vat).toBe(2) // 0.10 x 18% = 0.018
    expect(lines.map((each) => each.vat)).toEqual([18_000, -17_998])
  })

  test('and so where prices include VAT', () => {
    // 0.10 contains 0.015; 1,000.00 contains 152.54 and 999.90 contains 152.53 separately.
    const { lines, vat } = totalsOf({
      lines: [including(1000), including(999.9, { quantity: -10_000 })],
      vatRate: 1800,
    })
    expect(vat).toBe(2)
    expect(lines.map((each) => each.vat)).toEqual([15_254, -15_252])
  })

  test('lines of one sign share the VAT in proportion, so a rounding up goes where most of it is', () => {
    const { lines } = totalsOf({ lines: [line(0.01), line(0.01), line(0.12)], vatRate: 1800 })
    expect(lines.map((each) => each.vat)).toEqual([0, 0, 3])
  })

  test.each<[string, DocumentAmounts]>([
    ['more than all', { lines: [line(1)], discount: { basisPoints: 10_001 }, vatRate: 1800 }],
    ['a negative discount', { lines: [line(1, { discount: { basisPoints: -1 } })], vatRate: 1800 }],
    ['a sum above its line', { lines: [line(1, { discount: { agorot: 101 } })], vatRate: 1800 }],
    ['a negative sum', { lines: [line(1, { discount: { agorot: -1 } })], vatRate: 1800 }],
    ['half an agora', { lines: [line(1)], discount: { agorot: 0.5 }, vatRate: 1800 }],
    [
      'a price that is a float',
      { lines: [{ quantity: 10_000, unitPrice: 0.5, vatKind: 'beforeVat' }], vatRate: 1800 },
    ],
    [
      'a sum beyond what a number holds',
      { lines: [line(1, { quantity: 9e15, unitPrice: 9e15 })], vatRate: 1800 },
    ],
  ])('refused: %s', (_, document) => {
    expect(() => totalsOf(document)).toThrow(RangeError)
  })
})

/** A discount by sum is never above its line. */
function withinLine(one: DocumentLine): DocumentLine {
  if (!one.discount || !('agorot' in one.discount)) return one
  const whole = Math.abs(lineAmount({ quantity: one.quantity, unitPrice: one.unitPrice }))
  return { ...one, discount: { agorot: Math.min(one.discount.agorot, whole) } }
}

const anyLine: fc.Arbitrary<DocumentLine> = fc
  .record(
    {
      quantity: fc.integer({ min: -500_000, max: 5_000_000 }),
      unitPrice: fc.integer({ min: 0, max: 50_000_000 }),
      vatKind: fc.constantFrom('beforeVat', 'includingVat', 'trustDeposit', 'withoutVat'),
      vatClass: fc.constantFrom<VatClass>('standard', 'exempt', 'zero'),
      discount: fc.oneof(
        fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
        fc.record({ agorot: fc.integer({ min: 0, max: 100_000 }) }),
      ),
    },
    { requiredKeys: ['quantity', 'unitPrice', 'vatKind'] },
  )
  .map(withinLine)
const anyDocument: fc.Arbitrary<DocumentAmounts> = fc.record(
  {
    lines: fc.array(anyLine, { maxLength: 12 }),
    vatRate: fc.constantFrom(1700, 1800, 1650, 0),
    discount: fc.oneof(
      fc.record({ basisPoints: fc.integer({ min: 0, max: 10_000 }) }),
      fc.record({ agorot: fc.integer({ min: 0, max: 1_000_000 }) }),
    ),
    vatTreatment: fc.constantFrom('standard', 'none', 'zero'),
    rounding: fc.constantFrom('none', 'whole', 'half'),
  },
  { requiredKeys: ['lines', 'vatRate'] },
)
const add = (numbers: number[]) => numbers.reduce((left, right) => left + right, 0)

function expectIdentities(totals: DocumentTotals): void {
  const { lines } = totals
  expect(totals.subtotal).toBe(add(lines.map((each) => each.amount)))
  expect(totals.discount).toBe(add(lines.map((each) => each.discountShare)))
  expect(totals.vat).toBe(add(lines.map((each) => each.vat)))
  expect(totals.net).toBe(totals.netTaxable + totals.netExempt + totals.netZero)
  expect(totals.total).toBe(add(lines.map((each) => each.gross)) + totals.rounding)
  expect(totals.total).toBe(totals.net + totals.vat + totals.rounding)
  for (const each of lines) {
    expect(each.gross).toBe(each.net + each.vat)
    const base = each.vatKind === 'includingVat' ? each.gross : each.net
    expect(each.amount - each.discountShare).toBe(base)
    if (each.vatClass !== 'standard') expect(each.vat).toBe(0)
  }
}

describe('whatever the document', () => {
  test('lines sum to totals', () => {
    fc.assert(fc.property(anyDocument, (document) => expectIdentities(totalsOf(document))))
  })

  test('in shekels too, and the customer owes the converted total', () => {
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 1, max: 10_000_000 }), (document, rate) => {
        const totals = totalsOf(document)
        const ils = convertToIls(totals, rate)
        expectIdentities(ils)
        expect(Math.abs(ils.total - (totals.total * rate) / 1e6)).toBeLessThanOrEqual(0.5 + 1e-3)
        expect(Math.abs(ils.vat - (totals.vat * rate) / 1e6)).toBeLessThanOrEqual(0.5 + 1e-3)
      }),
    )
  })

  test('no line strays more than two agorot from its own converted value', () => {
    fc.assert(
      fc.property(anyDocument, fc.integer({ min: 100_000, max: 10_000_000 }), (document, rate) => {
        const totals = totalsOf(document)
        const { lines } = convertToIls(totals, rate)
        lines.forEach((each, index) => {
          expect(Math.abs(each.net - ((totals.lines[index]?.net ?? 0) * rate) / 1e6)).toBeLessThanOrEqual(3)
        })
      }),
    )
  })

  test('a credit of everything is the document with its signs turned', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 8 }), fc.constantFrom(1700, 1800), (lines, vatRate) => {
        const withoutSums = lines.map(({ quantity, unitPrice, vatKind, vatClass = 'standard' }) => ({
          quantity,
          unitPrice,
          vatKind,
          vatClass,
        }))
        const sold = totalsOf({ lines: withoutSums, vatRate, discount: { basisPoints: 750 } })
        const back = totalsOf({
          lines: withoutSums.map((each) => ({ ...each, quantity: -each.quantity })),
          vatRate,
          discount: { basisPoints: 750 },
        })
        expect(back.total).toBe(-sold.total || 0)
        expect(back.lines.map((each) => each.net)).toEqual(sold.lines.map((each) => -each.net || 0))
      }),
    )
  })

  test('VAT of the whole document is within half an agora of the rate, for prices without VAT', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 12 }), (lines) => {
        const totals = totalsOf({
          lines: lines.map((each) => ({ ...each, vatKind: 'beforeVat' as const })),
          vatRate: 1800,
        })
        expect(Math.abs(totals.vat - totals.netTaxable * 0.18)).toBeLessThanOrEqual(0.5 + 1e-3)
      }),
    )
  })
})

test('an invoice in dollars, in shekels', () => {
  // 100.00 + 18.00 at 3.6515: total 430.877, VAT 65.727, so net 365.15.
  const ils = convertToIls(totalsOf({ lines: [line(33.33), line(66.67)], vatRate: 1800 }), 3_651_500)
  expect(figures(ils)).toMatchObject({ netTaxable: 36_515, vat: 6573, total: 43_088 })
  expect(ils.lines.map((each) => each.net)).toEqual([12_170, 24_345])
  expect(() => convertToIls(ils, 0)).toThrow(RangeError)
  expect(() => convertToIls(ils, -3_651_500)).toThrow(RangeError)
  expect(() => convertToIls(ils, 3.65)).toThrow(RangeError)
})
