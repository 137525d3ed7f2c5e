import { timesRate, type Agorot } from '../money.ts'
import type { InputPaper, SalePaper } from './papers.ts'

/*
 * The second way to every figure: from the lines of the books alone. Nothing here looks at a document's own totals;
 * the comparison then goes document by document, so that two mistakes never cancel each other out.
 */

/** held: money in trust, nobody's turnover. */
export type LedgerRole = 'outputVat' | 'inputVat' | 'equipmentVat' | 'party' | 'rounding' | 'held' | 'other'

/**
 * Lines of an entry, summed by what their accounts are; debit positive. A role that is absent has no line.
 */
export interface LedgerSums extends Readonly<Partial<Record<LedgerRole, Agorot>>> {
  readonly key: string
  /** Whether the entry is that of a sale: its income then counts as turnover. */
  readonly isSale: boolean
  /** Whether the lines of 'party' are a bill's: its supplier's line is the bill's sum. */
  readonly isBill: boolean
}

export interface BookFigures {
  net: Agorot
  outputVat: Agorot
  inputVat: Agorot
  equipmentVat: Agorot
  gross: Agorot
}

export const noFigures: BookFigures = { net: 0, outputVat: 0, inputVat: 0, equipmentVat: 0, gross: 0 }

/** What the books say of each paper. */
export function bookFiguresOf(entries: readonly LedgerSums[]): Map<string, BookFigures> {
  const found = new Map<string, BookFigures>()
  for (const {
    key,
    isSale,
    isBill,
    outputVat = 0,
    inputVat = 0,
    equipmentVat = 0,
    party = 0,
    other = 0,
  } of entries) {
    let of = found.get(key)
    if (!of) found.set(key, (of = { net: 0, outputVat: 0, inputVat: 0, equipmentVat: 0, gross: 0 }))
    of.outputVat -= outputVat
    of.inputVat += inputVat
    of.equipmentVat += equipmentVat
    if (isBill) of.gross -= party
    if (isSale) of.net -= other
  }
  return found
}

export type DifferenceIn = 'net' | 'outputVat' | 'inputVat' | 'equipmentVat' | 'gross' | 'rate'

/** One paper about which the two ways disagree. */
export interface Difference {
  key: string
  number: string
  name: string
  in: DifferenceIn
  /** What the paper says; of `rate`, its VAT. */
  paper: Agorot
  /** What the books say; of `rate`, the VAT its sum would have. */
  books: Agorot
}

/**
 * A document's VAT is rounded once for each way prices stand on it; papers in another currency are converted
 * line by line.
 */
const rateSlack = (isForeign: boolean): Agorot => (isForeign ? 100 : 5)

/** What the papers of a key say. */
interface Said extends Omit<BookFigures, 'gross'> {
  number: string
  name: string
  gross: Agorot | null
}

/**
 * Every disagreement, paper by paper: in a sum, in the VAT, a paper the books do not know, VAT in the books
 * without a paper.
 */
export function differencesOf(
  sales: readonly SalePaper[],
  inputs: readonly InputPaper[],
  books: ReadonlyMap<string, BookFigures>,
): Difference[] {
  const differences: Difference[] = []
  const said = new Map<string, Said>()
  const of = (key: string, number: string, name: string, gross: Agorot | null): Said => {
    let found = said.get(key)
    if (!found)
      said.set(
        key,
        (found = { number, name, net: 0, outputVat: 0, inputVat: 0, equipmentVat: 0, gross: null }),
      )
    found.number = number
    found.name = name
    if (gross !== null) found.gross = (found.gross ?? 0) + gross
    return found
  }
  for (const s of sales) {
    // The price of a self-invoice is with its bill, and is no income.
    const isSelf = s.kind === 'selfInvoice'
    const paper = of(s.key, s.number, s.name, s.gross)
    paper.net += isSelf ? s.untaxed : s.taxable + s.untaxed
    paper.outputVat += s.vat
    if (s.gross !== null && s.gross !== s.taxable + s.beside)
      differences.push({
        key: s.key,
        number: s.number,
        name: s.name,
        in: 'gross',
        paper: s.taxable + s.beside,
        books: s.gross,
      })
    if (s.rateBp === null) continue
    const due = timesRate(s.taxable, s.rateBp, 'halfAwayFromZero')
    if (Math.abs(due - s.vat) > rateSlack(s.isForeign))
      differences.push({ key: s.key, number: s.number, name: s.name, in: 'rate', paper: s.vat, books: due })
  }
  for (const i of inputs) {
    const paper = of(i.key, i.number, i.name, i.gross)
    paper.inputVat += i.vat - i.equipmentVat
    paper.equipmentVat += i.equipmentVat
  }
  for (const key of new Set([...said.keys(), ...books.keys()])) {
    const paper = said.get(key)
    const booked = books.get(key) ?? noFigures
    for (const name of ['net', 'outputVat', 'inputVat', 'equipmentVat', 'gross'] as const) {
      // A sum on a supplier's card is asked about only where the paper names one.
      if (name === 'gross' && (paper?.gross ?? null) === null) continue
      const on = paper?.[name] ?? 0
      if (on !== booked[name])
        differences.push({
          key,
          number: paper?.number ?? '',
          name: paper?.name ?? '',
          in: name,
          paper: on,
          books: booked[name],
        })
    }
  }
  return differences
}

/**
 * What the books say of the turnover of self-invoices: the VAT owed by an entry of a bill says that it is
 * one, what its supplier is owed is the sum. `beside` is what such bills carry without VAT, which the books
 * do not tell apart.
 */
export function selfInvoicedOf(books: ReadonlyMap<string, BookFigures>, beside: Agorot): Agorot {
  let turnover = -beside
  for (const [key, { outputVat, gross }] of books)
    if (key.startsWith('expense:')) turnover += Math.sign(outputVat) * Math.abs(gross)
  return turnover
}
