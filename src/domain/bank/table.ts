import { isDay, parseDay, type Day } from '../day.ts'
import { fold } from '../fold.ts'
import type { Agorot } from '../money.ts'
import { figureIn, hundredths, plainFigure, styleOf, type FigureStyle } from '../writtenFigure.ts'
import { plainText, type StatementLine } from './statement.ts'

/** What a column of a bank's table may be. */
export const bankColumns = [
  'day',
  'valueDay',
  'text',
  'details',
  'reference',
  'debit',
  'credit',
  'amount',
  'balance',
] as const
export type BankColumn = (typeof bankColumns)[number]

/** What a card company charges for a deal: money out. The sum of the deal itself may be in another currency. */
const cardCharges = [
  'סכום חיוב',
  'סכום החיוב',
  'סכום לחיוב',
  'סכום חיוב בשח',
  'סכום החיוב בשח',
  'charge amount',
  'billed amount',
] as const

/**
 * The heads of files of Israeli banks and card companies as they are, and those in English, Arabic, Russian and French.
 */
const heads: Readonly<Record<BankColumn, readonly string[]>> = {
  day: [
    'תאריך',
    'תאריך פעולה',
    'תאריך הפעולה',
    'תאריך ביצוע',
    'תאריך תנועה',
    'ת פעולה',
    'יום',
    'date',
    'transaction date',
    'booking date',
    'posting date',
    'תאריך עסקה',
    'תאריך העסקה',
    'תאריך רכישה',
    'purchase date',
    'التاريخ',
    'تاريخ العملية',
    'дата',
    'дата операции',
    'date opération',
    'date de l’opération',
    "date de l'opération",
    'date comptable',
  ],
  valueDay: [
    'תאריך ערך',
    'יום ערך',
    'ת ערך',
    'ערך',
    'תאריך חיוב',
    'תאריך החיוב',
    'מועד חיוב',
    'value date',
    'value',
    'date valeur',
    'date de valeur',
    'дата валютирования',
  ],
  text: [
    'תיאור',
    'תאור',
    'תיאור פעולה',
    'תיאור הפעולה',
    'תאור פעולה',
    'תיאור תנועה',
    'תיאור התנועה',
    'תאור תנועה',
    'סוג תנועה',
    'סוג פעולה',
    'הפעולה',
    'פעולה',
    'description',
    'transaction',
    'narrative',
    'type',
    'שם בית העסק',
    'שם בית עסק',
    'בית העסק',
    'בית עסק',
    'merchant',
    'merchant name',
    'البيان',
    'الوصف',
    'описание',
    'назначение платежа',
    'libellé',
    'désignation',
  ],
  details: [
    'פרטים',
    'פרטים נוספים',
    'תאור מורחב',
    'תיאור מורחב',
    'הערה',
    'הערות',
    'לטובת',
    'עבור',
    'שם מוטב',
    'צד נגדי',
    'details',
    'memo',
    'notes',
    'payee',
    'counterparty',
  ],
  reference: [
    'אסמכתא',
    'אסמכתה',
    'אסמכתא 1',
    'אסמכתא1',
    'מספר אסמכתא',
    'מס אסמכתא',
    'reference',
    'ref',
    'reference number',
    'check number',
    'cheque number',
  ],
  debit: [
    'חובה',
    'בחובה',
    'חיוב',
    'סכום חובה',
    'חובה שח',
    'debit',
    'withdrawal',
    'withdrawals',
    'paid out',
    'money out',
    ...cardCharges,
    'مدين',
    'дебет',
    'расход',
    'списание',
    'débit',
  ],
  credit: [
    'זכות',
    'בזכות',
    'זיכוי',
    'סכום זכות',
    'זכות שח',
    'credit',
    'deposit',
    'deposits',
    'paid in',
    'money in',
    'دائن',
    'кредит',
    'приход',
    'зачисление',
    'crédit',
  ],
  amount: [
    'סכום',
    'זכות חובה',
    'חובה זכות',
    'סכום פעולה',
    'סכום הפעולה',
    'סכום התנועה',
    'סכום בשח',
    'amount',
    'sum',
    'transaction amount',
    'المبلغ',
    'сумма',
    'сумма операции',
    'montant',
  ],
  balance: [
    'יתרה',
    'היתרה',
    'יתרה בשח',
    'היתרה בשח',
    'יתרה לאחר פעולה',
    'יתרה אחרי פעולה',
    'balance',
    'running balance',
    'الرصيد',
    'остаток',
    'баланс',
    'solde',
  ],
}

