import type { FormPart } from './codes.ts'
import {
  CODE_LENGTH,
  FILE_END,
  headFields,
  PAIRS,
  partFields,
  RECORD_END,
  SUM_LENGTH,
  type Head,
  type HeadName,
} from './layout.ts'

export interface Record6111 {
  head: Head
  lines: Record<FormPart, readonly { code: number; shekels: number }[]>
}

export interface HeadProblem {
  field: HeadName
  code: 'tooLong' | 'notDigits' | 'notAllowed' | 'letters'
}

/** What the code page of the file holds: Latin and Hebrew. */
const writable = /^[\x20-\x7e\u05d0-\u05ea]*$/

/** What is wrong with the head of a report before it is written. */
export function problemsOfHead(head: Head): HeadProblem[] {
  return headFields.flatMap((field): HeadProblem[] => {
    const { name, length, kind } = field
    const value = head[name]
    if (value.length > length) return [{ field: name, code: 'tooLong' }]
    if (kind === 'text') return writable.test(value) ? [] : [{ field: name, code: 'letters' }]
    if (!/^\d*$/.test(value)) return [{ field: name, code: 'notDigits' }]
    const of: readonly number[] | undefined = 'of' in field ? field.of : undefined
    return of && !of.includes(Number(value)) ? [{ field: name, code: 'notAllowed' }] : []
  })
}

const sumText = (shekels: number): string => {
  const figures = String(Math.abs(shekels))
  if (!Number.isSafeInteger(shekels) || figures.length > SUM_LENGTH - 1)
    throw new RangeError(`no sum of form 6111: ${shekels}`)
  return shekels < 0 ? `-${figures.padStart(SUM_LENGTH - 1, '0')}` : figures.padStart(SUM_LENGTH, '0')
}

/** One record without its end, a character for each byte. RangeError for what does not fit. */
export function write6111({ head, lines }: Record6111): string {
  const counted: Head = {
    ...head,
    profitAndLossRows: String(lines.profitAndLoss.length),
    taxAdjustmentRows: String(lines.taxAdjustment.length),
    balanceSheetRows: String(lines.balanceSheet.length),
  }
  const [wrong] = problemsOfHead(counted)
  if (wrong) throw new RangeError(`${wrong.field}: ${wrong.code}`)
  const start = headFields
    .map(({ name, length, kind }) => counted[name].padStart(length, kind === 'text' ? ' ' : '0'))
    .join('')
  const parts = partFields.map((part) => {
    const pairs = lines[part]
    if (pairs.length > PAIRS) throw new RangeError(`${part}: more than ${PAIRS} lines`)
    const written = pairs
      .map(({ code, shekels }) => String(code).padStart(CODE_LENGTH, '0') + sumText(shekels))
      .join('')
    return written.padEnd(PAIRS * (CODE_LENGTH + SUM_LENGTH), '0')
  })
  return start + parts.join('')
}

/** The file: its records and its end. To be written in windows-1255. */
export const build6111 = (records: readonly Record6111[]): string =>
  records.map((record) => write6111(record) + RECORD_END).join('') + FILE_END
