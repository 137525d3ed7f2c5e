import { describe, expect, test } from 'vitest'
import { convertToIls, totalsOf } from '../documents/arithmetic.ts'
import { workOutExpense } from '../expenses/workOut.ts'
import { vatShareNames } from './shares.ts'
import { buildPcn874, headerOf, tallyOf } from './pcn874/build.ts'
import { faultsOf } from './pcn874/check.ts'
import { parsePcn874 } from './pcn874/parse.ts'
import { postCreditInvoice, postExpense, postTaxInvoice } from '../ledger/posting.ts'
import { sum } from '../money.ts'
import { completeCheckDigit } from '../taxId.ts'
import { entriesOf } from './entries.ts'
import {
  figuresOf,
  inShekels,
  negativeFigures,
  paidPart,
  partInPeriod,
  type InputPaper,
  type SalePaper,
} from './papers.ts'
import { outcomeOf, type Outcome } from './outcome.ts'
import { looseOf, partOf } from './part.ts'
import { bookFiguresOf, differencesOf, selfInvoicedOf, type LedgerRole, type LedgerSums } from './twoWays.ts'

/** Numbers that look random and are the same every time. */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const period = { from: '2026-05-01', to: '2026-06-30' }
const dealer = completeCheckDigit('51111111')
const customers = Array.from({ length: 6 }, (_, i) => completeCheckDigit(String(51_200_000 + i)))
const suppliers = Array.from({ length: 6 }, (_, i) => completeCheckDigit(String(51_300_000 + i)))
const roles: Record<string, LedgerRole> = {
  '2100': 'outputVat',
  '1200': 'inputVat',
  '1210': 'equipmentVat',
  '1100': 'party',
  '2000': 'party',
  '8900': 'rounding',
}

interface Line extends Pick<LedgerSums, 'key' | 'isSale' | 'isBill'> {
  role: LedgerRole
  amount: number
}

interface Month {
  sales: SalePaper[]
  inputs: InputPaper[]
  lines: Line[]
}

const figuresOfLines = (lines: readonly Line[]) =>
  bookFiguresOf(lines.map(({ role, amount, ...of }) => ({ ...of, [role]: amount })))

/**
 * A company's period: documents of every VAT kind, credits, other currencies, discounts, rounding; bills with
 * shares, equipment, credits, claims of later.
 */
