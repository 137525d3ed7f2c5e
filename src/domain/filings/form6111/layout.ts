/*
 * The file of form 6111, by the authority's specification for the tax year 2023 (letter of 7 January 2024):
 * records of 8,612 bytes, each ended by CR LF, the file by 1A. The writer and the reader both read these
 * tables.
 */

export interface HeadField {
  readonly name: string
  readonly length: number
  readonly kind: 'digits' | 'text'
  /** Whole numbers a field may hold; digits of any value when absent. */
  readonly of?: readonly number[]
}

const digits = <const N extends string>(
  name: N,
  length: number,
  of?: readonly number[],
): HeadField & { name: N } => ({
  name,
  length,
  kind: 'digits',
  ...(of ? { of } : {}),
})
const yesNo = [1, 2]

export const headFields = [
  digits('incomeTaxFile', 9),
  digits('year', 4),
  digits('taxId', 9),
  digits('vatFile', 9),
  digits('withholdingFile', 9),
  digits('branch', 4),
  // Hebrew, right aligned.
  { name: 'description', length: 50, kind: 'text' },
  // 1 industry, 2 trade, 3 services, 4 several.
  digits('businessKind', 2, [1, 2, 3, 4]),
  // 1 cash, 2 accrual, 9 dollar rules.
  digits('method', 2, [1, 2, 9]),
  // 1 single entry, 2 double.
  digits('bookkeeping', 2, [1, 2]),
  // 1 by hand, 2 by computer.
  digits('computerised', 2, [1, 2]),
  digits('partnership', 1, yesNo),
  digits('hasProfitAndLoss', 1, yesNo),
  digits('hasTaxAdjustment', 1, yesNo),
  digits('hasBalanceSheet', 1, yesNo),
  digits('profitAndLossRows', 3),
  digits('taxAdjustmentRows', 3),
  digits('balanceSheetRows', 3),
  // 9999: not by IFRS.
  digits('ifrsYear', 4),
  digits('ifrsOption', 1, [1, 2, 3, 9]),
  // The program's registration at the authority; nines where it has none.
  digits('software', 8),
  // 999 and 999999: no partnership.
  digits('partners', 3),
  digits('partnersShare', 6),
  // 1 shekel, 2 dollar.
  digits('currency', 2, [1, 2]),
  // The auditor's opinion, 1 to 6; 9 none.
  digits('opinion', 2, [1, 2, 3, 4, 5, 6, 9]),
  digits('thousands', 1, yesNo),
  digits('filler', 370),
] as const satisfies readonly HeadField[]

export type HeadName = (typeof headFields)[number]['name']
export type Head = Record<HeadName, string>

/** In the order of the record; each holds so many pairs of a code and its sum. */
export const partFields = ['profitAndLoss', 'taxAdjustment', 'balanceSheet'] as const
export const PAIRS = 150
export const CODE_LENGTH = 5
/** A minus is leftmost. */
export const SUM_LENGTH = 13

export const HEAD_LENGTH = headFields.reduce((sum, { length }) => sum + length, 0)
export const RECORD_LENGTH = HEAD_LENGTH + partFields.length * PAIRS * (CODE_LENGTH + SUM_LENGTH)
export const RECORD_END = '\r\n'
export const FILE_END = '\u001a'
export const fileName6111 = 'DKASPI.DAT'
