import type { LanguageCode } from '../languages.ts'
import { compareNames } from '../fold.ts'
import { divideRounded } from '../money.ts'
import { dimensionNamed, type AskedMeasure, type DimensionName, type Question } from './model.ts'

/**
 * Whole figures, one for each measure asked: agorot, a number, ten-thousandths of a quantity, basis points of
 * a share.
 */
export type Figures = (number | null)[]

export interface PivotColumn {
  key: string
  /** What a record is called; a time or a word is said by its key. */
  name: string | null
}

export interface PivotRow {
  keys: string[]
  names: (string | null)[]
  /** All that is not among the first. */
  others?: true
  /** Figures by column; empty without columns. */
  cells: (Figures | null)[]
  total: Figures
}

export interface Pivot {
  columns: PivotColumn[]
  rows: PivotRow[]
  /** Totals of the outer rows, where there are inner ones: one for each prefix of keys. */
  parts: PivotRow[]
  totals: { cells: (Figures | null)[]; total: Figures }
  /** How many there are in all; more than are here when it was cut. */
  many: { rows: number; columns: number }
}

/** A group as the database told it: one figure for each measure that is counted. */
export interface Group {
  level: 'row' | 'cell' | 'column' | 'part' | 'all' | 'whole'
  at: number | null
  many: number | null
  keys: string[] | null
  names: (string | null)[] | null
  c: string | null
  name: string | null
  figures: (number | null)[]
}

type Raw = readonly (number | null)[]

/** The groups laid out as a table: rows and columns in their order, shares and running totals calculated. */
export function tableOf(
  groups: readonly Group[],
  question: Question,
  language: LanguageCode,
  othersKey: string,
): Pivot {
  const counted = [...new Set(question.measures.map(({ name }) => name))]
  const place = (measure: AskedMeasure) => counted.indexOf(measure.name)
  const all = groups.find(({ level }) => level === 'all')!.figures
  const wholes = groups.filter(({ level }) => level === 'whole')
  const columns = columnsOf(groups, question, language)
  const columnAt = new Map(columns.map(({ key }, n) => [key, n]))
  const raw: { keys: string[]; names: (string | null)[]; cells: (Raw | null)[]; total: Raw }[] = groups
    .filter(({ level }) => level === 'row')
    .sort((a, b) => a.at! - b.at!)
    .map(({ keys, names, figures }) => ({
      keys: keys!,
      names: names!,
      cells: columns.map(() => null),
      total: figures,
    }))
  for (const { level, at, c, figures } of groups) {
    const column = level === 'cell' ? columnAt.get(c!) : undefined
    if (column !== undefined) raw[at! - 1]!.cells[column] = figures
  }
  const rows = question.sort === 'own' ? ordered(raw, question, language, othersKey) : raw
  const columnTotals = columns.map(
    ({ key }) => groups.find(({ level, c }) => level === 'column' && c === key)!.figures,
  )
  // Of a whole that is not all shown, a share is still a share of the whole.
  const wholeOf = (column: number | undefined): Raw =>
    wholes.length === 0
      ? column === undefined
        ? all
        : columnTotals[column]!
      : (wholes.find(({ c }) => c === (column === undefined ? null : columns[column]!.key))?.figures ?? all)
  const runsAcross = question.column !== null && dimensionNamed(question.column).kind === 'time'
  const shown = (values: Raw, whole: Raw, running: readonly (number | null)[] | undefined): Figures =>
    question.measures.map((measure, n) => {
      const value = values[place(measure)] ?? null
      if (measure.as === 'share') return share(value, whole[place(measure)] ?? null)
      return measure.as === 'running' ? (running === undefined ? null : running[n]!) : value
    })
  const hasRunning = question.measures.some(({ as }) => as === 'running')
  /** What each measure has come to so far, in one row or one column. */
  const runner = () => {
    const sums = question.measures.map(() => 0)
    return (values: Raw | null): number[] =>
      sums.map((_, n) => (sums[n] = sums[n]! + (values?.[place(question.measures[n]!)] ?? 0)))
  }
  const down = columns.map(runner)
  const downAll = runner()
  const acrossOf = (cells: readonly (Raw | null)[]): (Figures | null)[] => {
    const across = runner()
    return cells.map((cell, n) => {
      const sums = across(cell)
      // A running total continues where nothing moved.
      return cell === null && !hasRunning ? null : shown(cell ?? [], wholeOf(n), sums)
    })
  }
  const rowsShown = rows.map(({ keys, names, cells, total }): PivotRow => {
    const isOthers = keys[0] === othersKey
    const shownCells = runsAcross
      ? acrossOf(cells)
      : cells.map((cell, n) => {
          const sums = down[n]!(cell)
          return cell === null && !hasRunning ? null : shown(cell ?? [], wholeOf(n), sums)
        })
    const sums = downAll(total)
    return {
      keys: isOthers ? [] : keys,
      names: isOthers ? [] : names,
      ...(isOthers ? { others: true as const } : {}),
      cells: shownCells,
      total: shown(
        total,
        wholeOf(undefined),
        runsAcross ? question.measures.map((one) => total[place(one)] ?? null) : sums,
      ),
    }
  })
  const parts = partsOf(groups, columns, (values, column) => shown(values, wholeOf(column), undefined))
  return {
    columns,
    rows: rowsShown,
    parts,
    totals: {
      cells: runsAcross
        ? acrossOf(columnTotals)
        : columnTotals.map((one, n) =>
            shown(
              one,
              wholeOf(n),
              question.measures.map((m) => one[place(m)] ?? null),
            ),
          ),
      total: shown(
        all,
        wholeOf(undefined),
        question.measures.map((one) => all[place(one)] ?? null),
      ),
    },
    many: {
      rows: groups.find(({ level }) => level === 'row')?.many ?? 0,
      columns: groups.find(({ level }) => level === 'column')?.many ?? 0,
    },
  }
}