function companyMonth(seed: number): Month {
  const roll = dice(seed)
  const day = () => `2026-0${5 + roll(2)}-${String(1 + roll(28)).padStart(2, '0')}`
  const month: Month = { sales: [], inputs: [], lines: [] }
  const post = (
    key: string,
    isSale: boolean,
    postings: readonly { account: string; debit: number; credit: number }[],
  ) => {
    for (const p of postings)
      month.lines.push({
        key,
        isSale,
        isBill: !isSale && p.account === '2000',
        role: roles[p.account] ?? 'other',
        amount: p.debit - p.credit,
      })
  }
  for (let n = 0; n < 3 + roll(12); n++) {
    const isForeign = roll(5) === 0
    const isAbroad = isForeign && roll(2) === 0
    const vatRate = roll(6) === 0 ? 1700 : 1800
    const isCredit = roll(5) === 0
    const totals = totalsOf({
      lines: Array.from({ length: 1 + roll(5) }, () => ({
        quantity: 10_000 * (1 + roll(7)),
        unitPrice: 1 + roll(90_000_00),
        vatKind: (['beforeVat', 'beforeVat', 'includingVat', 'withoutVat'] as const)[roll(4)]!,
        ...(roll(4) === 0 ? { discount: { basisPoints: roll(3000) } } : {}),
      })),
      ...(roll(4) === 0 ? { discount: { basisPoints: roll(2000) } } : {}),
      vatRate,
      vatTreatment: isAbroad ? 'zero' : 'standard',
      rounding: roll(4) === 0 ? 'whole' : 'none',
    })
    const ils = isForeign ? convertToIls(totals, 3_000_000 + roll(999_999)) : totals
    const key = `document:${n}`
    const sign = isCredit ? -1 : 1
    month.sales.push({
      key,
      number: String(1000 + n),
      group: '0000',
      day: day(),
      taxId: isAbroad || roll(3) === 0 ? null : customers[roll(6)]!,
      name: '',
      kind: isAbroad ? 'abroad' : 'home',
      exportEntry: isAbroad && roll(2) ? String(260_000_000_000 + roll(1_000_000)) : '',
      beside: 0,
      gross: null,
      taxable: sign * ils.netTaxable || 0,
      untaxed: sign * (ils.netExempt + ils.netZero) || 0,
      vat: sign * ils.vat || 0,
      rateBp: vatRate,
      isForeign,
      allocation: '',
    })
    const amounts = {
      lines: ils.lines.map((l) => ({ account: '4000', net: l.net })),
      vat: ils.vat,
      rounding: ils.rounding,
      total: ils.total,
    }
    const accounts = { customers: '1100', customer: 'c', outputVat: '2100', rounding: '8900' }
    post(key, true, isCredit ? postCreditInvoice(amounts, accounts) : postTaxInvoice(amounts, accounts))
  }
  for (let n = 0; n < 3 + roll(10); n++) {
    const sign = roll(6) === 0 ? -1 : 1
    const isForeign = roll(6) === 0
    const given = Array.from({ length: 1 + roll(3) }, () => {
      const net = sign * (1 + roll(500_000))
      return {
        net,
        vat: Math.trunc(net * 0.18),
        vatShare: vatShareNames[roll(4)]!,
        incomeTaxBp: 10_000,
        isFixedAsset: roll(5) === 0,
      }
    })
    const worked = workOutExpense(given, {
      rateMillionths: isForeign ? 3_000_000 + roll(900_000) : 1_000_000,
      recognisesVat: true,
    })
    const key = `expense:${n}`
    if (worked.recognisedVat === 0) continue
    const isLater = roll(5) === 0
    month.inputs.push({
      key,
      paper: (['taxInvoice', 'taxInvoice', 'taxInvoice', 'pettyCash', 'byLaw'] as const)[roll(5)]!,
      number: String(9000 + n),
      // Claimed in a later period than its own.
      day: isLater ? '2026-02-17' : day(),
      taxId: suppliers[roll(6)]!,
      name: '',
      net: worked.net,
      vat: worked.recognisedVat,
      equipmentVat: worked.equipmentVat,
      gross: worked.total,
      allocation: '',
    })
    const vatAccount = isLater ? '1205' : undefined
    post(
      key,
      false,
      postExpense(
        worked.parts.map((p, i) => ({
          account: '6000',
          net: p.net,
          vat: p.vat,
          recognisedVat: p.recognisedVat,
          isFixedAsset: given[i]!.isFixedAsset,
        })),
        {
          suppliers: '2000',
          supplier: 's',
          inputVat: vatAccount ?? '1200',
          inputVatFixedAssets: vatAccount ?? '1210',
        },
      ),
    )
    if (isLater)
      post(key, false, [
        { account: '1200', debit: worked.recognisedVat - worked.equipmentVat, credit: 0 },
        { account: '1210', debit: worked.equipmentVat, credit: 0 },
        { account: '1205', debit: 0, credit: worked.recognisedVat },
      ])
  }
  for (let n = 0; n < roll(4); n++) {
    const sign = roll(6) === 0 ? -1 : 1
    const net = sign * (1_000 + roll(400_000))
    const beside = roll(3) === 0 ? sign * roll(50_000) : 0
    const line = (amount: number, vat: number) => ({
      net: amount,
      vat,
      vatShare: vatShareNames[roll(4)]!,
      incomeTaxBp: 10_000,
      isFixedAsset: roll(5) === 0,
    })
    const given = [line(net, Math.round(net * 0.18)), ...(beside ? [line(beside, 0)] : [])]
    const worked = workOutExpense(given, { rateMillionths: 1_000_000, recognisesVat: true })
    const key = `expense:self${n}`
    const named = {
      key,
      number: String(300 + n),
      day: day(),
      taxId: roll(3) === 0 ? null : suppliers[roll(6)]!,
      name: '',
      allocation: '',
    }
    month.sales.push({
      ...named,
      kind: 'selfInvoice',
      group: '0000',
      exportEntry: '',
      beside,
      gross: worked.net,
      taxable: net,
      untaxed: 0,
      vat: worked.vat,
      rateBp: 1800,
      isForeign: false,
    })
    if (worked.recognisedVat !== 0)
      month.inputs.push({
        ...named,
        paper: 'selfInvoice',
        net,
        vat: worked.recognisedVat,
        equipmentVat: worked.equipmentVat,
        gross: null,
      })
    post(
      key,
      false,
      postExpense(
        worked.parts.map((p, i) => ({
          account: '6000',
          net: p.net,
          vat: p.vat,
          recognisedVat: p.recognisedVat,
          isFixedAsset: given[i]!.isFixedAsset,
        })),
        { suppliers: '2000', supplier: 's', inputVat: '1200', inputVatFixedAssets: '1210', owedVat: '2100' },
      ),
    )
  }
  return month
}

const compare = ({ sales, inputs, lines }: Month) => differencesOf(sales, inputs, figuresOfLines(lines))
const seeds = Array.from({ length: 400 }, (_, i) => [i * 7919 + 13] as const)

