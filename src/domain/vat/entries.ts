import { sum, toWholeShekels, type Agorot } from '../money.ts'
import type { Day, Period } from '../day.ts'
import { noExportEntry } from './pcn874/check.ts'
import type { Entry, EntryType } from './pcn874/layout.ts'
import type { InputPaper, SalePaper } from './papers.ts'
import { plainGroup } from './referenceGroup.ts'

/** An entry of the detailed report, and the papers it stands for: an error in its line leads there. */
export interface SourcedEntry extends Entry {
  keys: string[]
  name: string
  /** Of the VAT, in whole shekels. */
  equipmentVat: number
}

const nobody = '000000000'
const digitsOf = (text: string): string => text.replace(/\D/g, '').slice(-9).padStart(9, '0')

function entry(
  type: EntryType,
  of: {
    counterparty: string
    day: string
    group?: string
    reference: string
    allocation?: string
    name: string
    keys: string[]
  },
  net: Agorot,
  vat: Agorot,
  equipmentVat: Agorot = 0,
): SourcedEntry[] {
  // The sum decides the sign; where it is nothing, the VAT does (an import entry whose goods another paper
  // billed).
  const isCredit = isTakenBack(net, vat)
  const turned = (amount: Agorot) => toWholeShekels(isCredit ? -amount : amount)
  const made = {
    ...of,
    type,
    group: of.group ?? plainGroup,
    allocation: digitsOf(of.allocation ?? ''),
    vat: turned(vat),
    sum: turned(net),
    isCredit,
    equipmentVat: toWholeShekels(equipmentVat),
  }
  return made.vat === 0 && made.sum === 0 ? [] : [made]
}

const isTakenBack = (net: Agorot, vat: Agorot): boolean => net < 0 || (net === 0 && vat < 0)

/** Sales without a number of which one entry is made. */
interface Together {
  count: number
  net: Agorot
  vat: Agorot
  last: Day
  keys: string[]
}

/**
 * Customers without a number stand together: apart what was taxed and what was not, and apart what was taken
 * back, because a credit may have another rate than the sales of the period.
 */
export const togetherNames = ['taxed', 'taxedBack', 'untaxed', 'untaxedBack'] as const
export type Unnamed = Partial<Record<(typeof togetherNames)[number], Together>>

function addTo(
  unnamed: Unnamed,
  name: 'taxed' | 'untaxed',
  { key, day }: SalePaper,
  net: Agorot,
  vat: Agorot,
): void {
  if (net === 0 && vat === 0) return
  const of = (unnamed[isTakenBack(net, vat) ? (`${name}Back` as const) : name] ??= {
    count: 0,
    net: 0,
    vat: 0,
    last: day,
    keys: [],
  })
  of.count++
  of.net += net
  of.vat += vat
  if (day > of.last) of.last = day
  of.keys.push(key)
}

function unnamedOf(sales: readonly SalePaper[]): Unnamed {
  const unnamed: Unnamed = {}
  for (const p of sales) {
    if (p.taxId || (p.kind !== 'home' && p.kind !== 'abroad')) continue
    addTo(unnamed, 'taxed', p, p.taxable, p.vat)
    if (p.kind === 'home') addTo(unnamed, 'untaxed', p, p.untaxed, 0)
  }
  return unnamed
}

function together(parts: readonly Unnamed[]): SourcedEntry[] {
  return togetherNames.flatMap((name) => {
    const those = parts.flatMap((part) => part[name] ?? [])
    if (!those.length) return []
    return entry(
      'L',
      {
        counterparty: nobody,
        day: those.reduce((last, t) => (t.last > last ? t.last : last), those[0]!.last),
        reference: String(sum(those.map((t) => t.count))).padStart(9, '0'),
        name: '',
        keys: those.flatMap((t) => t.keys),
      },
      sum(those.map((t) => t.net)),
      sum(those.map((t) => t.vat)),
    )
  })
}

/**
 * A self-invoice is on both sides under the seller's number, or under our own without one: the authority allows that
 * for this kind only (rule 204).
 */
const sellerOf = (p: Pick<SalePaper, 'taxId'>, dealer: string): string => p.taxId ?? dealer

function ofSale(p: SalePaper, dealer: string): SourcedEntry[] {
  if (!p.taxId && p.kind === 'home') return []
  const base = {
    day: p.day,
    group: p.group,
    reference: digitsOf(p.number),
    allocation: p.allocation,
    name: p.name,
    keys: [p.key],
  }
  if (p.kind === 'selfInvoice')
    return entry('M', { ...base, counterparty: sellerOf(p, dealer) }, p.taxable, p.vat)
  const isExport = p.kind === 'abroad' && p.untaxed !== 0
  const exported = isExport
    ? entry(
        'Y',
        { ...base, allocation: '', counterparty: p.exportEntry ? digitsOf(p.exportEntry) : noExportEntry },
        p.untaxed,
        0,
      )
    : []
  // Of a customer under the Palestinian Authority the number must be there: without it the entry says so.
  if (!p.taxId && p.kind !== 'palestinian') return exported
  const type = p.kind === 'palestinian' ? 'I' : 'S'
  const counterparty = p.taxId ?? nobody
  // A paper with both is two entries: the header keeps taxed and untaxed sales apart, and only the VAT tells
  // them.
  return [
    ...(p.taxable !== 0 || p.vat !== 0 ? entry(type, { ...base, counterparty }, p.taxable, p.vat) : []),
    ...(p.untaxed !== 0 && !isExport
      ? entry(type, { ...base, allocation: '', counterparty }, p.untaxed, 0)
      : []),
    ...exported,
  ]
}

