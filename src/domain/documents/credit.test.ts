import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { totalsOf, type DocumentTotals } from './arithmetic.ts'
import {
  meetRest,
  restByLines,
  restOf,
  sumByClasses,
  sumByVat,
  sumsOf,
  takesRest,
  takesTooMuchOf,
} from './credit.ts'

const oneLine = (agorot: number): DocumentTotals =>
  totalsOf({ lines: [{ quantity: 10_000, unitPrice: agorot * 100, vatKind: 'includingVat' }], vatRate: 1800 })
const sums = (totals: DocumentTotals) => sumsOf(totals.lines, totals.rounding)
const nothing = sumsOf([], 0)

/** Invoices of several lines of both kinds of price and free of VAT, some rounded. */
const invoices = fc
  .record({
    lines: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 300_000 }),
        unitPrice: fc.integer({ min: 1, max: 9_999_999 }),
        vatKind: fc.constantFrom('beforeVat' as const, 'includingVat' as const, 'withoutVat' as const),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    discount: fc.option(fc.record({ basisPoints: fc.integer({ min: 0, max: 5_000 }) }), { nil: undefined }),
    rounding: fc.constantFrom('none' as const, 'whole' as const),
  })
  .map(({ discount, ...more }) => ({
    ...totalsOf({ ...more, ...(discount ? { discount } : {}), vatRate: 1800 }),
    given: more.lines,
  }))