describe('two ways to every figure, over hundreds of companies', () => {
  test.each(seeds)('%i: both agree, and the file with them', (seed) => {
    const month = companyMonth(seed)
    expect(compare(month)).toEqual([])
    const { sales, inputs } = month
    const booked = figuresOfLines(month.lines)
    const books = [...booked.values()]
    const exact = figuresOf(sales, inputs)
    const selfInvoiced = selfInvoicedOf(booked, sum(sales.map((s) => s.beside)))
    expect(exact.taxableSales + exact.untaxedSales).toBe(sum(books.map((b) => b.net)) + selfInvoiced)
    expect(exact.toPay).toBe(sum(books.map((b) => b.outputVat - b.inputVat - b.equipmentVat)))

    const entries = entriesOf(sales, inputs, period, dealer)
    const header = headerOf(tallyOf(entries), {
      dealer,
      period: '2026-06',
      reportType: '1',
      madeOn: '2026-07-05',
      equipmentVat: sum(entries.map((e) => e.equipmentVat)),
    })
    const text = buildPcn874(header, entries)
    const read = parsePcn874(text)
    expect(read.entries.map((e) => e.record)).toMatchObject(
      entries.map(({ keys: _, name: __, equipmentVat: ___, ...entry }) => entry),
    )
    // Only what a period of credits or of small cash brings with it, never a fault of our own making.
    const lawful = new Set([101, 102, 105, 106, 107, 129, 215, 216, 217, 303, 304])
    expect(
      faultsOf(text, '2026-07-05')
        .map((f) => f.code)
        .filter((c) => !lawful.has(c)),
    ).toEqual([])
    // Half a shekel an entry at the most.
    expect(Math.abs(header.total * 100 - exact.toPay)).toBeLessThanOrEqual(50 * (2 * entries.length + 1))
  })

  test.each(seeds.slice(0, 200))('%i: one changed line of the books is found', (seed) => {
    const month = companyMonth(seed)
    const roll = dice(seed + 1)
    const asked = month.lines.filter(
      (l) =>
        ['outputVat', 'inputVat', 'equipmentVat'].includes(l.role) ||
        (l.isSale && l.role === 'other') ||
        l.isBill,
    )
    const line = asked[roll(asked.length)]!
    line.amount += roll(2) ? 1 : -1
    expect(compare(month).map((d) => d.key)).toContain(line.key)
  })

  test.each(seeds.slice(0, 200))('%i: one changed figure of a paper is found', (seed) => {
    const month = companyMonth(seed)
    const roll = dice(seed + 2)
    const isSale = roll(2) === 0 || !month.inputs.length
    const changed = isSale
      ? (() => {
          const paper = month.sales[roll(month.sales.length)]!
          paper[(['taxable', 'untaxed', 'vat'] as const)[roll(3)]!] += 1
          return paper
        })()
      : (() => {
          const paper = month.inputs[roll(month.inputs.length)]!
          if (roll(2) || paper.gross === null) paper.vat += 1
          else paper.gross += 1
          return paper
        })()
    expect(compare(month).map((d) => d.key)).toContain(changed.key)
  })

  test.each(seeds)('%i: a period in parts comes to what it comes to in one', (seed) => {
    const { sales, inputs, lines } = companyMonth(seed)
    const roll = dice(seed + 4)
    // Parts are made of documents.
    const isDocument = ({ key }: SalePaper) => key.startsWith('document:')
    const documents = sales.filter(isDocument)
    // Some lines stand on another day than their paper, some are wrong, some papers without their lines, some
    // are the same paper again.
    const days = new Map(sales.map(({ key, day }) => [key, day]))
    const sums = lines.map(({ role, amount, ...of }) => ({
      ...of,
      [role]: amount + (roll(25) === 0 ? 1 : 0),
      day:
        roll(20) === 0
          ? `2026-05-${String(1 + roll(28)).padStart(2, '0')}`
          : (days.get(of.key) ?? '2026-06-30'),
    }))
    const gone = roll(4) === 0 ? sales[roll(sales.length)]!.key : ''
    const booked = sums.filter(({ key }) => key !== gone)
    if (roll(3) === 0) sales.push({ ...documents[roll(documents.length)]!, key: 'document:twice' })
    if (roll(3) === 0) sales[roll(sales.length)]!.taxId = '123456789'
    sales.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    const reporting = { period, dealer, reportType: '1', today: '2026-07-05' } as const
    const whole = outcomeOf(reporting, { sales, inputs, books: bookFiguresOf(booked), brought: new Set() })

    const all = [...new Set([...sales, ...booked].map(({ day }) => day))].toSorted()
    const header = { dealer, period: '2026-06' }
    const on = <T extends { day: string }>(rows: readonly T[], day: string) =>
      rows.filter((row) => row.day === day)
    const parts = all.map((day) => partOf(on(sales, day).filter(isDocument), on(booked, day), header))
    const loose = looseOf(parts)
    const inParts = outcomeOf(reporting, {
      sales: sales.filter((s) => !isDocument(s)),
      inputs,
      books: bookFiguresOf(loose.sums),
      brought: new Set(),
      parts,
      loose,
    })
    const told = ({ saleCount, entryCount, notable, found, differences, ...o }: Outcome) => ({
      figures: [o.exact, o.booked, o.filed, o.asReturn, o.asDetailed, o.negative],
      counts: [saleCount, entryCount],
      notable: notable.map(({ key }) => key),
      papers: o.papersOf(new Set(['document:1', 'expense:1'])).map(({ key }) => key),
      found: found
        .map(
          ({ fault, entry: e }) =>
            `${fault.code} ${fault.isWarning} ${e?.type} ${e?.day} ${e?.reference} ${e?.sum}`,
        )
        .toSorted(),
      differences: differences.map((d) => `${d.key} ${d.in} ${d.paper} ${d.books} ${d.number}`).toSorted(),
    })
    expect(told(inParts)).toEqual(told(whole))
  })

  test.each(seeds.slice(0, 100))(
    '%i: a paper that is missing, or stands only in the books, is found',
    (seed) => {
      const month = companyMonth(seed)
      const roll = dice(seed + 3)
      const kept = month.sales.filter((s) => s.taxable !== 0 || s.untaxed !== 0)
      if (!kept.length) return
      const gone = kept[roll(kept.length)]!
      expect(compare({ ...month, sales: month.sales.filter((s) => s !== gone) }).map((d) => d.key)).toContain(
        gone.key,
      )
      expect(
        compare({ ...month, lines: month.lines.filter((l) => l.key !== gone.key) }).map((d) => d.key),
      ).toContain(gone.key)
    },
  )

  test('what was moved between taxed and untaxed is found by the rate', () => {
    const month = companyMonth(5)
    const paper = month.sales.find((s) => s.taxable > 100_00 && !s.isForeign)!
    paper.taxable -= 10_00
    paper.untaxed += 10_00
    expect(compare(month)).toMatchObject([{ key: paper.key, in: 'rate' }])
  })
})

