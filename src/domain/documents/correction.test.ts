import fc from 'fast-check'
import { reportingDays } from '../law/dues.ts'
import { describe, expect, test } from 'vitest'
import { vatPeriod } from '../day.ts'
import { convertToIls, totalsOf, type DocumentLine, type DocumentTotals } from './arithmetic.ts'
import {
  differenceInIls,
  differenceOf,
  effectOf,
  goodsOf,
  planCorrection,
  type Calendar,
  type CorrectionPlan,
  type WrongPaper,
  type Wish,
} from './correction.ts'

const invoice: WrongPaper = {
  type: 'taxInvoice',
  status: 'issued',
  day: '2026-04-20',
  undoneBy: 'credit',
  hasMoney: false,
  isPaid: false,
  isCredited: false,
  isUsed: false,
  isBanked: false,
}
const invoiceReceipt: WrongPaper = { ...invoice, type: 'taxInvoiceReceipt', hasMoney: true, status: 'closed' }
const receipt: WrongPaper = { ...invoice, type: 'receipt', undoneBy: 'itself', hasMoney: true }
const quote: WrongPaper = { ...invoice, type: 'priceQuote', undoneBy: 'mark' }
const nothing: Wish = {
  customer: false,
  payments: false,
  lines: false,
  isLess: false,
  isNothing: false,
  day: undefined,
}
const cheaper: Wish = { ...nothing, lines: true, isLess: true }
const dearer: Wish = { ...nothing, lines: true }
const may: Calendar = {
  today: '2026-05-11',
  locked: [],
  backDatingAllowed: false,
  vatPeriodOn: (day) => vatPeriod(day, 2),
  vatDueOn: reportingDays(false).vat,
  lastOfSeries: '2026-05-10',
  isTaxDocument: true,
}
const april = { from: '2026-03-01', to: '2026-04-30', kind: 'vat' } as const

const told = (plan: CorrectionPlan) =>
  plan.steps.map((s) => [s.kind, s.type ?? '', s.day.slice(5)].filter(Boolean).join(' '))

