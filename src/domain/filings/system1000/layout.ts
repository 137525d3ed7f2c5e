/*
 * The files of System 1000, by which a payer asks the Tax Authority what to withhold from suppliers. The layout is
 * gathered from public pages (an adviser's circular of October 2022, makers of software), not from the Authority:
 * with the official one only these tables change, which the writer, the reader and the checks all read.
 */

export type FieldKind =
  /** Digits with left zeros; zeros mean nothing is given. */
  | 'digits'
  /** Nine digits whose check digit is right, or zeros. */
  | 'taxId'
  /** Nine digits beginning with 9. */
  | 'withholdingFile'
  /** Blanks on the right. */
  | 'text'
  /** DDMMYYYY is written; YYYYMMDD is understood too, and the two cannot be mixed up before the year 2100. */
  | 'day'
  | 'flag'
  | 'blank'

export interface LayoutField {
  name: string
  length: number
  kind: FieldKind
  /** Nothing but this may stand here. */
  fixed?: string
}

const field = (name: string, length: number, kind: FieldKind, fixed?: string): LayoutField => ({
  name,
  length,
  kind,
  ...(fixed ? { fixed } : {}),
})

/** Opens a query and the list of errors. */
export const opening = [
  field('type', 1, 'text', 'A'),
  field('withholdingFile', 9, 'withholdingFile'),
  field('day', 8, 'day'),
] as const

export const query = [
  field('type', 1, 'text', 'B'),
  field('key', 15, 'text'),
  // Of a partnership none may be given: its number is used for VAT only.
  field('incomeTaxFile', 9, 'taxId'),
  field('vatFile', 9, 'taxId'),
] as const

/** A query that was refused comes back as it was sent, with the reason. */
export const refusal = [
  ...query,
  field('errorCode', 2, 'digits'),
  field('errorText', 50, 'text'),
  field('entity', 9, 'digits'),
] as const

/** How many were received, how many of them were right and how many wrong; the payer knows only the first. */
export const closing = [
  field('type', 1, 'text', 'Z'),
  field('withholdingFile', 9, 'withholdingFile'),
  field('received', 4, 'digits'),
  field('right', 4, 'digits'),
  field('wrong', 4, 'digits'),
] as const

/** What is answered for one supplier, as it comes from the service for large payers. */
export const answer = [
  field('type', 1, 'text'),
  field('key', 13, 'text'),
  field('name', 22, 'text'),
  field('incomeTaxFile', 9, 'digits'),
  field('vatFile', 9, 'digits'),
  field('partnership', 9, 'digits'),
  field('hasCertificate', 1, 'flag'),
  // Whole per cents, by what is paid for.
  field('services', 2, 'digits'),
  field('agriculture', 2, 'digits'),
  field('insurance', 2, 'digits'),
  field('regulations', 2, 'digits'),
  field('interest', 2, 'digits'),
  field('booksValid', 1, 'flag'),
  field('fromDay', 8, 'day'),
  field('toDay', 8, 'day'),
  field('madeOn', 8, 'day'),
  // Whole shekels.
  field('ceiling', 13, 'digits'),
] as const

/** A file takes no more. */
export const mostRows = 1000

export const lengthOf = (fields: readonly LayoutField[]): number =>
  fields.reduce((sum, { length }) => sum + length, 0)

/** Of the reasons for a refusal only these are public; the others come with their text in the file. */
export const errorCodes = { '02': 'incomeTaxFileOfPartnership', '03': 'incomeTaxCheckDigit' } as const

/** The field of a supplier's rate, by the code of form 856 of the supplier. */
export const categoryOfCode: Readonly<Record<string, 'services' | 'insurance' | 'regulations' | 'interest'>> =
  {
    '01': 'interest',
    '02': 'insurance',
    '03': 'regulations',
    '11': 'regulations',
    '13': 'regulations',
  }