describe('figures', () => {
  const sale = (taxable: number, vat: number, untaxed = 0): SalePaper => ({
    key: 'document:1',
    number: '1',
    day: '2026-05-01',
    taxId: null,
    name: '',
    group: '0000',
    kind: 'home',
    exportEntry: '',
    beside: 0,
    gross: null,
    taxable,
    untaxed,
    vat,
    rateBp: 1800,
    isForeign: false,
    allocation: '',
  })

  test.each([
    [149, 100],
    [150, 200],
    [-150, -200],
    [-149, -100],
    [0, 0],
  ])('%i agorot are %i in whole shekels', (exact, filed) => {
    expect(inShekels(figuresOf([sale(0, 0, exact)], [])).untaxedSales).toBe(filed)
  })

  test('each by itself, and what is to pay of the rounded ones', () => {
    const filed = inShekels({
      taxableSales: 1_050,
      untaxedSales: 0,
      outputVat: 149,
      inputVatEquipment: 50,
      inputVatOther: 50,
      toPay: 49,
    })
    expect(filed).toEqual({
      taxableSales: 1_100,
      untaxedSales: 0,
      outputVat: 100,
      inputVatEquipment: 100,
      inputVatOther: 100,
      toPay: -100,
    })
  })

  test('credits above the sales are named', () => {
    expect(negativeFigures(figuresOf([sale(-100, -18)], []))).toEqual(['taxableSales', 'outputVat'])
    expect(negativeFigures(figuresOf([sale(100, 18)], []))).toEqual([])
  })

  test.each(seeds.slice(0, 100))('%i: parts on cash basis are the whole, whatever the payments', (seed) => {
    const roll = dice(seed)
    const total = 1 + roll(1_000_000)
    const paper = sale(1 + roll(900_000), roll(180_000), roll(5_000))
    const stops = [...Array.from({ length: roll(6) }, () => roll(total)), 0, total].toSorted((a, b) => a - b)
    const parts = stops.slice(1).map((after, i) => partInPeriod(paper, { before: stops[i]!, after, total }))
    expect([
      sum(parts.map((p) => p.vat)),
      sum(parts.map((p) => p.taxable)),
      sum(parts.map((p) => p.untaxed)),
    ]).toEqual([paper.vat, paper.taxable, paper.untaxed])
    expect(paidPart(paper.vat, total, total)).toBe(paper.vat)
  })
})
