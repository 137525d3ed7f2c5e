import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { momentInJerusalem } from '#domain/day.ts'
import { formatMoment } from '#domain/format.ts'
import type { Field } from '#kit/fields/field.ts'
import type { Language } from '../../context.ts'
import type { FileAnswer } from '../../contract/implement.ts'
import { directionOf, say } from '../../words.ts'

export type ExportFormat = 'csv' | 'xlsx'

export interface ExportColumn {
  name: string
  field: Field
  /** Word key of the head. */
  title: string
  /** Used instead where it is no word. */
  heading?: string
  /** Word keys of choices start with this. */
  words: string
}

export interface ExportTable {
  format: ExportFormat
  language: Language
  /** File name without its ending. */
  name: string
  title: string
  /** Used instead where it is no word. */
  heading?: string
  columns: ExportColumn[]
  rows: Record<string, unknown>[]
  totals?: Record<string, number>
  /**
   * The column whose change ends a group: a spreadsheet adds up each; rows come in its order. A CSV file has rows
   * only.
   */
  groupBy?: string
  /** Lines above the heads: what the person who opens the file must know first. */
  notes?: readonly string[]
}

/** What a formula begins with; in full width too, which some programs read as the signs they look like. */
const formulaSign = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * A cell that a spreadsheet could take for a formula gets an apostrophe in front: nothing we export may run.
 */
export const harmless = (text: string): string => (formulaSign.test(text) ? `'${text}` : text)

/** The text of a cell before `harmless`. */
export const unharmed = (text: string): string =>
  text.startsWith("'") && formulaSign.test(text.slice(1)) ? text.slice(1) : text

const isNumeric = (field: Field) => ['money', 'price', 'quantity', 'percent', 'number'].includes(field.kind)

/** The value for a machine: plain minus, point for decimals, money in units. */
function machineNumber(field: Field, value: unknown): number {
  return field.kind === 'money' || field.kind === 'percent' ? Number(value) / 100 : Number(value)
}

/** The heading of a column. */
export const headOf = (language: Language, { heading, title }: ExportColumn): string =>
  heading ?? say(language, title)

/** A cell in words: choices and flags said, references by name. */
export function cellText(language: Language, column: ExportColumn, row: Record<string, unknown>): string {
  const value = row[column.name]
  if (value === null || value === undefined) return ''
  if (column.field.kind === 'choice')
    return say(language, `${column.field.words ?? column.words}.${String(value)}`)
  if (column.field.kind === 'flag') return say(language, value ? 'kit.yes' : 'kit.no')
  if (column.field.kind === 'tags') return (value as string[]).join(', ')
  if (column.field.kind === 'ref') return String(row[`${column.name}Name`] ?? '')
  if (column.field.kind === 'language') return languageNames(language).of(String(value)) ?? String(value)
  if (column.field.kind === 'moment') return formatMoment(momentOf(value))
  return String(value)
}

/** What languages are called in another. */
const languageNames = (language: Language) => new Intl.DisplayNames(language, { type: 'language' })

const momentOf = (value: unknown): Date => (value instanceof Date ? value : new Date(String(value)))