describe('the way to the right paper', () => {
  test.each<[string, WrongPaper, Wish, string[]]>([
    ['a lower price is credited in part', invoice, cheaper, ['creditDifference creditInvoice 05-11']],
    [
      'so it is on a paid invoice',
      { ...invoice, isPaid: true },
      cheaper,
      ['creditDifference creditInvoice 05-11'],
    ],
    ['and on an invoice with receipt', invoiceReceipt, cheaper, ['creditDifference creditInvoice 05-11']],
    [
      'a higher price takes a new invoice',
      invoice,
      dearer,
      ['credit creditInvoice 05-11', 'reissue taxInvoice 05-11'],
    ],
    [
      'another customer too',
      invoice,
      { ...nothing, customer: true },
      ['credit creditInvoice 05-11', 'reissue taxInvoice 05-11'],
    ],
    [
      'a lower price for another customer cannot be a partial credit',
      invoice,
      { ...cheaper, customer: true },
      ['credit creditInvoice 05-11', 'reissue taxInvoice 05-11'],
    ],
    [
      'another day stands on the new paper alone',
      invoice,
      { ...nothing, day: '2026-05-10' },
      ['credit creditInvoice 05-11', 'reissue taxInvoice 05-10'],
    ],
    [
      'money of a paid invoice goes to the right one',
      { ...invoice, isPaid: true },
      dearer,
      ['release 05-11', 'credit creditInvoice 05-11', 'reissue taxInvoice 05-11', 'use 05-11'],
    ],
    [
      'but stays with the customer who paid',
      { ...invoice, isPaid: true },
      { ...nothing, customer: true },
      ['release 05-11', 'credit creditInvoice 05-11', 'reissue taxInvoice 05-11'],
    ],
    [
      'an invoice with receipt takes both back',
      invoiceReceipt,
      { ...nothing, payments: true },
      ['credit creditInvoice 05-11', 'giveBack receipt 05-11', 'reissue taxInvoiceReceipt 05-11'],
    ],
    [
      'a receipt is turned round',
      receipt,
      { ...nothing, payments: true },
      ['giveBack receipt 05-11', 'reissue receipt 05-11'],
    ],
    ['a quote is marked', quote, cheaper, ['mark 05-11', 'reissue priceQuote 05-11']],
  ])('%s', (_, paper, wish, steps) => {
    const plan = planCorrection(paper, wish, may)
    expect(told(plan)).toEqual(steps)
    expect(plan.refusals).toEqual([])
  })

  test.each<[string, WrongPaper, Wish, Partial<Calendar>, string[]]>([
    ['nothing is to be changed', invoice, nothing, {}, ['corrections.nothingChanged']],
    ['a draft is simply changed', { ...invoice, status: 'draft' }, cheaper, {}, ['documents.stillDraft']],
    ['cancelled already', { ...invoice, status: 'cancelled' }, cheaper, {}, ['corrections.cancelled']],
    [
      'a credit',
      { ...invoice, type: 'creditInvoice', undoneBy: undefined },
      cheaper,
      {},
      ['corrections.ofCredit'],
    ],
    [
      'nothing would be left: that is a cancellation',
      invoice,
      { ...cheaper, isNothing: true },
      {},
      ['corrections.nothingLeft'],
    ],
    ['credited before', { ...invoice, isCredited: true }, cheaper, {}, ['corrections.credited']],
    ['later papers hang on it', { ...invoice, isUsed: true }, dearer, {}, ['corrections.used']],
    ['a partial credit leaves them alone', { ...invoice, isUsed: true }, cheaper, {}, []],
    [
      'its cheque lies in the bank',
      { ...receipt, isBanked: true },
      { ...nothing, payments: true },
      {},
      ['corrections.banked'],
    ],
    ['a day to come', invoice, { ...nothing, day: '2026-05-12' }, {}, ['documents.dateInFuture']],
    [
      'a day in a reported period',
      invoice,
      { ...nothing, day: '2026-04-29' },
      { locked: [april] },
      ['documents.dateInLockedPeriod'],
    ],
    [
      'a reported period does not bind a quote',
      quote,
      { ...nothing, day: '2026-05-10' },
      { locked: [{ ...april, to: '2026-05-31' }], isTaxDocument: false },
      [],
    ],
    [
      'a day before the last of the series',
      invoice,
      { ...nothing, day: '2026-05-09' },
      {},
      ['documents.dateBeforeLastOfSeries'],
    ],
    ['which a setting allows', invoice, { ...nothing, day: '2026-05-09' }, { backDatingAllowed: true }, []],
    [
      'also into the period that waits for its report',
      invoice,
      { ...nothing, day: '2026-04-29' },
      { backDatingAllowed: true },
      [],
    ],
    [
      'within the open periods only',
      invoice,
      { ...nothing, day: '2026-02-27' },
      { backDatingAllowed: true },
      ['documents.dateBeforeLastOfSeries'],
    ],
    [
      'and not when the day of its report has passed',
      invoice,
      { ...nothing, day: '2026-04-29' },
      { backDatingAllowed: true, today: '2026-05-19' },
      ['documents.dateBeforeLastOfSeries'],
    ],
    [
      'the books of today are closed',
      invoice,
      cheaper,
      { locked: [{ from: '2026-05-01', to: '2026-05-31', kind: 'month' }] },
      ['corrections.todayLocked'],
    ],
  ])('refused: %s', (_, paper, wish, calendar, codes) => {
    expect(planCorrection(paper, wish, { ...may, ...calendar }).refusals.map((r) => r.code)).toEqual(codes)
  })

  test('a reported period is left alone: everything is dated today, and that is said', () => {
    const plan = planCorrection(invoice, dearer, { ...may, locked: [april] })
    expect([plan.refusals, plan.remarks, new Set(plan.steps.map((s) => s.day))]).toEqual([
      [],
      ['periodReported', 'rateKept'],
      new Set(['2026-05-11']),
    ])
  })
})

