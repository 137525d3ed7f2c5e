import { addMonths, endOfMonth, isDay, monthsBetween, startOfMonth, yearOf, type Day } from '../../day.ts'
import { isTaxId } from '../../taxId.ts'
import { vatRateOn } from '../../vat/rates.ts'
import { added, headerOf, tallyOf, type Tally } from './build.ts'
import {
  inputMonths,
  isInputType,
  isSaleType,
  pettyCashPercent,
  suspiciousInputs,
  yearsBack,
  type Entry,
  type EntryType,
  type Header,
} from './layout.ts'
import { parsePcn874, type ReadLine, type ReadReport } from './parse.ts'

/**
 * One broken rule, by the number of the authority's list of errors. Where the list gives a range for several
 * fields, its numbers are taken in the order of the fields.
 */
export interface Fault {
  code: FaultCode
  /** Of the file, from 1; absent when the whole is meant. */
  line?: number
  /** The authority asks, and does not refuse. */
  isWarning?: boolean
}

/** What is reported of an entry that no line of the file can say (`parted`). */
export const unfitFault: Fault = { code: 806 }

export const faultCodes = [
  101, 102, 103, 104, 105, 106, 107, 108, 110, 111, 112, 113, 114, 119, 120, 125, 126, 127, 128, 129, 130,
  131, 132, 201, 202, 203, 204, 205, 206, 207, 208, 209, 212, 213, 214, 215, 216, 217, 301, 302, 303, 304,
  305, 306, 307, 308, 309, 310, 311, 801, 802, 803, 804, 805, 806,
] as const
export type FaultCode = (typeof faultCodes)[number]

const zeros = /^0*$/
/** What stands for an export without an export entry, such as services. */
export const noExportEntry = '999999999'

/**
 * Every fault the authority would find in this file on that day. An empty answer: the file may be sent. `apart`: the
 * totals of entries that are not in the text, which were checked separately (`faultsOfPart`).
 */
export function faultsOf(text: string, today: Day, apart: readonly Tally[] = []): Fault[] {
  const report = parsePcn874(text)
  const header = report.headers[0]
  if (!header) return structure(report)
  const tally = added([tallyOf(report.entries.map(({ record }) => record)), ...apart])
  return [
    ...structure(report),
    ...ofHeader(header.record, header.line, report, tally, today),
    ...ofEntries(report.entries, header.record),
    ...ofWhole(header.record, report.entries, tally),
  ]
}

/**
 * Checks the lines of some sales of a report separately: their faults, with the line among them, and their totals.
 * The report's other entries must be of other days or other kinds, because two of a kind and a day may be the same
 * one twice.
 */
export function faultsOfPart(
  lines: readonly string[],
  header: Pick<Header, 'dealer' | 'period'>,
): { faults: Fault[]; tally: Tally } {
  const { unknown, wrongLength, entries } = parsePcn874(lines.join('\n'))
  return {
    faults: [...unreadable({ unknown, wrongLength, lines: entries }), ...ofEntries(entries, header)],
    tally: tallyOf(entries.map(({ record }) => record)),
  }
}

const unreadable = ({
  unknown,
  wrongLength,
  lines,
}: Pick<ReadReport, 'unknown' | 'wrongLength'> & { lines: readonly ReadLine<unknown>[] }): Fault[] => [
  ...unknown.map((line) => ({ code: 801, line }) as const),
  ...wrongLength.map((line) => ({ code: 802, line }) as const),
  ...lines.filter(({ bad }) => bad.length).map(({ line }) => ({ code: 806, line }) as const),
]

function structure(report: ReadReport): Fault[] {
  const faults = unreadable({ ...report, lines: [...report.headers, ...report.entries, ...report.closings] })
  if (report.order[0] !== 'header') faults.push({ code: 803, line: 1 })
  if (report.order.filter((kind) => kind === 'header').length > 1) faults.push({ code: 804 })
  const closing = report.order.indexOf('closing')
  if (closing >= 0 && closing !== report.order.length - 1) faults.push({ code: 805, line: closing + 1 })
  return faults
}

