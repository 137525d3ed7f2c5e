import type { Day } from '../../day.ts'
import { closing, mostRows, opening, query } from './layout.ts'
import { problemsOf, writeRecord, type Problem } from './record.ts'

/** One supplier that is asked about. */
export interface Query {
  /** By which the answer is recognised, at most fifteen Latin signs. */
  key: string
  /** Null for a partnership. */
  incomeTaxFile: string | null
  /** Null when the supplier is no dealer. */
  vatFile: string | null
}

const valuesOf = ({ key, incomeTaxFile, vatFile }: Query) => ({
  key,
  incomeTaxFile: incomeTaxFile ?? '',
  vatFile: vatFile ?? '',
})

export const problemsOfQuery = (of: Query): Problem[] => problemsOf(query, valuesOf(of))

/** `D_<withholding file>.<DDMMYYYY>.dat` */
export const queryFileName = (withholdingFile: string, day: Day): string =>
  `D_${withholdingFile}.${day.slice(8)}${day.slice(5, 7)}${day.slice(0, 4)}.dat`

/** The texts of as many files as it takes; RangeError when a row is wrong. */
export function buildQueries(withholdingFile: string, day: Day, rows: readonly Query[]): string[] {
  const files: string[] = []
  for (let from = 0; from < rows.length; from += mostRows) {
    const part = rows.slice(from, from + mostRows)
    const lines = [
      writeRecord(opening, { withholdingFile, day }),
      ...part.map((row) => writeRecord(query, valuesOf(row))),
      writeRecord(closing, { withholdingFile, received: String(part.length) }),
    ]
    files.push(lines.map((line) => `${line}\r\n`).join(''))
  }
  return files
}
