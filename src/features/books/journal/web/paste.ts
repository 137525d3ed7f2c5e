import { parseDay, type Day } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { parseMoney } from '#domain/money.ts'
import type { JournalFacts } from '../endpoints.ts'
import type { Cell } from './model.ts'

/** The columns of a sheet without a head, in the order in which a line is typed. */
export const pastedCells = [
  'day',
  'reference',
  'details',
  'debitAccountId',
  'creditAccountId',
  'amountAgorot',
  'vatCodeId',
  'vatAgorot',
] as const satisfies readonly Cell[]
type PastedCell = (typeof pastedCells)[number]

export interface PastedLine {
  day: Day
  reference: string
  details: string
  debitAccountId: string | null
  creditAccountId: string | null
  amountAgorot: number | null
  vatCodeId: string | null
  vatAgorot: number | null
}

/**
 * A cell that could not be read: its row among those that were pasted, counted from 1 as the sheet shows
 * them.
 */
export interface PastedFault {
  row: number
  cell: PastedCell
  text: string
}

const cell = (separator: string) =>
  new RegExp(
    `(?:"((?:[^"]|"")*)"(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'g',
  )

/**
 * Cells copied from a spreadsheet, or of a file of its text: tabs between them, or what it separates by, and
 * quotes round what holds a line break.
 */
export function cellsOf(text: string, separator: '\t' | ';' | ',' = '\t'): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(cell(separator))) {
    rows.at(-1)!.push((quoted?.replaceAll('""', '"') ?? plain ?? '').replace(/\s+/g, ' ').trim())
    if (end === '') break
    if (end !== separator) rows.push([])
  }
  return rows
}

/** One of the chart or of the codes by its number, or by its whole name when only one has it. */
function coded<T extends { id: string; name: string }>(
  all: readonly T[],
  numberOf: (one: T) => string,
  text: string,
): string | undefined {
  const number = text.split(' ')[0]
  const found =
    all.find((one) => numberOf(one) === text) ??
    all.find((one) => numberOf(one) === number && text.endsWith(one.name))
  if (found) return found.id
  const named = all.filter((one) => fold(one.name) === fold(text))
  return named.length === 1 ? named[0]!.id : undefined
}

/** An account by its number, its name, or both. */
export const accountIn = (facts: JournalFacts, text: string): string | undefined =>
  coded(facts.accounts, (one) => one.number, text)

/**
 * Reads lines copied from a spreadsheet. A first row with the grid's headings gives the order of the columns;
 * without one they are in the order of the grid. A day that is left out is that of the row above. What cannot be
 * read stays empty and is reported with its row; rows without anything are left out.
 */
export function readPasted(
  text: string,
  {
    names,
    facts,
    day,
    today,
  }: { names: Readonly<Record<PastedCell, string>>; facts: JournalFacts; day: Day; today: Day },
): { lines: PastedLine[]; faults: PastedFault[] } {
  const rows = cellsOf(text)
  const head = rows[0]?.map((title) => pastedCells.find((cell) => fold(names[cell]) === fold(title)))
  const hasHead = (head?.filter(Boolean).length ?? 0) >= 2
  const columns: readonly (PastedCell | undefined)[] = hasHead ? head! : pastedCells
  const lines: PastedLine[] = []
  const faults: PastedFault[] = []
  for (const [i, row] of rows.entries()) {
    if ((hasHead && i === 0) || row.every((cell) => cell === '')) continue
    const said = Object.fromEntries(
      columns.flatMap((cell, at) => (cell && row[at] ? [[cell, row[at]]] : [])),
    ) as Partial<Record<PastedCell, string>>
    const read = <T>(cell: PastedCell, by: (text: string) => T | undefined): T | undefined => {
      const written = said[cell]
      if (written === undefined) return undefined
      const value = by(written)
      if (value === undefined) faults.push({ row: i + 1, cell, text: written })
      return value
    }
    const account = (written: string) => accountIn(facts, written)
    lines.push({
      day: read('day', (written) => parseDay(written, today)) ?? lines.at(-1)?.day ?? day,
      reference: (said.reference ?? '').slice(0, 40),
      details: (said.details ?? '').slice(0, 200),
      debitAccountId: read('debitAccountId', account) ?? null,
      creditAccountId: read('creditAccountId', account) ?? null,
      amountAgorot: read('amountAgorot', parseMoney) ?? null,
      vatCodeId: read('vatCodeId', (written) => coded(facts.vatCodes, (one) => one.code, written)) ?? null,
      vatAgorot: read('vatAgorot', parseMoney) ?? null,
    })
  }
  return { lines, faults }
}
