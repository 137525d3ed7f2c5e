import { fold } from '../fold.ts'
import { parseMoney, type Agorot } from '../money.ts'
import { monthsOfYear, spreadYear } from './budget.ts'

/** An account of income or expense, as a file may name it. */
export interface BudgetAccount {
  id: string
  number: string
  name: string
}

/** A row of a table by the number its sheet shows. */
export interface SheetRow {
  row: number
  cells: readonly string[]
}

export interface ReadBudget {
  /** By account: its months; what a file leaves empty stays as it was. */
  months: Map<string, (Agorot | null)[]>
  /**
   * `unknown`: no account of income or expense is called so. `sum`: that is no sum. `twice`: the account
   * stood above already.
   */
  faults: { row: number; why: 'unknown' | 'sum' | 'twice'; text: string; month?: number }[]
}

/** Above the titles may stand whose budget it is, and of which year. */
const mostAbove = 20

/** The names of months that files bear, folded, in the languages of the product. */
const names: readonly ReadonlySet<string>[] = Array.from({ length: monthsOfYear }, (_, i) => {
  const day = new Date(Date.UTC(2026, i, 15))
  return new Set(
    ['he', 'en', 'ar', 'ru', 'fr'].flatMap((language) =>
      (['long', 'short'] as const).map((month) =>
        fold(new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' }).format(day).replace('.', '')),
      ),
    ),
  )
})

const totals = new Set(
  [
    'סה"כ',
    'סה״כ',
    'סך הכל',
    'שנה',
    'סה"כ שנה',
    'total',
    'year',
    'sum',
    'المجموع',
    'السنة',
    'итого',
    'год',
    'année',
    'annee',
  ].map(fold),
)

/** Which month a title names, from 0: 1, 01/2026, 2026-01, January, ינו׳. Of another year it names none. */
export function monthNamed(title: string, year: number): number | undefined {
  const text = title.trim()
  const figure = /^(?:(\d{1,2})(?:[/.-](\d{2}|\d{4}))?|(\d{4})[/.-](\d{1,2})(?:[/.-]\d{1,2}.*)?)$/.exec(text)
  if (figure) {
    const month = Number(figure[1] ?? figure[4])
    const said = figure[2] ?? figure[3]
    if (month < 1 || month > 12) return undefined
    return said === undefined || Number(said) % 100 === year % 100 ? month - 1 : undefined
  }
  const word = fold(text.replace(/[׳'’.]/g, ''))
    .replace(String(year), '')
    .trim()
  const found = names.findIndex((of) => of.has(word))
  return found < 0 ? undefined : found
}

const clean = (cell: string | undefined): string => (cell ?? '').replace(/\s+/g, ' ').trim()

/**
 * Reads a budget from a table: an account by its number or its name, and either its months or the year's total,
 * which is spread evenly. A row of titles says which column is which month; without one the figures after number and
 * name are the twelve months in their order, or one total. Rows that name nothing and subtotals ("total income") are
 * skipped.
 */
export function readBudgetSheet(
  sheet: readonly SheetRow[],
  accounts: readonly BudgetAccount[],
  year: number,
): ReadBudget {
  const rows = sheet.map(({ row, cells }) => ({ row, cells: cells.map(clean) }))
  const byNumber = new Map(accounts.map((one) => [one.number, one]))
  const byName = new Map(accounts.map((one) => [fold(one.name), one]))
  const accountIn = (cells: readonly string[]) =>
    cells.map((cell) => byNumber.get(cell.replace(/^'/, '')) ?? byName.get(fold(cell))).find(Boolean)
  const isHead = (cells: readonly string[]) =>
    cells.filter((cell) => monthNamed(cell, year) !== undefined).length >= 2 &&
    !cells.some((cell) => parseMoney(cell) !== undefined && monthNamed(cell, year) === undefined) &&
    !accountIn(cells)
  const head = rows.slice(0, mostAbove).findIndex(({ cells }) => isHead(cells))
  const titled = head >= 0
  const columnOf = new Map<number, number>()
  let total = -1
  if (titled)
    rows[head]!.cells.forEach((cell, column) => {
      const month = monthNamed(cell, year)
      if (month !== undefined && !columnOf.has(month)) columnOf.set(month, column)
      else if (total < 0 && totals.has(fold(cell))) total = column
    })
  const figuresFrom = titled ? Math.min(...columnOf.values(), total < 0 ? Infinity : total) : undefined
  const months: ReadBudget['months'] = new Map()
  const faults: ReadBudget['faults'] = []
  for (const { row, cells } of titled ? rows.slice(head + 1) : rows) {
    const namedIn = cells.slice(0, figuresFrom ?? 2).filter((cell) => cell !== '')
    const account = accountIn(namedIn)
    const starts =
      figuresFrom ??
      (account && cells[1] && (byName.get(fold(cells[1])) === account || parseMoney(cells[1]) === undefined)
        ? 2
        : 1)
    const figures = titled
      ? Array.from({ length: monthsOfYear }, (_, month) => cells[columnOf.get(month) ?? -1] ?? '')
      : cells.slice(starts)
    const ofYear = titled ? (cells[total] ?? '') : ''
    if (!account) {
      // A line without a number in front of figures is a heading or a sum between.
      const number = namedIn[0] ?? ''
      const hasFigures = [...figures, ofYear].some((cell) => parseMoney(cell) !== undefined)
      if (hasFigures && (/^'?\d{1,15}$/.test(number) || (!isSum(number) && number !== '')))
        faults.push({ row, why: 'unknown', text: namedIn.join(' ') })
      continue
    }
    if (months.has(account.id)) {
      faults.push({ row, why: 'twice', text: namedIn.join(' ') })
      continue
    }
    const isOneSum = !titled && figures.filter((cell) => cell !== '').length === 1
    const wholeYear = isOneSum
      ? figures.find((cell) => cell !== '')!
      : figures.every((cell) => cell === '')
        ? ofYear
        : ''
    if (wholeYear !== '') {
      const sum = parseMoney(wholeYear)
      if (sum === undefined) faults.push({ row, why: 'sum', text: wholeYear })
      else months.set(account.id, spreadYear(sum))
      continue
    }
    const read = Array.from({ length: monthsOfYear }, (_, month) => {
      const cell = figures[month] ?? ''
      if (cell === '') return null
      if (/^[-–]$/.test(cell)) return 0
      const sum = parseMoney(cell)
      if (sum === undefined) faults.push({ row, why: 'sum', text: cell, month: month + 1 })
      return sum ?? null
    })
    if (read.some((sum) => sum !== null)) months.set(account.id, read)
  }
  return { months, faults }
}

const isSum = (text: string): boolean => [...totals].some((word) => fold(text).startsWith(word))
