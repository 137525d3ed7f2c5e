import { sum } from '../../money.ts'
import { closingLayout, entryLayout, headerLayout, isInputType, isSaleType, type Entry, type Header } from './layout.ts'
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

/** The header is the sum of the rounded entries: so the file always agrees with itself. */
export function headerOf(entries: readonly Entry[], { equipmentVat, ...facts }: ReportFacts): Header {
  const sales = entries.filter((e) => isSaleType(e.type))
  const inputs = entries.filter((e) => isInputType(e.type))
  const taxed = sales.filter((e) => e.vat !== 0)
  const salesVat = sum(taxed.map((e) => signed(e, e.vat)))
  const inputVat = sum(inputs.map((e) => signed(e, e.vat)))
  return {
    ...facts,
    taxableSales: sum(taxed.map((e) => signed(e, e.sum))),
    salesVat,
    otherRateSales: 0,
    otherRateVat: 0,
    salesCount: sales.length,
    untaxedSales: sum(sales.filter((e) => e.vat === 0).map((e) => signed(e, e.sum))),
    otherInputVat: inputVat - equipmentVat,
    equipmentVat,
    inputCount: inputs.length,
    total: salesVat - inputVat,
  }
}

const lineOf = ({ isCredit, ...entry }: Entry): string => writeRecord(entryLayout, { ...entry, sign: isCredit ? '-' : '+' })

/** The text of the file: header, sales, inputs, closing, each line with CR LF. RangeError for a value that does not fit its field. */
export function buildPcn874(header: Header, entries: readonly Entry[]): string {
  const lines = [
    writeRecord(headerLayout, { ...header }),
    ...entries.filter((e) => isSaleType(e.type)).map(lineOf),
    ...entries.filter((e) => isInputType(e.type)).map(lineOf),
    writeRecord(closingLayout, { dealer: header.dealer }),
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}
