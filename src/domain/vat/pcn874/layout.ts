/*
 * PCN874, the detailed VAT report: ASCII lines of fixed length. Source: the Tax Authority's circular on
 * report 874 and its list of errors of December 2015, with the short allocation number of the allocation
 * service's second version. The writer, the reader and the checks all read these tables, so that a change of
 * the layout is a change of one line here.
 */

export type FieldKind =
  | 'fixed'
  /** Digits with left zeros. */
  | 'digits'
  /** The same, and a number in memory. */
  | 'count'
  /** Whole shekels without a sign, left zeros. */
  | 'amount'
  /** A sign and whole shekels; nothing is written as +0. */
  | 'signed'
  /** YYYYMM; 'YYYY-MM' in memory. */
  | 'period'
  /** YYYYMMDD; 'YYYY-MM-DD' in memory. */
  | 'day'
  /** + or -. */
  | 'sign'
  /** Capital letters and digits. */
  | 'group'

export interface LayoutField {
  readonly name: string
  readonly length: number
  readonly kind: FieldKind
  readonly fixed?: string
}

const field = (name: string, length: number, kind: FieldKind, fixed?: string): LayoutField => ({
  name,
  length,
  kind,
  ...(fixed ? { fixed } : {}),
})

export const headerLayout = [
  field('record', 1, 'fixed', 'O'),
  field('dealer', 9, 'digits'),
  field('period', 6, 'period'),
  field('reportType', 1, 'digits'),
  field('madeOn', 8, 'day'),
  field('taxableSales', 12, 'signed'),
  field('salesVat', 10, 'signed'),
  field('otherRateSales', 12, 'signed'),
  field('otherRateVat', 10, 'signed'),
  field('salesCount', 9, 'count'),
  field('untaxedSales', 12, 'signed'),
  field('otherInputVat', 10, 'signed'),
  field('equipmentVat', 10, 'signed'),
  field('inputCount', 9, 'count'),
  field('total', 12, 'signed'),
] as const

export const entryLayout = [
  field('type', 1, 'group'),
  field('counterparty', 9, 'digits'),
  field('day', 8, 'day'),
  field('group', 4, 'group'),
  field('reference', 9, 'digits'),
  field('vat', 9, 'amount'),
  field('sign', 1, 'sign'),
  field('sum', 10, 'amount'),
  field('allocation', 9, 'digits'),
] as const

export const closingLayout = [field('record', 1, 'fixed', 'X'), field('dealer', 9, 'digits')] as const

export const lengthOf = (fields: readonly LayoutField[]): number =>
  fields.reduce((sum, { length }) => sum + length, 0)

/**
 * S an identified customer, L customers without a number, M a self-invoice, Y export, I a customer of the
 * Palestinian Authority; T a tax invoice, K petty cash, R import, P a Palestinian supplier, H another
 * document by law, C the input side of a self-invoice.
 */
export const saleTypes = ['S', 'L', 'M', 'Y', 'I'] as const
export const inputTypes = ['T', 'K', 'R', 'P', 'H', 'C'] as const
export type EntryType = (typeof saleTypes)[number] | (typeof inputTypes)[number]

export const isSaleType = (type: string): boolean => (saleTypes as readonly string[]).includes(type)
export const isInputType = (type: string): boolean => (inputTypes as readonly string[]).includes(type)

export interface Header {
  dealer: string
  /** 'YYYY-MM'; of a two-month period the last month. */
  period: string
  /** '1', or '6' of a non-profit or financial institution. */
  reportType: string
  madeOn: string
  /** All amounts in whole shekels. */
  taxableSales: number
  salesVat: number
  otherRateSales: number
  otherRateVat: number
  salesCount: number
  untaxedSales: number
  otherInputVat: number
  equipmentVat: number
  inputCount: number
  /** Positive to pay, negative a refund. */
  total: number
}

export interface Entry {
  type: EntryType
  /** Nine digits; zeros where nobody is named. */
  counterparty: string
  day: string
  group: string
  /** The rightmost nine digits of the paper's number; of L and K the number of papers. */
  reference: string
  /** Whole shekels, never negative: the sign is said apart. */
  vat: number
  isCredit: boolean
  sum: number
  allocation: string
}

/** Of the input VAT of a report that asks for a refund, at most so much may be petty cash (in per cent). */
export const pettyCashPercent = 5

/** Months after which the VAT of a bill may no longer be claimed. */
export const inputMonths = 6

/** A period may lie so many years back. */
export const yearsBack = 8

/** Fewer inputs on one and the same day are no wonder. */
export const suspiciousInputs = 5