describe('a sum of which so much is VAT', () => {
  const rest = sumsOf(
    [
      { vatClass: 'standard', net: 100_000, vat: 18_000 },
      { vatClass: 'exempt', net: 30_000, vat: 0 },
      { vatClass: 'zero', net: 10_000, vat: 0 },
    ],
    0,
  )
  test.each([
    ['all of it taxed', 11_800, 1_800, { standard: 11_800 }],
    ['rounded by another hand', 11_800, 1_801, { standard: 11_800 }],
    ['none of it taxed: what bears none by what is left', 4_000, 0, { exempt: 3_000, zero: 1_000 }],
    ['both', 15_800, 1_800, { standard: 11_800, exempt: 3_000, zero: 1_000 }],
    ['more VAT than the sum can hold', 11_800, 1_802, 'tooMuch'],
  ] as const)('%s', (_, agorot, vat, expected) => {
    const parts = sumByVat(agorot, vat, 1800, rest)
    expect(
      typeof parts === 'string'
        ? parts
        : Object.fromEntries(parts.map((part) => [part.vatClass, part.agorot])),
    ).toEqual(expected)
  })

  test('the parts are the sum, and the taxed one holds the VAT to the agora', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50_000_000 }),
        fc.nat({ max: 1_000_000 }),
        fc.constantFrom(1700, 1800),
        (agorot, share, rate) => {
          const vat = Math.floor((Math.round((agorot * rate) / (10_000 + rate)) * share) / 1_000_000)
          const parts = sumByVat(agorot, vat, rate, rest)
          if (parts === 'tooMuch') throw new Error('there was room for it')
          expect(parts.reduce((all, part) => all + part.agorot, 0)).toBe(agorot)
          const taxed = parts.find((part) => part.vatClass === 'standard')?.agorot ?? 0
          expect(Math.abs(Math.round((taxed * rate) / (10_000 + rate)) - vat)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('what credits leave', () => {
  test.each([
    // An invoice of 118 with VAT and 50 free of it, and what a credit would take of each.
    ['no more than each has', { standard: 11_800, exempt: 5_000 }, undefined],
    ['its own roundings', { standard: 11_805 }, undefined],
    ['above its roundings', { standard: 11_806 }, 'standard'],
    ['the sum is there, its class is not', { zero: 1_000 }, 'zero'],
    ['free of VAT what bore it', { exempt: 11_800 }, 'exempt'],
    ['a part of one class', { standard: 1 }, undefined],
  ] as const)('%s', (_, taken, refused) => {
    const of = (some: { standard?: number; exempt?: number; zero?: number }) =>
      sumsOf(
        (Object.entries(some) as ['standard' | 'exempt' | 'zero', number][]).map(([vatClass, gross]) => {
          const vat = vatClass === 'standard' ? Math.round((gross * 18) / 118) : 0
          return { vatClass, net: gross - vat, vat }
        }),
        0,
      )
    expect(takesTooMuchOf(of(taken), of({ standard: 11_800, exempt: 5_000 }))).toBe(refused)
  })

  test('a class that is below zero hinders no credit of the others', () => {
    const rest = sumsOf(
      [
        { vatClass: 'standard', net: 10_000, vat: 1_800 },
        { vatClass: 'exempt', net: -5_000, vat: 0 },
      ],
      0,
    )
    expect(takesTooMuchOf(sumsOf([{ vatClass: 'standard', net: 5_000, vat: 900 }], 0), rest)).toBeUndefined()
    expect(takesTooMuchOf(sumsOf([{ vatClass: 'exempt', net: 100, vat: 0 }], 0), rest)).toBe('exempt')
  })

  test('a rounding is given back, a sum that is not there is refused', () => {
    const rest = { ...sums(oneLine(1_180)) }
    expect(meetRest(oneLine(1_183), rest, false)).toMatchObject({ totals: { total: 1_180, vat: 180 } })
    expect(meetRest(oneLine(1_190), rest, false)).toBe('tooMuch')
    expect(meetRest(oneLine(1_000), rest, false)).toMatchObject({ totals: { total: 1_000 } })
    expect(meetRest(oneLine(500), rest, true)).toBe('apart')
    expect([1_179, 1_180, 1_185, 1_186].map((total) => takesRest(total, rest))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('a line whose sum moved says the sum, unless a discount takes the agora', () => {
    const three = totalsOf({
      lines: [{ quantity: 30_000, unitPrice: 33_300, vatKind: 'beforeVat' }],
      vatRate: 1800,
    })
    const rest = {
      ...sums(three),
      classes: { ...sums(three).classes, standard: { net: 1_000, vat: 180 } },
      total: 1_180,
    }
    const met = meetRest(three, rest, true)
    expect(met).toMatchObject({ totals: { lines: [{ amount: 1_000, net: 1_000, vat: 180 }], total: 1_180 } })
    expect(typeof met === 'object' && [...met.asSum]).toEqual([0])
  })

  test('sums off the whole, one after another, never go above a class, and the last comes to the rest', () => {
    fc.assert(
      fc.property(
        invoices,
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 }),
        (invoice, percents) => {
          let rest = restOf(sums(invoice), nothing)
          for (const percent of percents) {
            const agorot = Math.floor((Math.max(0, rest.total) * percent) / 100)
            const lines = sumByClasses(agorot, rest).map((part) => ({
              quantity: 10_000,
              unitPrice: part.agorot * 100,
              vatKind: part.vatClass === 'standard' ? ('includingVat' as const) : ('withoutVat' as const),
            }))
            const met = meetRest(totalsOf({ lines, vatRate: 1800 }), rest, false)
            expect(met).toBeTypeOf('object')
            if (typeof met !== 'object') return
            rest = restOf(rest, sums(met.totals))
            for (const { net, vat } of Object.values(rest.classes))
              expect(net + vat).toBeGreaterThanOrEqual(0)
          }
          const { totals, places } = restByLines(
            invoice.lines.map((line, i) => ({
              ...line,
              quantity: invoice.given[i]!.quantity,
              left: i % 2 ? 0 : invoice.given[i]!.quantity,
            })),
            rest,
          )
          expect(sums(totals)).toEqual(rest)
          expect(places).toEqual(places.toSorted((a, b) => a - b))
          for (const line of totals.lines) expect(line.net + line.vat).toBe(line.gross)
        },
      ),
    )
  })
})