const inputType = {
  taxInvoice: 'T',
  receipt: 'T',
  import: 'R',
  palestinian: 'P',
  byLaw: 'H',
  pettyCash: 'K',
  selfInvoice: 'C',
} as const

function ofInput(p: InputPaper, dealer: string): SourcedEntry[] {
  const type = inputType[p.paper]
  const isImport = type === 'R'
  return entry(
    type,
    {
      // For an import the entry number replaces the supplier.
      counterparty: isImport ? digitsOf(p.number) : type === 'C' ? sellerOf(p, dealer) : (p.taxId ?? nobody),
      day: p.day,
      reference: isImport ? nobody : digitsOf(p.number),
      allocation: p.allocation,
      name: p.name,
      keys: [p.key],
    },
    p.net,
    p.vat,
    p.equipmentVat,
  )
}

/**
 * A bill whose VAT has another sign than its sum is two entries, as a sale with both is: the file has one sign for both
 * figures of an entry.
 */
const bySign = (p: InputPaper): InputPaper[] =>
  p.bySign?.length && Math.sign(p.net) * Math.sign(p.vat) < 0
    ? p.bySign.map((part) => ({ ...p, ...part }))
    : [p]

/** Petty cash is one entry, dated inside the period; reversals are another. */
function pettyCash(papers: readonly InputPaper[], period: Period): SourcedEntry[] {
  return [false, true].flatMap((back) => {
    const those = papers.filter((p) => isTakenBack(p.net, p.vat) === back)
    if (!those.length) return []
    const inside = those.map((p) => p.day).filter((day) => day >= period.from && day <= period.to)
    return entry(
      'K',
      {
        counterparty: nobody,
        day: inside.toSorted().at(-1) ?? period.to,
        reference: String(those.length).padStart(9, '0'),
        name: '',
        keys: those.map((p) => p.key),
      },
      sum(those.map((p) => p.net)),
      sum(those.map((p) => p.vat)),
      sum(those.map((p) => p.equipmentVat)),
    )
  })
}

/**
 * The entries of the detailed report for sales of some days of a period: single entries, and what is grouped with
 * the unnamed of other days.
 */
export interface SaleEntries {
  entries: SourcedEntry[]
  unnamed: Unnamed
}

export const saleEntriesOf = (sales: readonly SalePaper[], dealer: string): SaleEntries => ({
  entries: inOrder(sales.flatMap((p) => ofSale(p, dealer))),
  unnamed: unnamedOf(sales),
})

/**
 * The entries of the detailed report in the customary order: sales, then inputs, each by kind, day and number. Every
 * entry is rounded to whole shekels separately; an entry of zero is left out. `dealer` is the number of the
 * reporting dealer. `apart`: the unnamed among sales of the period whose own entries are had elsewhere.
 */
export function entriesOf(
  sales: readonly SalePaper[],
  inputs: readonly InputPaper[],
  period: Period,
  dealer: string,
  apart: readonly Unnamed[] = [],
): SourcedEntry[] {
  const sold = saleEntriesOf(sales, dealer)
  const bought = inputs.flatMap(bySign).filter((p) => p.vat !== 0)
  return inOrder([
    ...sold.entries,
    ...together([...apart, sold.unnamed]),
    ...bought.filter((p) => p.paper !== 'pettyCash').flatMap((p) => ofInput(p, dealer)),
    ...pettyCash(
      bought.filter((p) => p.paper === 'pettyCash'),
      period,
    ),
  ])
}

/**
 * From this sum with VAT on a non-profit names a bill in its report (annex of 2012 for non-profits and
 * financial institutions).
 */
export const nonProfitFrom: Agorot = 300_00

/**
 * The entries of a non-profit (type 6): it has no sales and deducts nothing, and names its bills by their
 * whole sum, without VAT. A receipt alone is no bill, and what is below the sum is left out.
 */
export function nonProfitEntriesOf(
  inputs: readonly InputPaper[],
  period: Period,
  dealer: string,
): SourcedEntry[] {
  const bills = inputs
    .filter(
      (p) =>
        p.paper !== 'receipt' && p.paper !== 'selfInvoice' && Math.abs(p.gross ?? p.net) >= nonProfitFrom,
    )
    .map((p) => ({ ...p, net: p.gross ?? p.net, vat: 0, equipmentVat: 0 }))
  return inOrder([
    ...bills.filter((p) => p.paper !== 'pettyCash').flatMap((p) => ofInput(p, dealer)),
    ...pettyCash(
      bills.filter((p) => p.paper === 'pettyCash'),
      period,
    ),
  ])
}

const order = 'SLMYITKRPHC'
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
/** As they stand in the file. */
// Days and references are digits of one length: plain comparison puts them in their order, and many times
// faster than that of a language.
export const inOrder = (made: readonly SourcedEntry[]): SourcedEntry[] =>
  made.toSorted(
    (a, b) =>
      order.indexOf(a.type) - order.indexOf(b.type) ||
      byText(a.day, b.day) ||
      byText(a.reference, b.reference),
  )
