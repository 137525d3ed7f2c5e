import {
  closingLayout,
  entryLayout,
  headerLayout,
  isInputType,
  isSaleType,
  type Entry,
  type Header,
} from './layout.ts'
import { writeRecord } from './record.ts'

export interface ReportFacts {
  dealer: string
  period: string
  reportType: '1' | '6'
  madeOn: string
  /** Of the inputs, in whole shekels; an entry does not say it. */
  equipmentVat: number
}

const signed = (entry: Entry, amount: number): number => (entry.isCredit ? -amount : amount)

/**
 * What entries come to: all that a header, and the rules about the whole, ask of them. It adds up part by
 * part.
 */
export interface Tally {
  salesCount: number
  inputCount: number
  /** Of sales with VAT: credits are separate. */
  taxedCount: number
  sold: number
  takenBack: number
  salesVat: number
  untaxedSales: number
  inputVat: number
  /** Of inputs, whatever their sign. */
  inputVatAtMost: number
  /** Of self-invoices what they owe and what they deduct, and of petty cash. */
  selfInvoicedVat: number
  selfDeductedVat: number
  pettyCashVat: number
}

const noTally: Tally = {
  salesCount: 0,
  inputCount: 0,
  taxedCount: 0,
  sold: 0,
  takenBack: 0,
  salesVat: 0,
  untaxedSales: 0,
  inputVat: 0,
  inputVatAtMost: 0,
  selfInvoicedVat: 0,
  selfDeductedVat: 0,
  pettyCashVat: 0,
}

export function tallyOf(entries: readonly Entry[]): Tally {
  const tally = { ...noTally }
  for (const e of entries) {
    const vat = signed(e, e.vat)
    if (isSaleType(e.type)) {
      tally.salesCount++
      tally.salesVat += vat
      if (e.vat === 0) tally.untaxedSales += signed(e, e.sum)
      else {
        tally.taxedCount++
        if (e.isCredit) tally.takenBack += e.sum
        else tally.sold += e.sum
      }
      if (e.type === 'M') tally.selfInvoicedVat += vat
    } else if (isInputType(e.type)) {
      tally.inputCount++
      tally.inputVat += vat
      tally.inputVatAtMost += e.vat
      if (e.type === 'C') tally.selfDeductedVat += vat
      if (e.type === 'K') tally.pettyCashVat += vat
    }
  }
  return tally
}

export function added(tallies: readonly Tally[]): Tally {
  const all = { ...noTally }
  for (const one of tallies) for (const name of Object.keys(all) as (keyof Tally)[]) all[name] += one[name]
  return all
}

/** The header is the sum of the rounded entries: so the file always agrees with itself. */
export const headerOf = (tally: Tally, { equipmentVat, ...facts }: ReportFacts): Header => ({
  ...facts,
  taxableSales: tally.sold - tally.takenBack,
  salesVat: tally.salesVat,
  otherRateSales: 0,
  otherRateVat: 0,
  salesCount: tally.salesCount,
  untaxedSales: tally.untaxedSales,
  otherInputVat: tally.inputVat - equipmentVat,
  equipmentVat,
  inputCount: tally.inputCount,
  total: tally.salesVat - tally.inputVat,
})

/** An entry's line without its end. RangeError for a value that does not fit its field. */
export const lineOf = ({ isCredit, ...entry }: Entry): string =>
  writeRecord(entryLayout, { ...entry, sign: isCredit ? '-' : '+' })

/**
 * Entries whose values fit the fields of the file, and those that no line can express, such as VAT against the sign
 * of its amount: these are reported as faults of their documents and left out, so that one of them spoils no report.
 */
export function parted<E extends Entry>(entries: readonly E[]): { fit: E[]; unfit: E[] } {
  const [fit, unfit]: [E[], E[]] = [[], []]
  for (const entry of entries) {
    try {
      lineOf(entry)
      fit.push(entry)
    } catch (e) {
      if (!(e instanceof RangeError)) throw e
      unfit.push(entry)
    }
  }
  return { fit, unfit }
}

/**
 * The text of the file: header, sales, inputs, closing, each line with CR LF. RangeError for a value that
 * does not fit its field.
 */
export function buildPcn874(header: Header, entries: readonly Entry[]): string {
  const lines = [
    writeRecord(headerLayout, { ...header }),
    ...entries.filter((e) => isSaleType(e.type)).map(lineOf),
    ...entries.filter((e) => isInputType(e.type)).map(lineOf),
    writeRecord(closingLayout, { dealer: header.dealer }),
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}
