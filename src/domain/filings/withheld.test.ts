import { describe, expect, test } from 'vitest'
import { totalsOf } from '../documents/arithmetic.ts'
import { postCreditInvoice, postReceipt, postSupplierPayment, postTaxInvoice } from '../ledger/posting.ts'
import { reverse, type Posting } from '../ledger/entry.ts'
import { sum, timesRate } from '../money.ts'
import { advancesOf } from './advances.ts'
import {
  differencesOfPaid,
  differencesOfSums,
  leftOfMonth,
  paidByBooks,
  paidByPapers,
  type Keyed,
  type PaidLine,
  type PaidPaper,
} from './withheld.ts'

/** Numbers that look random and are the same every time. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const seeds = Array.from({ length: 300 }, (_, i) => [i * 6007 + 11] as const)
const accounts = { suppliers: '2000', paidFrom: '1010', withheldFromSuppliers: '2200' }

/**
 * A company's year of payments: several suppliers, with tax and without, credits that come back, and
 * reversals in the same month or a later one.
 */
function year(seed: number): { papers: PaidPaper[]; lines: PaidLine[] } {
  const roll = dice(seed)
  const papers: PaidPaper[] = []
  const lines: PaidLine[] = []
  const day = (month: number) =>
    `2026-${String(month).padStart(2, '0')}-${String(1 + roll(28)).padStart(2, '0')}`
  const post = (entryId: string, on: string, postings: readonly Posting[]) => {
    for (const p of postings)
      if (p.account !== '1010')
        lines.push({
          entryId,
          day: on,
          role: p.account === '2000' ? 'card' : 'tax',
          supplierId: p.party ?? null,
          amount: p.debit - p.credit,
        })
  }
  for (let n = 0; n < 5 + roll(40); n++) {
    const supplierId = `s${roll(7)}`
    const gross = (roll(9) === 0 ? -1 : 1) * (100 + roll(5_000_000))
    const withheld = gross > 0 ? timesRate(gross, [0, 0, 500, 2000, 3000][roll(5)]!, 'halfAwayFromZero') : 0
    const month = 1 + roll(12)
    const on = day(month)
    const postings = postSupplierPayment(gross - withheld, withheld, { ...accounts, supplier: supplierId })
    papers.push({ supplierId, day: on, count: 1, gross, withheld })
    post(`e${n}`, on, postings)
    if (roll(6) === 0) {
      const back = roll(2) ? on : day(Math.min(12, month + 1 + roll(3)))
      papers.push({ supplierId, day: back, count: -1, gross: -gross, withheld: -withheld })
      post(`r${n}`, back, reverse(postings))
    }
  }
  return { papers, lines }
}

test('the tax of an entry with several lines of its supplier is his once', () => {
  const line = { entryId: 'e', day: '2026-03-05', supplierId: 's' } as const
  const lines: PaidLine[] = [
    { ...line, role: 'card', amount: 700 },
    { ...line, role: 'card', amount: 300 },
    { ...line, role: 'tax', supplierId: null, amount: -200 },
  ]
  expect(paidByBooks(lines)).toEqual([
    { month: '2026-03', supplierId: 's', payments: 0, gross: 1000, withheld: 200 },
  ])
})

test.each([
  ['nothing was paid', 100, 100, 0, 100],
  ['older months come first', 100, 160, 60, 100],
  ['and then this one', 100, 160, 90, 70],
  ['all was paid', 100, 160, 160, 0],
  ['more was paid', 100, 160, 500, 0],
  ['it was paid before its month ended', 100, 0, 0, 0],
  ['a payment taken back since is of later months', 100, 100, -30, 100],
])('what of a month is still owed to the authority: %s', (_, withheld, owed, paidSince, left) =>
  expect(leftOfMonth(withheld, owed, paidSince)).toBe(left),
)

describe('856 and 102: what was paid and withheld, over hundreds of companies', () => {
  test.each(seeds)('%i: both ways agree, by the month and by the year', (seed) => {
    const { papers, lines } = year(seed)
    const [said, booked] = [paidByPapers(papers), paidByBooks(lines)]
    expect(differencesOfPaid(said, booked)).toEqual([])
    for (const of of ['gross', 'withheld'] as const) {
      expect(sum(said.map((one) => one[of]))).toBe(sum(papers.map((one) => one[of])))
      expect(sum(booked.map((one) => one[of]))).toBe(sum(said.map((one) => one[of])))
    }
    expect(sum(said.map((one) => one.payments))).toBe(sum(papers.map((one) => one.count)))
  })

  test.each(seeds)('%i: one changed line of the books, or one left out, is found and named', (seed) => {
    const { papers, lines } = year(seed)
    const roll = dice(seed + 1)
    const at = roll(lines.length)
    const line = lines[at]!
    const card = lines.find((one) => one.entryId === line.entryId && one.role === 'card')!
    const named = { month: card.day.slice(0, 7), supplierId: card.supplierId! }
    const changed = lines.map((one, i) =>
      i === at ? { ...one, amount: one.amount + (roll(2) ? 1 : -1) } : one,
    )
    expect(differencesOfPaid(paidByPapers(papers), paidByBooks(changed))).toMatchObject([named])
    const gone = lines.filter((one) => one.entryId !== line.entryId)
    const missing = differencesOfPaid(paidByPapers(papers), paidByBooks(gone))
    expect(missing.length).toBeGreaterThan(0)
    for (const one of missing) expect(one).toMatchObject(named)
  })

  test.each(seeds)('%i: one changed payment, or one on another supplier’s card, is found', (seed) => {
    const { papers, lines } = year(seed)
    const roll = dice(seed + 2)
    const at = roll(papers.length)
    const paper = papers[at]!
    const field = roll(2) ? 'gross' : 'withheld'
    const changed = papers.map((one, i) => (i === at ? { ...one, [field]: one[field] + 1 } : one))
    const named = { month: paper.day.slice(0, 7), supplierId: paper.supplierId }
    expect(differencesOfPaid(paidByPapers(changed), paidByBooks(lines))).toMatchObject([
      { ...named, in: field },
    ])
    // The overall totals stay what they were: only the supplier's show it.
    const moved = papers.map((one, i) => (i === at ? { ...one, supplierId: 'other' } : one))
    expect(differencesOfPaid(paidByPapers(moved), paidByBooks(lines))).toContainEqual(
      expect.objectContaining({ ...named, supplierId: 'other' }),
    )
  })

  test('what was reversed in its own month never was; in a later one it is taken off there', () => {
    const paid: PaidPaper = { supplierId: 's', day: '2026-03-02', count: 1, gross: 1_000, withheld: 200 }
    const back = (day: string): PaidPaper => ({
      supplierId: 's',
      day,
      count: -1,
      gross: -1_000,
      withheld: -200,
    })
    expect(paidByPapers([paid, back('2026-03-30')])).toEqual([])
    expect(paidByPapers([paid, back('2026-04-01')])).toMatchObject([
      { month: '2026-03', payments: 1, gross: 1_000 },
      { month: '2026-04', payments: -1, gross: -1_000 },
    ])
  })
})

