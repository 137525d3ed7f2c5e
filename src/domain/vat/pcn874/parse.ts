import {
  closingLayout,
  entryLayout,
  headerLayout,
  isInputType,
  isSaleType,
  lengthOf,
  type Entry,
  type EntryType,
  type Header,
} from './layout.ts'
import { readRecord, type ReadRecord } from './record.ts'

export interface ReadLine<T> {
  /** From 1, as people count. */
  line: number
  record: T
  bad: string[]
}

export interface ReadReport {
  headers: ReadLine<Header>[]
  entries: ReadLine<Entry>[]
  closings: ReadLine<{ dealer: string }>[]
  /** Of unknown kind. */
  unknown: number[]
  wrongLength: number[]
  /** The kinds of the lines in their order. */
  order: ('header' | 'entry' | 'closing' | 'unknown')[]
}

const headerFrom = ({ values }: ReadRecord): Header => values as unknown as Header

const entryFrom = ({ values }: ReadRecord): Entry => ({
  type: values.type as EntryType,
  counterparty: String(values.counterparty),
  day: String(values.day),
  group: String(values.group),
  reference: String(values.reference),
  vat: Number(values.vat),
  isCredit: values.sign === '-',
  sum: Number(values.sum),
  allocation: String(values.allocation),
})

/** Reads a report by the same tables it is written by; line ends may be CR LF or LF. */
export function parsePcn874(text: string): ReadReport {
  const report: ReadReport = {
    headers: [],
    entries: [],
    closings: [],
    unknown: [],
    wrongLength: [],
    order: [],
  }
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  for (const [index, raw] of lines.entries()) {
    const line = index + 1
    const kind = raw.startsWith('O')
      ? 'header'
      : raw.startsWith('X')
        ? 'closing'
        : isSaleType(raw.slice(0, 1)) || isInputType(raw.slice(0, 1))
          ? 'entry'
          : 'unknown'
    report.order.push(kind)
    if (kind === 'unknown') {
      report.unknown.push(line)
      continue
    }
    const layout = kind === 'header' ? headerLayout : kind === 'closing' ? closingLayout : entryLayout
    if (raw.length !== lengthOf(layout)) {
      report.wrongLength.push(line)
      continue
    }
    const read = readRecord(layout, raw)
    if (kind === 'header') report.headers.push({ line, record: headerFrom(read), bad: read.bad })
    else if (kind === 'closing')
      report.closings.push({ line, record: { dealer: String(read.values.dealer) }, bad: read.bad })
    else report.entries.push({ line, record: entryFrom(read), bad: read.bad })
  }
  return report
}