const line = (quantity: number, unitPrice: number, more: Partial<DocumentLine> = {}): DocumentLine => ({
  quantity: quantity * 10_000,
  unitPrice: unitPrice * 10_000,
  vatKind: 'beforeVat',
  ...more,
})
const less = (was: DocumentLine[], right: DocumentLine[], touched: number[], more = {}) =>
  differenceOf(
    totalsOf({ lines: was, vatRate: 1800, ...more }),
    totalsOf({ lines: right, vatRate: 1800, ...more }),
    new Set(touched),
  )

describe('the difference as a credit', () => {
  test('ten at 80 in place of ten at 100', () => {
    const credit = less([line(10, 100), line(1, 50)], [line(10, 80), line(1, 50)], [0])!
    expect([credit.net, credit.vat, credit.total, credit.lines[1]!.gross]).toEqual([20_000, 3_600, 23_600, 0])
  })
  test('a price with VAT', () => {
    const credit = less(
      [line(1, 118, { vatKind: 'includingVat' })],
      [line(1, 59, { vatKind: 'includingVat' })],
      [0],
    )!
    expect([credit.net, credit.vat, credit.subtotal, credit.total]).toEqual([5_000, 900, 5_900, 5_900])
  })
  test('what grows, or is taxed another way, is no credit', () => {
    expect(less([line(1, 100)], [line(1, 101)], [0])).toBeUndefined()
    expect(less([line(1, 100), line(1, 100)], [line(1, 10), line(1, 101)], [0, 1])).toBeUndefined()
    expect(less([line(1, 100)], [line(1, 90, { vatKind: 'withoutVat' })], [0])).toBeUndefined()
  })

  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 500_000 }),
      unitPrice: fc.integer({ min: 1, max: 50_000_000 }),
      vatKind: fc.constantFrom('beforeVat', 'includingVat', 'withoutVat'),
    }),
    { minLength: 1, maxLength: 5 },
  )
  /** Whatever is made cheaper: the share of the quantity or price that is left, in per mille. */
  const cut = fc.array(fc.record({ part: fc.integer({ min: 0, max: 1000 }), price: fc.boolean() }), {
    minLength: 5,
    maxLength: 5,
  })
  const settings = fc.record({
    rounding: fc.constantFrom('none', 'whole', 'half'),
    basisPoints: fc.integer({ min: 0, max: 5_000 }),
    vatRate: fc.constantFrom(1700, 1800),
  })
  const two = (
    ls: DocumentLine[],
    cuts: { part: number; price: boolean }[],
    s: { rounding: 'none' | 'whole' | 'half'; basisPoints: number; vatRate: number },
  ) => {
    const right = ls.map((l, i) => {
      const { part, price } = cuts[i]!
      return price
        ? { ...l, unitPrice: Math.floor((l.unitPrice * part) / 1000) }
        : { ...l, quantity: Math.floor((l.quantity * part) / 1000) }
    })
    const of = (some: DocumentLine[]) =>
      totalsOf({
        lines: some,
        vatRate: s.vatRate,
        rounding: s.rounding,
        ...(s.basisPoints ? { discount: { basisPoints: s.basisPoints } } : {}),
      })
    const touched = new Set(
      ls.flatMap((l, i) =>
        l.unitPrice !== right[i]!.unitPrice || l.quantity !== right[i]!.quantity ? [i] : [],
      ),
    )
    return { was: of(ls), right: of(right), touched }
  }
  const figures = (t: DocumentTotals) => [t.netTaxable, t.netExempt, t.netZero, t.vat, t.rounding, t.total]

  test('paper less credit is the right paper, to the agora, and the credit adds up', () => {
    let made = 0
    fc.assert(
      fc.property(lines, cut, settings, (ls, cuts, s) => {
        const { was, right, touched } = two(ls, cuts, s)
        const credit = differenceOf(was, right, touched)
        if (!credit) return
        made++
        expect(figures(credit).map((figure, i) => figures(was)[i]! - figure)).toEqual(figures(right))
        expect(credit.net + credit.vat + credit.rounding).toBe(credit.total)
        for (const one of credit.lines) expect(one.net + one.vat).toBe(one.gross)
        for (const [i, one] of credit.lines.entries())
          if (!touched.has(i)) expect([one.net, one.vat]).toEqual([0, 0])
      }),
      { numRuns: 400 },
    )
    // It must not hide behind "cannot".
    expect(made).toBeGreaterThan(200)
  })

  test('and the same in shekels for a paper in another currency', () => {
    fc.assert(
      fc.property(lines, cut, settings, fc.integer({ min: 100_000, max: 9_000_000 }), (ls, cuts, s, rate) => {
        const { was, right, touched } = two(ls, cuts, s)
        const credit = differenceOf(was, right, touched)
        if (!credit) return
        const [a, b] = [convertToIls(was, rate), convertToIls(right, rate)]
        const ils = differenceInIls(credit, {
          total: a.total - b.total,
          vat: a.vat - b.vat,
          rounding: a.rounding - b.rounding,
          untaxed: a.netExempt - b.netExempt,
        })
        expect([ils.total, ils.vat, ils.rounding, ils.net]).toEqual([
          a.total - b.total,
          a.vat - b.vat,
          a.rounding - b.rounding,
          a.net - b.net,
        ])
        expect(ils.lines.reduce((all, one) => all + one.net, 0)).toBe(ils.net)
        if (credit.netTaxable && credit.netExempt) expect(ils.netExempt).toBe(a.netExempt - b.netExempt)
      }),
      { numRuns: 200 },
    )
  })
})