function csvCell(table: ExportTable, column: ExportColumn, row: Record<string, unknown>): string {
  const value = row[column.name]
  if (isNumeric(column.field) && value !== null && value !== undefined) {
    return column.field.kind === 'money' || column.field.kind === 'percent'
      ? machineNumber(column.field, value).toFixed(2)
      : String(value)
  }
  // As days are written, so that both sort, and by the clock people go by: what was sent after ten at night
  // was not sent the day before.
  if (column.field.kind === 'moment' && value) {
    const { day, time } = momentInJerusalem(momentOf(value))
    return `${day} ${time}`
  }
  return quoted(harmless(cellText(table.language, column, row)))
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const numberFormat = (field: Field) =>
  field.kind === 'money'
    ? '#,##0.00;(#,##0.00-)'
    : field.kind === 'percent'
      ? '0.00'
      : field.kind === 'number'
        ? '#,##0'
        : '#,##0.00##'

/** The rows as a file people open in a spreadsheet; CSV in UTF-8 with a mark so that Hebrew opens right. */
export async function writeTable(table: ExportTable): Promise<FileAnswer> {
  const { columns, rows, format, language } = table
  // Cells have no marks of direction: programs that read them take these for letters.
  const notes = (table.notes ?? []).map((note) => note.replace(/[\u2066-\u2069]/g, ''))
  if (format === 'csv') {
    const lines = [
      ...notes.map((note) => [quoted(harmless(note))]),
      columns.map((c) => quoted(harmless(headOf(language, c)))),
      ...rows.map((row) => columns.map((c) => csvCell(table, c, row))),
    ]
    if (table.totals)
      lines.push(
        columns.map((c) =>
          table.totals![c.name] === undefined ? '' : machineNumber(c.field, table.totals![c.name]).toFixed(2),
        ),
      )
    return {
      bytes: Buffer.from(`\ufeff${lines.map((l) => l.join(',')).join('\r\n')}\r\n`),
      mime: 'text/csv; charset=utf-8',
      name: `${table.name}.csv`,
    }
  }
  const head = columns.map((c) => ({ value: headOf(language, c), fontWeight: 'bold' as const, wrap: true }))
  const cell = (c: ExportColumn, row: Record<string, unknown>, bold = false) => {
    const value = row[c.name]
    const weight = bold ? { fontWeight: 'bold' as const } : {}
    if (value === null || value === undefined || value === '') return null
    if (isNumeric(c.field))
      return { type: Number, value: machineNumber(c.field, value), format: numberFormat(c.field), ...weight }
    if (c.field.kind === 'day')
      return { type: Date, value: new Date(`${String(value)}T00:00:00Z`), format: 'dd/mm/yyyy', ...weight }
    if (c.field.kind === 'moment') {
      // A spreadsheet knows no time zones: the time in Jerusalem is written as it is.
      const { day, time } = momentInJerusalem(momentOf(value))
      return { type: Date, value: new Date(`${day}T${time}:00Z`), format: 'dd/mm/yyyy hh:mm', ...weight }
    }
    return { type: String, value: cellText(language, c, row), ...weight }
  }
  const first = notes.length + 2
  const laid = laidOut(table)
  const sums =
    laid.length > 0 && laid.length <= mostSummed && table.totals ? summed(columns, rows, table.totals) : {}
  const figures: Record<string, number> = {}
  // Subtotals count what is under them once.
  const verb = laid.some((line) => 'group' in line) ? 'SUBTOTAL(9,' : 'SUM('
  const sumCell = (c: ExportColumn, at: number, from: number, to: number, figure: number) => {
    const formula = `${verb}${letterOf(at)}${first + from}:${letterOf(at)}${first + to})`
    figures[formula] = figure
    return { type: 'Formula', value: formula, format: numberFormat(c.field), fontWeight: 'bold' as const }
  }
  const total = (c: ExportColumn, at: number) =>
    sums[c.name] === undefined
      ? cell(c, table.totals!, true)
      : sumCell(c, at, 0, laid.length - 1, sums[c.name]!)
  const subtotal = (line: Subtotal, at: number) =>
    columns.map((c, i) => {
      const of = line.of[c.name]
      if (of === undefined)
        return i === line.label ? { type: String, value: line.group, fontWeight: 'bold' as const } : null
      return sums[c.name] === undefined
        ? cell(c, line.of, true)
        : sumCell(c, i, at - line.rows, at - 1, machineNumber(c.field, of))
    })
  const data = [
    ...notes.map((note) => [{ type: String, value: note, fontWeight: 'bold' as const }]),
    head,
    ...laid.map((line, at) =>
      'group' in line ? subtotal(line as Subtotal, at) : columns.map((c) => cell(c, line)),
    ),
    ...(table.totals ? [columns.map(total)] : []),
  ]
  // Fetched with the first sheet: a start should not wait for it.
  const { default: writeExcel } = await import('write-excel-file/node')
  const file = await writeExcel(
    data as never,
    {
      columns: columns.map((c) => ({
        width: isNumeric(c.field) || c.field.kind === 'moment' ? 16 : c.field.kind === 'day' ? 12 : 24,
      })),
      rightToLeft: directionOf(language) === 'rtl',
      stickyRowsCount: notes.length + 1,
      sheet: (table.heading ?? say(language, table.title))
        .replace(/[\\/?*[\]:\u2068\u2069]/g, ' ')
        .slice(0, 31),
    } as never,
  )
  const made = await toBytes(file)
  const bytes = Object.keys(figures).length > 0 ? withFigures(made, figures) : made
  return {
    bytes,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    name: `${table.name}.xlsx`,
  }
}

async function toBytes(file: unknown): Promise<Uint8Array> {
  const made = file as { toBuffer?: () => Promise<Buffer> }
  if (made.toBuffer) return made.toBuffer()
  return file as Buffer
}

/**
 * Of a longer table the totals are figures: their formulas would have to be worked out by a pass over the
 * whole file.
 */
const mostSummed = 3000

/** 0 is A, 26 is AA. */
function letterOf(at: number): string {
  return at < 26
    ? String.fromCharCode(65 + at)
    : letterOf(Math.floor(at / 26) - 1) + String.fromCharCode(65 + (at % 26))
}

/**
 * The totals that equal the rows above them; one that counts otherwise (a ledger with a balance brought forward)
 * stays a figure.
 */
function summed(
  columns: readonly ExportColumn[],
  rows: readonly Record<string, unknown>[],
  totals: Record<string, number>,
): Record<string, number> {
  return Object.fromEntries(
    columns.flatMap(({ name, field }) => {
      const total = totals[name]
      if (total === undefined || !['money', 'number'].includes(field.kind)) return []
      return rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0) === total
        ? [[name, machineNumber(field, total)]]
        : []
    }),
  )
}