function ofHeader(header: Header, line: number, report: ReadReport, tally: Tally, today: Day): Fault[] {
  const faults: Fault[] = []
  const add = (code: FaultCode, isBroken: boolean) => void (isBroken && faults.push({ code, line }))
  const bad = new Set(report.headers[0]!.bad)
  const positive = [
    'taxableSales',
    'salesVat',
    'otherRateSales',
    'otherRateVat',
    'untaxedSales',
    'otherInputVat',
    'equipmentVat',
  ] as const satisfies readonly (keyof Header)[]
  positive.forEach((name, i) => add((101 + i) as FaultCode, bad.has(name) || header[name] < 0))
  add(108, bad.has('total'))
  add(110, !isTaxId(header.dealer))
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(header.period) ?? []
  add(111, !month || Number(month) < 1 || Number(month) > 12)
  add(112, !year || Number(year) < 1000)
  if (isDay(`${header.period}-01`)) {
    add(113, `${header.period}-01` > today)
    add(114, yearOf(today) - Number(year) > yearsBack)
  }
  add(119, header.otherRateSales !== 0)
  add(120, header.otherRateVat !== 0)
  add(125, header.total !== header.salesVat - header.equipmentVat - header.otherInputVat)
  add(126, report.closings.length === 0)
  add(
    127,
    report.closings.some(({ record }) => record.dealer !== header.dealer),
  )
  add(129, header.taxableSales < 0 || header.salesVat < 0 || header.untaxedSales < 0)
  if (header.reportType === '6') {
    add(130, header.taxableSales !== 0)
    add(131, header.salesVat !== 0)
    add(132, header.untaxedSales !== 0)
  }
  if (isDay(`${header.period}-01`)) add(128, !isAtRate(header.salesVat, tally, header.period))
  return faults
}

/**
 * Whether the VAT of the sales fits what they and their credits come to at the rates of the last years (a
 * credit takes the rate of its invoice), to the rounding of so many entries.
 */
function isAtRate(vat: number, { sold, takenBack, taxedCount }: Tally, period: string): boolean {
  const last = endOfMonth(`${period}-01`)
  const rates = Array.from({ length: yearsBack + 1 }, (_, i) => vatRateOn(addMonths(last, -12 * i)) / 10_000)
  const [least, most] = [Math.min(...rates), Math.max(...rates)]
  const slack = taxedCount + 1
  return vat >= sold * least - takenBack * most - slack && vat <= sold * most - takenBack * least + slack
}

/**
 * What the rules about an entry ask of its period, worked out once for all of them; null where the header
 * names none.
 */
function periodOf(header: Pick<Header, 'period'>) {
  const first = `${header.period}-01`
  if (!isDay(first)) return null
  const last = endOfMonth(first)
  return { last, lastMonth: startOfMonth(last), before: addMonths(first, -1) }
}

/** The highest rate an entry of that day can carry, a credit's or a sale's that of the last years too. */
function ratesByDay(): (day: Day, isLate: boolean) => number {
  const known = new Map<Day, { ofDay: number; ofYears: number }>()
  return (day, isLate) => {
    let rates = known.get(day)
    if (!rates) {
      const ofDay = vatRateOn(day)
      known.set(
        day,
        (rates = { ofDay, ofYears: Math.max(ofDay, vatRateOn(addMonths(day, -12 * yearsBack))) }),
      )
    }
    return isLate ? rates.ofYears : rates.ofDay
  }
}

function ofEntries(entries: readonly ReadLine<Entry>[], header: Pick<Header, 'dealer' | 'period'>): Fault[] {
  const period = periodOf(header)
  const highestRate = ratesByDay()
  const faults = entries.flatMap((entry) => ofEntry(entry, header.dealer, period, highestRate))
  const seen = new Set<string>()
  for (const { line, record: e } of entries) {
    if (e.type === 'L' || e.type === 'K' || (e.type === 'H' && zeros.test(e.reference))) continue
    // The sign is part of it: the same record with the other sign reverses a wrong one.
    const key = `${e.type}|${e.counterparty}|${e.group}|${e.reference}|${e.day}|${e.isCredit}|${e.sum}|${e.vat}`
    if (seen.has(key)) faults.push({ code: 214, line })
    seen.add(key)
  }
  return faults
}