test('what a correction does is told by what it posts; what it only passes through is left out', () => {
  const row = (account: string, amount: number, day: string, party?: string) => ({
    account,
    amount,
    day,
    party,
  })
  const moved = [
    row('customers', -11_800, '2026-05-11', 'cohen'),
    row('income', 10_000, '2026-05-11'),
    row('vat', 1_800, '2026-05-11'),
    row('customers', 11_800, '2026-04-30', 'levi'),
    row('income', -10_000, '2026-04-30'),
    row('vat', -1_800, '2026-04-30'),
  ]
  expect(effectOf(moved, (account) => account === 'vat', may.vatPeriodOn)).toEqual({
    accounts: [],
    parties: [
      { party: 'cohen', amount: -11_800 },
      { party: 'levi', amount: 11_800 },
    ],
    vat: [
      { period: { from: '2026-03-01', to: '2026-04-30' }, amount: 1_800 },
      { period: { from: '2026-05-01', to: '2026-06-30' }, amount: -1_800 },
    ],
  })
})

test('things come back by a credit and go out again by the right paper; what is only marked brings back what it sent', () => {
  const line = (
    item: string,
    type: 'creditInvoice' | 'taxInvoice' | 'deliveryNote' | 'returnNote' | 'priceQuote',
    quantity: number,
    isUndone = false,
  ) => ({
    item,
    type,
    quantity,
    isUndone,
  })
  const all = [
    line('chair', 'creditInvoice', 100_000),
    line('table', 'creditInvoice', 40_000),
    line('chair', 'taxInvoice', 70_000),
    line('lamp', 'deliveryNote', 20_000, true),
    line('lamp', 'deliveryNote', 30_000),
    line('rug', 'returnNote', 10_000, true),
    line('desk', 'priceQuote', 10_000),
    // A credit of a sum alone takes no pieces.
    line('sofa', 'creditInvoice', 0),
  ]
  expect(goodsOf(all)).toEqual([
    { item: 'chair', back: 100_000, out: 70_000 },
    { item: 'table', back: 40_000, out: 0 },
    { item: 'lamp', back: 20_000, out: 30_000 },
    { item: 'rug', back: 0, out: 10_000 },
  ])
})
