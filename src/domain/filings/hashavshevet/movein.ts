/*
 * The movement file of Hashavshevet by its "flexible method": records of fixed length, with a parameter file that
 * says where in the record each field is. The list of fields and their order are the maker's (h-erp.co.il, import of
 * movements and of account cards from a text file); that the length counts the end of the line, and that a field
 * which is left out is "0 0", is as other makers' programs write it. Bytes are Windows-1255, in logical order.
 */

/** A field of the record: how many characters it has; none when it is left out. */
interface Field {
  readonly name: string
  readonly length: number
  /** Figures stand on the right of their field. */
  readonly end?: true
}

/** Lines 2 to 35 of MOVEIN.PRM, each with the field it places. */
export const moveFields = [
  { name: 'type', length: 3 },
  { name: 'reference', length: 9, end: true },
  { name: 'reference2', length: 9, end: true },
  { name: 'day', length: 10 },
  { name: 'valueDay', length: 10 },
  { name: 'costing', length: 0 },
  // Left out, a movement is in shekels.
  { name: 'currency', length: 0 },
  { name: 'details', length: 50 },
  { name: 'debit1', length: 15 },
  { name: 'debit2', length: 15 },
  { name: 'credit1', length: 15 },
  { name: 'credit2', length: 15 },
  { name: 'debitSum1', length: 12, end: true },
  { name: 'debitSum2', length: 12, end: true },
  { name: 'creditSum1', length: 12, end: true },
  { name: 'creditSum2', length: 12, end: true },
  ...[
    'debitForeign1',
    'debitForeign2',
    'creditForeign1',
    'creditForeign2',
    'day3',
    'reference3',
    'quantity',
    'file',
    'remarks',
    'remarks2',
    'branch',
    'dealer',
    'unused',
    'reference4',
    'reference5',
    'day4',
    'day5',
    'allocation',
  ].map((name) => ({ name, length: 0 })),
] as const satisfies readonly Field[]

/** Lines 2 to 37 of HESHIN.PRM; the later ones may be missing. */
export const cardFields: readonly Field[] = [
  { name: 'key', length: 15 },
  { name: 'name', length: 50 },
  { name: 'sortCode', length: 9, end: true },
  ...Array.from({ length: 33 }, (_, i) => ({ name: `left${i}`, length: 0 })),
]

const end = '\r\n'

/** The parameter file: the length of a record, then the first and the last character of each field. */
export function parametersOf(fields: readonly Field[]): string {
  const total = fields.reduce((sum, { length }) => sum + length, 0) + end.length
  let at = 1
  const places = fields.map(({ length }) => {
    const place = length ? `${at} ${at + length - 1}` : '0 0'
    at += length
    return place
  })
  return [String(total), ...places].map((line) => `${line}${end}`).join('')
}

/** One record, with its end of line. What a field has no room for is cut off. */
export const recordOf = (fields: readonly Field[], values: Readonly<Record<string, string>>): string =>
  fields
    .map(({ name, length, end: right }) => {
      const text = (values[name] ?? '').replace(/[\r\n\t]/g, ' ').slice(0, length)
      return right ? text.padStart(length) : text.padEnd(length)
    })
    .join('') + end

export interface MoveLine {
  /** Key of the card, up to fifteen characters. */
  readonly key: string
  /** In agorot; debit positive. */
  readonly amount: number
}

/**
 * An entry as movements that each balance and have at most two cards on a side, as a record holds them: the
 * entry itself where it fits, else debits and credits paired in their order, so that every card is moved by
 * what the entry moves it by.
 */
export function movementsOf(lines: readonly MoveLine[]): { debits: MoveLine[]; credits: MoveLine[] }[] {
  const debits = lines.filter(({ amount }) => amount > 0)
  const credits = lines
    .filter(({ amount }) => amount < 0)
    .map(({ key, amount }) => ({ key, amount: -amount }))
  if (debits.length <= 2 && credits.length <= 2)
    return debits.length + credits.length ? [{ debits, credits }] : []
  const made: { debits: MoveLine[]; credits: MoveLine[] }[] = []
  let at = 0
  let left = credits[0]?.amount ?? 0
  for (const { key, amount } of debits) {
    let open = amount
    while (open > 0 && at < credits.length) {
      const part = Math.min(open, left)
      made.push({ debits: [{ key, amount: part }], credits: [{ key: credits[at]!.key, amount: part }] })
      open -= part
      left -= part
      if (left === 0) left = credits[++at]?.amount ?? 0
    }
  }
  return made
}

/** A sum in shekels with two digits after the point; of agorot. */
export const shekelsOf = (agorot: number): string =>
  `${Math.trunc(agorot / 100)}.${String(agorot % 100).padStart(2, '0')}`

/** '31/12/2026' */
export const writtenDay = (day: string): string => `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`

/** A reference is a number of up to nine digits there: the last nine of those it has. */
export const numberOf = (reference: string): string => reference.replace(/\D/g, '').slice(-9)