/**
 * A company's period: the turnover of its papers and the tax its customers withheld, each as paper and as
 * lines of the books.
 */
function period(seed: number) {
  const roll = dice(seed)
  const turnover: { papers: Keyed[]; books: Keyed[] } = { papers: [], books: [] }
  const tax: { papers: Keyed[]; books: Keyed[] } = { papers: [], books: [] }
  for (let n = 0; n < 3 + roll(20); n++) {
    const key = `document:${n}`
    const isCredit = roll(5) === 0
    const totals = totalsOf({
      lines: Array.from({ length: 1 + roll(4) }, () => ({
        quantity: 10_000 * (1 + roll(5)),
        unitPrice: 1 + roll(9_000_00),
        vatKind: (['beforeVat', 'includingVat', 'withoutVat'] as const)[roll(3)]!,
      })),
      vatRate: 1800,
      vatTreatment: 'standard',
      rounding: roll(3) === 0 ? 'whole' : 'none',
    })
    turnover.papers.push({ key, amount: isCredit ? -totals.net : totals.net })
    const amounts = {
      lines: totals.lines.map((l) => ({ account: '4000', net: l.net })),
      vat: totals.vat,
      rounding: totals.rounding,
      total: totals.total,
    }
    const of = { customers: '1100', customer: 'c', outputVat: '2100', rounding: '8900' }
    for (const p of isCredit ? postCreditInvoice(amounts, of) : postTaxInvoice(amounts, of))
      if (p.account === '4000') turnover.books.push({ key, amount: p.credit - p.debit })
    if (roll(2)) continue
    const withheld = timesRate(totals.total, 500, 'halfAwayFromZero')
    const receipt = `document:r${n}`
    tax.papers.push({ key: receipt, amount: withheld })
    const money = [
      { account: '1010', amount: totals.total - withheld },
      { account: '1300', amount: withheld },
    ]
    for (const p of postReceipt(money, { customers: '1100', customer: 'c' }))
      if (p.account === '1300') tax.books.push({ key: receipt, amount: p.debit - p.credit })
  }
  return { turnover, tax }
}

describe('advances: turnover and the tax withheld from us, over hundreds of companies', () => {
  test.each(seeds)('%i: both ways agree, and so does what is to pay', (seed) => {
    const { turnover, tax } = period(seed)
    expect([
      differencesOfSums(turnover.papers, turnover.books),
      differencesOfSums(tax.papers, tax.books),
    ]).toEqual([[], []])
    const whole = (list: readonly Keyed[]) => sum(list.map((one) => one.amount))
    expect(
      advancesOf([{ turnover: whole(turnover.papers), withheld: whole(tax.papers), rateBp: 700 }]),
    ).toEqual(advancesOf([{ turnover: whole(turnover.books), withheld: whole(tax.books), rateBp: 700 }]))
  })

  test.each(seeds)('%i: one changed line is found, also when another mistake hides it in the sum', (seed) => {
    const { turnover, tax } = period(seed)
    const roll = dice(seed + 3)
    for (const { papers, books } of [turnover, tax]) {
      if (!books.length) continue
      const at = roll(books.length)
      const off = roll(2) ? 1 : -1
      const changed = books.map((one, i) => (i === at ? { ...one, amount: one.amount + off } : one))
      expect(differencesOfSums(papers, changed)).toMatchObject([{ key: books[at]!.key }])
      // The other way round on another document: the totals agree, the documents do not.
      const other = books.findIndex((one) => one.key !== books[at]!.key)
      if (other < 0) continue
      const hidden = changed.map((one, i) => (i === other ? { ...one, amount: one.amount - off } : one))
      expect(
        differencesOfSums(papers, hidden)
          .map(({ key }) => key)
          .toSorted(),
      ).toEqual([books[at]!.key, books[other]!.key].toSorted())
    }
  })
})
