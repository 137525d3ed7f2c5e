import { isTaxId } from '../../taxId.ts'
import type { Day } from '../../day.ts'
import { answer, categoryOfCode, closing, errorCodes, lengthOf, opening, query, refusal } from './layout.ts'
import { problemsOf, readRecord, type Values } from './record.ts'
import type { Query } from './build.ts'

/** What the authority says about one supplier. */
export interface Answer {
  line: number
  key: string
  incomeTaxFile: string | null
  vatFile: string | null
  hasCertificate: boolean
  /** Whole per cents. */
  rates: Record<'services' | 'agriculture' | 'insurance' | 'regulations' | 'interest', number>
  booksValid: boolean
  fromDay: Day | null
  toDay: Day | null
  ceilingAgorot: number | null
}

export interface Refusal extends Query {
  line: number
  errorCode: string
  /** Of the few codes that are public. */
  known: (typeof errorCodes)[keyof typeof errorCodes] | null
  errorText: string
}

export interface ReadFile {
  withholdingFile: string | null
  day: Day | null
  /** A query, as it was sent. */
  queries: Query[]
  answers: Answer[]
  refusals: Refusal[]
  /** Numbers of lines that could not be understood. */
  badLines: number[]
  /** The counts of the last line do not agree with the lines. */
  countsDiffer: boolean
}

const nothing = (digits: string | undefined): string | null =>
  !digits || /^0*$/.test(digits) ? null : digits
const queryOf = (values: Values): Query => ({
  key: values.key ?? '',
  incomeTaxFile: nothing(values.incomeTaxFile),
  vatFile: nothing(values.vatFile),
})

/** Reads whatever of System 1000 it is given: a query, the list of refused queries, or the answers. */
export function parseSystem1000(text: string): ReadFile {
  const file: ReadFile = {
    withholdingFile: null,
    day: null,
    queries: [],
    answers: [],
    refusals: [],
    badLines: [],
    countsDiffer: false,
  }
  let received: number | undefined
  const lines = text
    .replace(/^\ufeff/, '')
    .replaceAll('\u001a', '')
    .split(/\r\n|\n|\r/)
  for (const [index, raw] of lines.entries()) {
    const line = raw.trimEnd()
    if (line === '') continue
    const bad = () => void file.badLines.push(index + 1)
    if (line.length > lengthOf(refusal)) {
      const one = answerOf(raw, index + 1)
      if (one) file.answers.push(one)
      else bad()
    } else if (line.startsWith('A')) {
      const values = readRecord(opening, line)
      if (line.length < lengthOf(opening) || problemsOf(opening, values).length) bad()
      else Object.assign(file, { withholdingFile: values.withholdingFile, day: values.day || null })
    } else if (line.startsWith('Z')) {
      const values = readRecord(closing, line)
      if (line.length < lengthOf(closing) || problemsOf(closing, values).length) bad()
      else received = Number(values.received)
    } else if (line.startsWith('B') && line.length > lengthOf(query)) {
      const values = readRecord(refusal, line)
      if (!/^\d{2}$/.test(values.errorCode ?? '')) bad()
      else
        file.refusals.push({
          line: index + 1,
          ...queryOf(values),
          errorCode: values.errorCode!,
          known: errorCodes[values.errorCode as keyof typeof errorCodes] ?? null,
          errorText: values.errorText ?? '',
        })
    } else if (line.startsWith('B')) {
      const values = readRecord(query, line)
      if (line.length < lengthOf(query) || problemsOf(query, values).length) bad()
      else file.queries.push(queryOf(values))
    } else bad()
  }
  const rows = file.queries.length + file.answers.length
  file.countsDiffer = received !== undefined && rows > 0 && received !== rows + file.refusals.length
  return file
}

function answerOf(line: string, number: number): Answer | undefined {
  const values = readRecord(answer, line.padEnd(lengthOf(answer)))
  // A line that ends within its last sum was cut off: the ceiling of another sum would be read.
  const { length } = answer.at(-1)!
  if (values.ceiling !== '' && line.length < lengthOf(answer) && values.ceiling!.length < length)
    return undefined
  // A number of the authority is taken as it is; what cannot be counted on is a line of another layout.
  if (problemsOf(answer, values).length || values.hasCertificate === '' || values.booksValid === '')
    return undefined
  const numbers = [values.incomeTaxFile, values.vatFile].filter((digits) => nothing(digits) !== null)
  if (!numbers.length || !numbers.every((digits) => isTaxId(digits!))) return undefined
  const rate = (name: string) => Number(values[name] || 0)
  return {
    line: number,
    key: values.key ?? '',
    incomeTaxFile: nothing(values.incomeTaxFile),
    vatFile: nothing(values.vatFile),
    hasCertificate: values.hasCertificate === '1',
    rates: {
      services: rate('services'),
      agriculture: rate('agriculture'),
      insurance: rate('insurance'),
      regulations: rate('regulations'),
      interest: rate('interest'),
    },
    booksValid: values.booksValid === '1',
    fromDay: values.fromDay || null,
    toDay: values.toDay || null,
    // Nothing but nines is how such files say that there is no limit.
    ceilingAgorot: /^(0*|9+)$/.test(values.ceiling ?? '') ? null : Number(values.ceiling) * 100,
  }
}

/** The rate that concerns a supplier reported under a code of form 856. */
export const rateOf = ({ rates }: Pick<Answer, 'rates'>, code: string | null): number =>
  rates[(code && categoryOfCode[code]) || 'services'] * 100
