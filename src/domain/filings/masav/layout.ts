/*
 * Files of the bank clearing centre (Masav): credits to suppliers and workers, debits of standing orders. The
 * layout is gathered from open code that agrees with itself, not from the centre: the person who gets the official
 * description changes these tables, which writer, reader and checks read.
 */

export type FieldKind =
  /** Digits with left zeros. */
  | 'digits'
  /** YYMMDD; a day of this century. */
  | 'day'
  /**
   * Latin letters as they are, Hebrew by the file's code and from left to right as it is seen; blanks at the
   * left.
   */
  | 'name'
  /** Nothing but what is named. */
  | 'fixed'

export interface LayoutField {
  name: string
  length: number
  kind: FieldKind
  fixed?: string
}

const digits = (name: string, length: number): LayoutField => ({ name, length, kind: 'digits' })
const fixed = (name: string, text: string): LayoutField => ({
  name,
  length: text.length,
  kind: 'fixed',
  fixed: text,
})
const day = (name: string): LayoutField => ({ name, length: 6, kind: 'day' })
const named = (name: string, length: number): LayoutField => ({ name, length, kind: 'name' })
const blank = (length: number) => fixed('blank', ' '.repeat(length))
const zeros = (length: number) => fixed('zeros', '0'.repeat(length))

/** Opens a logical file: who pays or collects, and on which day. */
export const header: readonly LayoutField[] = [
  fixed('type', 'K'),
  digits('institution', 8),
  zeros(2),
  day('payDay'),
  zeros(1),
  digits('serial', 3),
  zeros(1),
  day('madeOn'),
  digits('sender', 5),
  zeros(6),
  named('name', 30),
  blank(56),
  fixed('mark', 'KOT'),
]

/** One payment. */
export const detail: readonly LayoutField[] = [
  fixed('type', '1'),
  digits('institution', 8),
  zeros(8),
  digits('bank', 2),
  digits('branch', 3),
  zeros(4),
  digits('account', 9),
  zeros(1),
  digits('taxId', 9),
  named('name', 16),
  digits('amount', 13),
  digits('reference', 20),
  digits('period', 8),
  zeros(3),
  digits('code', 3),
  zeros(18),
  blank(2),
]

/** Closes a logical file with its totals, in agorot. */
export const total: readonly LayoutField[] = [
  fixed('type', '5'),
  digits('institution', 8),
  zeros(2),
  day('payDay'),
  zeros(1),
  digits('serial', 3),
  digits('creditSum', 15),
  digits('debitSum', 15),
  digits('credits', 7),
  digits('debits', 7),
  blank(63),
]

export const recordLength = 128
/** Closes the physical file. */
export const end = '9'.repeat(recordLength)

export type Direction = 'credit' | 'debit'
/** The kind of payment in columns 106 to 108. */
export const codes: Record<Direction, string> = { credit: '006', debit: '504' }

/**
 * A: letters of the keyboard's upper row stand for Hebrew. B: the bytes of the DOS code page. Which of them
 * is agreed with the centre.
 */
export type Code = 'A' | 'B'