/** Basis points, half away from zero; of nothing there is no share. */
function share(value: number | null, whole: number | null): number | null {
  if (value === null || !whole) return null
  return Number(divideRounded(BigInt(value) * 10_000n * (whole < 0 ? -1n : 1n), BigInt(Math.abs(whole))))
}

function columnsOf(
  groups: readonly Group[],
  { column, sort }: Question,
  language: LanguageCode,
): PivotColumn[] {
  if (!column) return []
  const found = groups
    .filter(({ level }) => level === 'column')
    .map(({ c, name, at }) => ({ key: c!, name, at: at! }))
  const { kind } = dimensionNamed(column)
  const byOwn = kind === 'time' || kind === 'choice' || sort === 'own'
  return found
    .sort((a, b) => (byOwn ? inOwnOrder(column, language)(a, b) : a.at - b.at))
    .map(({ key, name }) => ({ key, name }))
}

/** Time ascending, words in the order they are listed, names alphabetically; rows without a value are last. */
function inOwnOrder(name: DimensionName, language: LanguageCode) {
  const { kind, of } = dimensionNamed(name)
  const names = compareNames(language)
  return (a: { key: string; name: string | null }, b: { key: string; name: string | null }): number => {
    if ((a.key === '') !== (b.key === '')) return a.key === '' ? 1 : -1
    if (of) return of.indexOf(a.key) - of.indexOf(b.key)
    if (kind === 'time') return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
    return names(a.name ?? a.key, b.name ?? b.key) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  }
}

function ordered<R extends { keys: string[]; names: (string | null)[] }>(
  rows: readonly R[],
  question: Question,
  language: LanguageCode,
  othersKey: string,
): R[] {
  const orders = question.rows.map((name) => inOwnOrder(name, language))
  return [...rows].sort((a, b) => {
    if ((a.keys[0] === othersKey) !== (b.keys[0] === othersKey)) return a.keys[0] === othersKey ? 1 : -1
    for (const [n, order] of orders.entries()) {
      const by = order(
        { key: a.keys[n]!, name: a.names[n] ?? null },
        { key: b.keys[n]!, name: b.names[n] ?? null },
      )
      if (by !== 0) return by
    }
    return 0
  })
}

function partsOf(
  groups: readonly Group[],
  columns: readonly PivotColumn[],
  shown: (values: Raw, column: number | undefined) => Figures,
): PivotRow[] {
  const parts = new Map<string, PivotRow>()
  const rows = groups.filter(({ level }) => level === 'row')
  for (const { level, keys, c, figures } of groups) {
    if (level !== 'part') continue
    const mark = JSON.stringify(keys)
    let part = parts.get(mark)
    if (!part) {
      const names =
        rows.find((row) => keys!.every((key, n) => row.keys![n] === key))?.names?.slice(0, keys!.length) ?? []
      part = { keys: keys!, names, cells: columns.map(() => null), total: [] }
      parts.set(mark, part)
    }
    const column = c === null ? undefined : columns.findIndex(({ key }) => key === c)
    if (column === undefined) part.total = shown(figures, undefined)
    else if (column >= 0) part.cells[column] = shown(figures, column)
  }
  return [...parts.values()]
}