const plainHead = (text: string): string =>
  fold(text.replace(/[₪$€.:*#()[\]/\\|,]/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

const known = new Map<string, BankColumn>(
  bankColumns.flatMap((column) => heads[column].map((head) => [plainHead(head), column] as const)),
)

const charges: ReadonlySet<string> = new Set(cardCharges.map(plainHead))

/**
 * Which column is what, by the words of the heads; each thing once, whole words before parts of them.
 * `details` may stand several times: a bank that has a kind and a description of a line says in the second
 * whose money it was.
 */
export function columnsOf(row: readonly string[]): (BankColumn | null)[] {
  const plain = row.map(plainHead)
  const taken = new Set<BankColumn>()
  const mapping = plain.map((): BankColumn | null => null)
  const give = (i: number, column: BankColumn | undefined) => {
    if (column === 'text' && taken.has('text')) column = 'details'
    if (!column || mapping[i] !== null || (taken.has(column) && column !== 'details')) return
    mapping[i] = column
    taken.add(column)
  }
  for (const [i, head] of plain.entries()) give(i, known.get(head))
  // Beside what was charged for it, the sum of a deal moves nothing.
  if (plain.some((head) => charges.has(head)))
    for (const column of ['amount', 'credit'] as const) taken.add(column)
  // 'יתרה משוערכת לסוף יום' begins with what it is.
  for (const [i, head] of plain.entries()) {
    const words = head.split(' ')
    for (let n = Math.min(3, words.length); n > 0; n--) give(i, known.get(words.slice(0, n).join(' ')))
  }
  return mapping
}

/** Enough to read lines: a day and what moved. */
export const isComplete = (mapping: readonly (BankColumn | null)[]): boolean =>
  mapping.includes('day') &&
  (mapping.includes('amount') || mapping.includes('debit') || mapping.includes('credit'))

/**
 * The row of the heads: the first complete one among the first rows. Names and periods of the account stand
 * above it. -1 when none is.
 */
export const headRowOf = (rows: readonly (readonly string[])[]): number =>
  rows.slice(0, 40).findIndex((row) => isComplete(columnsOf(row)))

/** Enough of a line to know one: a day, and a figure beside it. */
function looksLikeData(row: readonly string[]): boolean {
  const cells = row.map(plainText).filter(Boolean)
  const isDayCell = (text: string) => /[./-]|^\d{8}$/.test(text) && readDay(text, false) !== undefined
  const day = cells.findIndex((text) => isDayCell(text) || readDay(text, true) !== undefined)
  return day >= 0 && cells.some((text, i) => i !== day && !isDayCell(text) && !!readSum(text))
}

/**
 * Where the heads of a table stand: where their words are known; else above the first line that has a day and
 * a sum; -1 when lines begin at once. Undefined when nothing looks like a line: it is no table of a bank.
 */
export function placeOfHeads(rows: readonly (readonly string[])[]): number | undefined {
  const known = headRowOf(rows)
  if (known >= 0) return known
  const first = rows.slice(0, 100).findIndex(looksLikeData)
  if (first < 0) return undefined
  const above = first > 0 ? rows[first - 1]!.map(plainText).filter(Boolean) : []
  const isHead =
    above.length >= 2 &&
    above.every((text) => readDay(text, false) === undefined && plainFigure(text) === undefined)
  return isHead ? first - 1 : -1
}

/** Tells tables with the same heads; those without by how wide they are. */
export const headMark = (row: readonly string[] | undefined, width: number): string =>
  row ? row.map(plainHead).join('|').slice(0, 4000) : `#${width}`

/** How many columns have something in them, by the first rows. */
export const widthOf = (rows: readonly (readonly string[])[]): number =>
  Math.max(0, ...rows.slice(0, 100).map((row) => row.findLastIndex((cell) => cell.trim() !== '') + 1))

/** Parts of a file without meaning to us, by their position in it. */
export interface TableFault {
  readonly row: number
  readonly code: 'badDay' | 'badSum' | 'badLine'
  readonly value: string
}

export interface ReadTable {
  readonly lines: StatementLine[]
  readonly faults: TableFault[]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as banks write it; `american` when the month is first. A time after it is dropped. */
function readDay(cell: string, american: boolean): Day | undefined {
  const text = plainText(cell).replace(/[ T]+\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?.*$/, '')
  const spelled = /^(\d{1,2})[ \-/]([a-z]{3})[a-z]*[ \-/](\d{2}|\d{4})$/i.exec(text)
  if (spelled) {
    const month = months.indexOf(spelled[2]!.toLowerCase()) + 1
    return month ? parseDay(`${spelled[1]}/${month}/${spelled[3]}`) : undefined
  }
  const yearFirst = /^(\d{4})[./-]?(\d{2})[./-]?(\d{2})$/.exec(text)
  if (yearFirst) {
    const day = `${yearFirst[1]}-${yearFirst[2]}-${yearFirst[3]}`
    if (isDay(day)) return day
  }
  // A workbook that was saved as text may leave its days as numbers: 1 January 2000 is 36526.
  if (/^[3-6]\d{4}(\.\d+)?$/.test(text) && Number(text) >= 36_526)
    return new Date(Date.UTC(1899, 11, 30) + Math.floor(Number(text)) * 86_400_000).toISOString().slice(0, 10)
  const parts = american ? /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})$/.exec(text) : null
  return parts ? parseDay(`${parts[3]}/${parts[1]}/${parts[4]}`) : parseDay(text)
}

const isEmpty = (cell: string): boolean => /^[\s\-–_]*$/.test(cell)

/** Agorot of a cell; 0 when it is empty, undefined when it is no figure. */
function readSum(cell: string, style?: FigureStyle): Agorot | undefined {
  const text = plainText(cell)
  if (isEmpty(text)) return 0
  const figure = style ? figureIn(text, style) : plainFigure(text)
  return figure === undefined || figure === 'unclear' ? undefined : hundredths(figure)
}

const sumColumns = ['amount', 'credit', 'debit', 'balance'] as const

/** Words of a column that says which way each sum went. */
const outward = new Set([
  'debit',
  'dr',
  'd',
  'db',
  'out',
  'withdrawal',
  'חובה',
  'חיוב',
  'debit card',
  'مدين',
  'дебет',
  'расход',
  'débit',
])
const inward = new Set([
  'credit',
  'cr',
  'c',
  'in',
  'deposit',
  'זכות',
  'זיכוי',
  'دائن',
  'кредит',
  'приход',
  'crédit',
])

/** The column whose every word says the way of its sum; -1 when none does. */
function directionOf(rows: readonly (readonly string[])[], mapping: readonly (BankColumn | null)[]): number {
  const at = mapping.indexOf('amount')
  if (at < 0) return -1
  const lines = rows.filter((row) => !!readSum(row[at] ?? ''))
  const wordOf = (row: readonly string[], c: number) => plainText(row[c] ?? '').toLowerCase()
  return mapping.findIndex(
    (column, c) =>
      !['day', 'valueDay', 'amount', 'balance'].includes(column ?? '') &&
      lines.length > 0 &&
      lines.every((row) => outward.has(wordOf(row, c)) || inward.has(wordOf(row, c))),
  )
}

const totals = /^(סה כ|סהכ|סכ הכל|סכ הכול|total|totals|sum)( |$|:)/
const carried =
  /^(יתרה?ת? (פתיחה|קודמת|סגירה|סופית|מועברת|התחלתית|לתחילת|לסופ)|opening balance|closing balance|previous balance|balance (brought|carried) forward)/

/**
 * A total row, or a row with the balance of the account: it moves nothing. With a day in it a total is nothing but
 * its word, and a balance is the amount beside it; anything else may be money.
 */
function isSummary(row: {
  day: Day | undefined
  dayCell: string
  text: string
  amount: Agorot
  balance: Agorot | undefined
}): boolean {
  const text = fold(row.text)
  if (!row.day) return [fold(row.dayCell), text].some((one) => totals.test(one) || carried.test(one))
  if (/^(סה כ|סהכ|סכ הכל|סכ הכול|total|totals)( תנועות| לתקופה| כללי)?:?$/.test(text)) return true
  return carried.test(text) && Math.abs(row.amount) === Math.abs(row.balance ?? Number.NaN)
}

/**
 * The lines of a bank's table below its heads, as they stand in it. Rows without a sum (titles, an opening
 * balance) and totals are no lines; a row with a sum and no day, or with a sum that is no figure, is a fault.
 * `rows` are numbered from 0.
 */
export function readTable(
  rows: readonly (readonly string[])[],
  given: readonly (BankColumn | null)[],
): ReadTable {
  const direction = directionOf(rows, given)
  // A description that says no more than the way is still what the line says.
  const mapping = given.map((column, c) =>
    c === direction && column !== 'text' && column !== 'details' ? null : column,
  )
  const at = (column: BankColumn) => mapping.indexOf(column)
  const cell = (row: readonly string[], column: BankColumn) => (at(column) < 0 ? '' : (row[at(column)] ?? ''))
  const american = isAmerican(rows.map((row) => cell(row, 'day')))
  const style = styleOf(rows.flatMap((row) => sumColumns.map((column) => plainText(cell(row, column)))))
  // Some banks write what went out with a minus in its own column.
  const debits = rows.flatMap((row) => readSum(cell(row, 'debit'), style) || [])
  const debitSign = debits.length > 0 && debits.every((sum) => sum < 0) ? -1 : 1
  const lines: StatementLine[] = []
  const faults: TableFault[] = []
  for (const [i, row] of rows.entries()) {
    const sums = (['amount', 'credit', 'debit'] as const).map((column) => readSum(cell(row, column), style))
    const day = readDay(cell(row, 'day'), american)
    const bad = sums.indexOf(undefined)
    if (bad >= 0) {
      // Heads that are repeated on the next page, and totals in words.
      if (day)
        faults.push({
          row: i,
          code: 'badSum',
          value: cell(row, (['amount', 'credit', 'debit'] as const)[bad]!),
        })
      continue
    }
    const isOut = direction >= 0 && outward.has(plainText(row[direction] ?? '').toLowerCase())
    // A minus beside 'credit' says two things: a person decides.
    if (direction >= 0 && !isOut && sums[0]! < 0) {
      if (day) faults.push({ row: i, code: 'badSum', value: cell(row, 'amount') })
      continue
    }
    const moved = isOut ? -Math.abs(sums[0]!) : sums[0]!
    const amount = moved + sums[1]! - debitSign * sums[2]!
    if (amount === 0) continue
    const written = cell(row, 'balance')
    const balance = at('balance') < 0 || isEmpty(written) ? undefined : readSum(written, style)
    if (
      isSummary({
        day,
        dayCell: plainText(cell(row, 'day')),
        text: plainText(cell(row, 'text')),
        amount,
        balance,
      })
    )
      continue
    if (!day) {
      // A row of totals names no day at all.
      if (!isEmpty(cell(row, 'day')))
        faults.push({ row: i, code: 'badDay', value: plainText(cell(row, 'day')).slice(0, 40) })
      continue
    }
    const said = mapping
      .flatMap((column, c) => (column === 'details' ? [plainText(row[c] ?? '')] : []))
      .filter(Boolean)
    lines.push({
      day,
      valueDay: readDay(cell(row, 'valueDay'), american) ?? null,
      amount,
      text: plainText(cell(row, 'text')).slice(0, 200),
      details: said.join(' · ').slice(0, 400),
      reference: plainText(cell(row, 'reference')).slice(0, 60),
      balance: balance ?? null,
    })
  }
  return { lines, faults }
}

/** The month is first only when read the other way some day would not exist, and read this way all do. */
function isAmerican(cells: readonly string[]): boolean {
  const dayLike = cells.map(plainText).filter((text) => /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(text))
  return (
    dayLike.some((text) => readDay(text, false) === undefined) &&
    dayLike.every((text) => readDay(text, true) !== undefined)
  )
}