const named = new Set<EntryType>(['S', 'M', 'I', 'T', 'P', 'H', 'C'])
const ofAnother = new Set<EntryType>(['S', 'T', 'H', 'P', 'I'])

function ofEntry(
  { line, record: e }: ReadLine<Entry>,
  dealer: string,
  period: ReturnType<typeof periodOf>,
  highestRate: ReturnType<typeof ratesByDay>,
): Fault[] {
  const faults: Fault[] = []
  const add = (code: FaultCode, isBroken: boolean) => void (isBroken && faults.push({ code, line }))
  const nobody = zeros.test(e.counterparty)
  add(201, named.has(e.type) && nobody)
  add(202, named.has(e.type) && !nobody && !isTaxId(e.counterparty))
  add(203, (e.type === 'L' || e.type === 'K') && !nobody)
  add(204, ofAnother.has(e.type) && e.counterparty === dealer)
  add(205, e.type === 'R' ? !zeros.test(e.reference) : e.type !== 'H' && zeros.test(e.reference))
  add(213, (e.type === 'R' || e.type === 'Y') && nobody)
  if (!isDay(e.day)) return [...faults, { code: 206, line }]
  if (!period) return faults
  add(207, e.day > period.last)
  add(
    208,
    isInputType(e.type) &&
      e.type !== 'K' &&
      monthsBetween(startOfMonth(e.day), period.lastMonth) > inputMonths,
  )
  // A two-month period begins a month before the one the header names.
  add(209, e.type === 'K' && (e.day > period.last || e.day < period.before))
  // An import entry may carry the VAT of goods that another paper billed.
  add(
    212,
    e.type !== 'R' &&
      e.vat > Math.ceil((e.sum * highestRate(e.day, isSaleType(e.type) || e.isCredit)) / 10_000) + 1,
  )
  add(212, e.type === 'Y' && e.vat !== 0)
  return faults
}

function ofWhole(header: Header, entries: readonly ReadLine<Entry>[], tally: Tally): Fault[] {
  const faults: Fault[] = []
  const add = (code: FaultCode, isBroken: boolean, more: Partial<Fault> = {}) =>
    void (isBroken && faults.push({ code, ...more }))
  // In a period of credits alone less is refunded than was owed.
  add(215, tally.selfDeductedVat > Math.max(tally.selfInvoicedVat, 0))
  if (
    header.total < 0 &&
    tally.pettyCashVat > 0 &&
    tally.pettyCashVat * 100 > tally.inputVat * pettyCashPercent
  ) {
    add(216, true, { line: entries.find(({ record }) => record.type === 'K')!.line })
    add(303, true)
  }
  const dated = entries.filter(({ record }) => isInputType(record.type))
  if (dated.length >= suspiciousInputs && new Set(dated.map(({ record }) => record.day)).size === 1) {
    add(217, true, { line: dated[0]!.line, isWarning: true })
    add(304, true, { isWarning: true })
  }
  const made = headerOf(tally, { ...header, reportType: '1' })
  add(301, header.salesCount !== made.salesCount)
  add(302, header.inputCount !== made.inputCount)
  add(305, header.taxableSales !== made.taxableSales)
  add(306, header.salesVat !== made.salesVat)
  add(307, header.untaxedSales !== made.untaxedSales)
  add(308, header.otherInputVat !== made.otherInputVat)
  add(309, Math.abs(header.equipmentVat) > Math.max(Math.abs(tally.inputVat), tally.inputVatAtMost))
  add(310, header.total !== made.total)
  if (isDay(`${header.period}-01`)) add(311, !isAtRate(made.salesVat, tally, header.period))
  return faults
}
