import type { Day, Period } from '../day.ts'
import { added, buildPcn874, headerOf, parted, tallyOf } from './pcn874/build.ts'
import { faultsOf, unfitFault, type Fault } from './pcn874/check.ts'
import type { Header } from './pcn874/layout.ts'
import { sum, type Agorot } from '../money.ts'
import { entriesOf, nonProfitEntriesOf, type SourcedEntry } from './entries.ts'
import {
  detailedFigures,
  figureNames,
  figuresOf,
  inShekels,
  negativeFigures,
  type InputPaper,
  type ReturnFigures,
  type SalePaper,
} from './papers.ts'
import { isNotable, together, type Part } from './part.ts'
import { differencesOf, noFigures, selfInvoicedOf, type BookFigures, type Difference } from './twoWays.ts'

/** What a period comes to, from both sides. */
export interface Outcome {
  exact: ReturnFigures
  booked: ReturnFigures
  /**
   * As the return carries them: those of the detailed report where it can be filed, whose totals the
   * authority takes over; else the return's own.
   */
  filed: ReturnFigures
  asReturn: ReturnFigures
  asDetailed: ReturnFigures
  negative: (keyof ReturnFigures)[]
  differences: Difference[]
  /**
   * Where documents and journal of another program's file part, in sum: that program reported them, and
   * nothing here puts it right.
   */
  broughtDiffers: Pick<Difference, 'in' | 'paper' | 'books'>[]
  saleCount: number
  inputs: readonly InputPaper[]
  entryCount: number
  /** Sales that somebody is to look at. */
  notable: readonly SalePaper[]
  /** Its papers of these keys. */
  papersOf: (keys: ReadonlySet<string>) => (SalePaper | InputPaper)[]
  /** What the authority would find in the report, and in which entry. */
  found: { fault: Fault; entry: SourcedEntry | undefined }[]
}

/** An outcome with the file it was worked out by. */
export interface WholeOutcome extends Outcome {
  sales: readonly SalePaper[]
  entries: SourcedEntry[]
  header: Header
  text: string
  faults: Fault[]
}

export interface Reporting {
  period: Period
  dealer: string
  /** Of the detailed report: '6' of a non-profit. */
  reportType: '1' | '6'
  today: Day
}

export interface Sides {
  sales: readonly SalePaper[]
  inputs: readonly InputPaper[]
  books: ReadonlyMap<string, BookFigures>
  /** The keys of what came with another program's file. */
  brought: ReadonlySet<string>
  parts?: readonly Part[]
  /** Of the parts what is to be compared over all of them, and what the books say of the rest. */
  loose?: { sales: readonly SalePaper[]; booked: BookFigures }
}

/**
 * What a period comes to by its papers and by the books. With `parts` the sales of those were worked out by
 * themselves and the file holds the entries of the other papers only: such an outcome is for looking at.
 */
export function outcomeOf(
  { period, dealer, reportType, today }: Reporting,
  { sales, inputs, books, brought, parts = [], loose = { sales: [], booked: noFigures } }: Sides,
): WholeOutcome {
  const figures = [...parts.map((part) => part.figures), figuresOf(sales, inputs)]
  const exact = Object.fromEntries(
    figureNames.map((name) => [name, sum(figures.map((of) => of[name]))]),
  ) as unknown as ReturnFigures
  const unnamed = parts.map((part) => part.unnamed)
  const { fit: entries, unfit } = parted(
    reportType === '6'
      ? nonProfitEntriesOf(inputs, period, dealer)
      : entriesOf(sales, inputs, period, dealer, unnamed),
  )
  const header = headerOf(added([...parts.map(({ written }) => written), tallyOf(entries)]), {
    dealer,
    period: period.to.slice(0, 7),
    reportType,
    madeOn: today,
    equipmentVat: sum(entries.map((e) => e.equipmentVat)),
  })
  const differences = differencesOf([...loose.sales, ...sales], inputs, books)
  const text = textOf(header, entries)
  const { untaxedSales } = exact
  const negative = negativeFigures(exact)
  // While the period runs the file is a preview: that it is not over yet is said apart.
  const unwritten = unfit.map((entry) => ({ fault: unfitFault, entry }))
  const written = faultsOf(
    text,
    today > period.to ? today : period.to,
    parts.map(({ read }) => read),
  )
  const faults = [...written, ...unwritten.map(({ fault }) => fault)]
  const found = [
    // Line 1 is the header, so the second line is the first entry.
    ...unwritten,
    ...written.map((fault) => ({ fault, entry: fault.line ? entries[fault.line - 2] : undefined })),
    ...parts.flatMap((part) => part.faults),
  ]
  const asReturn = inShekels(exact)
  const asDetailed = detailedFigures(header)
  const on = together([loose.booked, ...books.values()])
  const bookVat = { outputVat: on.outputVat, inputVatEquipment: on.equipmentVat, inputVatOther: on.inputVat }
  return {
    sales,
    inputs,
    saleCount: sum(parts.map((part) => part.sales.length)) + sales.length,
    notable: [...parts.flatMap((part) => part.notable), ...sales.filter(isNotable)],
    papersOf: (keys) =>
      keys.size === 0
        ? []
        : [...parts.flatMap((part) => part.sales), ...sales, ...inputs].filter(({ key }) => keys.has(key)),
    exact,
    // The books know turnover as one sum; how it divides is asked of each paper by its rate.
    booked: {
      taxableSales:
        reportType === '6'
          ? 0
          : on.net - untaxedSales + selfInvoicedOf(books, sum(sales.map((s) => s.beside))),
      untaxedSales,
      ...bookVat,
      toPay: bookVat.outputVat - bookVat.inputVatEquipment - bookVat.inputVatOther,
    },
    filed: negative.length || found.some(({ fault }) => !fault.isWarning) ? asReturn : asDetailed,
    asReturn,
    asDetailed,
    negative,
    differences: differences.filter(({ key }) => !brought.has(key)),
    broughtDiffers: summed(differences.filter(({ key, in: what }) => brought.has(key) && what !== 'rate')),
    entryCount: sum(parts.map((part) => part.entries.length)) + entries.length,
    found,
    entries,
    header,
    text,
    faults,
  }
}

/** A total beyond the field of the header leaves no file, and its faults say so. */
function textOf(header: Header, entries: readonly SourcedEntry[]): string {
  try {
    return buildPcn874(header, entries)
  } catch (e) {
    if (!(e instanceof RangeError)) throw e
    return ''
  }
}

function summed(differences: readonly Difference[]): Outcome['broughtDiffers'] {
  const sums = new Map<Difference['in'], { paper: Agorot; books: Agorot }>()
  for (const { in: what, paper, books } of differences) {
    const before = sums.get(what)
    sums.set(what, { paper: (before?.paper ?? 0) + paper, books: (before?.books ?? 0) + books })
  }
  return [...sums].filter(([, of]) => of.paper !== of.books).map(([what, of]) => ({ in: what, ...of }))
}
