import type { Period } from '../../../domain/day.ts'
import { sum, type Agorot } from '../../../domain/money.ts'
import { buildPcn874, headerOf } from '../../../domain/filings/pcn874/build.ts'
import { faultsOf, type Fault } from '../../../domain/filings/pcn874/check.ts'
import { namedAbove, type Header } from '../../../domain/filings/pcn874/layout.ts'
import { entriesOf, nonProfitEntriesOf, type SourcedEntry } from '../../../domain/vat/entries.ts'
import { detailedFigures, figuresOf, inShekels, negativeFigures, type ReturnFigures, type SalePaper } from '../../../domain/vat/papers.ts'
import { differencesOf, selfInvoicedOf, type Difference } from '../../../domain/vat/twoWays.ts'
import { fail } from '../../../kit/describe/errors.ts'
import { seesWhole } from '../../../kit/describe/session.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { monthName } from '../period.ts'
import { basisOn, reportingCompany, type Basis } from './basis.ts'
import { billedOf, booksOf } from './books.ts'
import type { ReadDays } from './days.ts'
import { papersOf, type Papers } from './papers.ts'

export interface WorkedPeriod extends Papers {
  period: Period
  basis: Basis
  exact: ReturnFigures
  booked: ReturnFigures
  /** As the return carries them: those of the detailed report where it can be filed, whose totals the authority takes over; else the return's own. */
  filed: ReturnFigures
  asReturn: ReturnFigures
  asDetailed: ReturnFigures
  negative: (keyof ReturnFigures)[]
  differences: Difference[]
  /** Where documents and journal of another program's file part, in sum: that program reported them, and nothing here puts it right. */
  broughtDiffers: Pick<Difference, 'in' | 'paper' | 'books'>[]
  entries: SourcedEntry[]
  header: Header
  text: string
  faults: Fault[]
  /** Above the sum from which the customer must be named. */
  unnamed: SalePaper[]
}

/**
 * A period worked out from both sides. People who see a part of the business get no sums of the whole. `read`: its sales and the sums of its entries,
 * where they were read before.
 */
export async function workOut(ctx: Ctx, period: Period, read?: ReadDays): Promise<WorkedPeriod> {
  if (!seesWhole(ctx.caller)) throw fail('session.forbidden')
  const company = await reportingCompany(ctx)
  const isNonProfit = company.reportType === '6'
  const papers = await papersOf(ctx, period, isNonProfit, read?.sales)
  const { sales, inputs, paid, changes, brought } = papers
  const books = isNonProfit ? await billedOf(ctx, inputs) : await booksOf(ctx, period, paid, changes, brought.figures, read?.sums)
  const exact = figuresOf(sales, inputs)
  const entries = isNonProfit ? nonProfitEntriesOf(inputs, period, company.taxId) : entriesOf(sales, inputs, period, company.taxId)
  const header = headerOf(entries, {
    dealer: company.taxId,
    period: monthName(period),
    reportType: company.reportType,
    madeOn: ctx.today,
    equipmentVat: sum(entries.map((e) => e.equipmentVat)),
  })
  const found = differencesOf(sales, inputs, books)
  const text = buildPcn874(header, entries)
  const untaxed = sum(sales.map((s) => s.untaxed))
  const booked = [...books.values()]
  const negative = negativeFigures(exact)
  // While the period runs the file is a preview: that it is not over yet is said apart.
  const faults = faultsOf(text, ctx.today > period.to ? ctx.today : period.to)
  const asReturn = inShekels(exact)
  const asDetailed = detailedFigures(header)
  const on = (name: 'net' | 'outputVat' | 'inputVat' | 'equipmentVat'): Agorot => sum(booked.map((b) => b[name]))
  const bookVat = { outputVat: on('outputVat'), inputVatEquipment: on('equipmentVat'), inputVatOther: on('inputVat') }
  return {
    ...papers,
    period,
    basis: basisOn(changes, period.to),
    exact,
    // The books know turnover as one sum; how it divides is asked of each paper by its rate.
    booked: {
      taxableSales: isNonProfit ? 0 : on('net') - untaxed + selfInvoicedOf(books, sum(sales.map((s) => s.beside))),
      untaxedSales: untaxed,
      ...bookVat,
      toPay: bookVat.outputVat - bookVat.inputVatEquipment - bookVat.inputVatOther,
    },
    filed: negative.length || faults.some((f) => !f.isWarning) ? asReturn : asDetailed,
    asReturn,
    asDetailed,
    negative,
    differences: found.filter(({ key }) => !brought.keys.has(key)),
    broughtDiffers: summed(found.filter(({ key, in: what }) => brought.keys.has(key) && what !== 'rate')),
    entries,
    header,
    text,
    faults,
    unnamed: sales.filter((s) => !s.taxId && s.kind === 'home' && Math.abs(s.taxable + s.untaxed) > namedAbove),
  }
}

function summed(differences: readonly Difference[]): WorkedPeriod['broughtDiffers'] {
  const sums = new Map<Difference['in'], { paper: Agorot; books: Agorot }>()
  for (const { in: what, paper, books } of differences) {
    const before = sums.get(what)
    sums.set(what, { paper: (before?.paper ?? 0) + paper, books: (before?.books ?? 0) + books })
  }
  return [...sums].filter(([, of]) => of.paper !== of.books).map(([what, of]) => ({ in: what, ...of }))
}

/** Where a paper is opened: a document, an expense, an entry. */
export function openOf(key: string): string {
  const [kind, id] = key.split(':')
  if (kind === 'document') return `/invoice/preview/${id}`
  return kind === 'expense' ? `/invoice/Expenses/all/${id}` : `/invoice/entries/${id}`
}

const mostPapers = 20

/** Faults with the papers they lead to, each once: a rule the authority counts twice is told once. */
export function findingsOf({ faults, entries, sales, inputs }: WorkedPeriod) {
  const nameOf = new Map([...sales, ...inputs].map((p) => [p.key, p]))
  const found = new Map<string, { code: string; isWarning: boolean; keys: Set<string> }>()
  const twin: Record<number, number> = { 303: 216, 304: 217, 311: 128 }
  for (const { code, line, isWarning } of faults) {
    const told = String(twin[code] ?? code)
    const finding = found.get(told) ?? { code: told, isWarning: isWarning === true, keys: new Set<string>() }
    // Line 1 is the header, so the second line is the first entry.
    for (const key of (line && entries[line - 2]?.keys) || []) finding.keys.add(key)
    found.set(told, finding)
  }
  return [...found.values()].map(({ code, isWarning, keys }) => ({
    code,
    isWarning,
    papers: [...keys].slice(0, mostPapers).map((key) => ({
      number: nameOf.get(key)?.number ?? '',
      name: nameOf.get(key)?.name ?? '',
      open: openOf(key),
    })),
  }))
}