/** A line of a spreadsheet that adds up the group above it. */
interface Subtotal {
  /** What it is called. */
  group: string
  /** The column of its name. */
  label: number
  /** How many rows it adds up. */
  rows: number
  of: Record<string, number>
}

type Laid = Record<string, unknown> | Subtotal

/** The rows, and behind each group of more than one what it comes to. */
function laidOut({ columns, rows, groupBy, totals, language }: ExportTable): readonly Laid[] {
  const by = columns.find(({ name }) => name === groupBy)
  const names = Object.keys(totals ?? {})
  if (!by || names.length === 0) return rows
  const label = columns.findIndex(({ name }) => name === by.name)
  const laid: Laid[] = []
  let group: Record<string, unknown>[] = []
  const close = () => {
    if (group.length > 1)
      laid.push({
        group: say(language, 'kit.reports.subtotalOf', { group: cellText(language, by, group[0]!) }).replace(
          /[\u2066-\u2069]/g,
          '',
        ),
        label,
        rows: group.length,
        of: Object.fromEntries(
          names.map((name) => [name, group.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]),
        ),
      })
    group = []
  }
  for (const row of rows) {
    if (group.length > 0 && group[0]![by.name] !== row[by.name]) close()
    group.push(row)
    laid.push(row)
  }
  close()
  return laid
}

/**
 * Writes beside each formula what it comes to: a program that only shows the file, as on a phone, works
 * nothing out.
 */
function withFigures(file: Uint8Array, figures: Readonly<Record<string, number>>): Uint8Array {
  const parts = unzipSync(file)
  const name = Object.keys(parts).find((one) => one.endsWith('sheet1.xml'))!
  const xml = strFromU8(parts[name]!).replace(
    /<f>([^<]+)<\/f>/g,
    (whole: string, formula: string) => `${whole}<v>${figures[formula]}</v>`,
  )
  return zipSync({ ...parts, [name]: strToU8(xml) })
}
