import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { fail } from '#kit/describe/errors.ts'
import { maxImportRows, type Reading } from '../endpoints.ts'
import { readingOf, textRows } from './text.ts'
import { openWorkbook } from './xlsx.ts'

export type FileKind = 'text' | 'xlsx'

export interface ReadRow {
  /** As a spreadsheet numbers it, the first being 1. */
  row: number
  cells: string[]
}

const headBytes = 262_144
const headRows = 40
/** The empty ones too: a sheet of Excel has no more. */
const mostLines = 1_100_000

async function beginning(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(buffer, 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** What a file is, by its content; what is no table is refused with the way out. */
export async function kindOfFile(path: string): Promise<FileKind> {
  const head = await beginning(path)
  const mark = head.subarray(0, 8).toString('hex')
  if (mark.startsWith('504b0304')) return 'xlsx'
  if (mark.startsWith('d0cf11e0a1b11ae1')) throw fail('imports.oldExcel')
  if (/^(25504446|89504e47|ffd8ff|47494638|52494646|1f8b|52617221|377abcaf)/.test(mark))
    throw fail('imports.badType')
  if (
    /^\s*<(!doctype|html|table|\?xml|meta|head)/i.test(
      head
        .subarray(0, 300)
        .toString('latin1')
        .replace(/^[\u00ef\u00bb\u00bf]+/, ''),
    )
  )
    throw fail('imports.page')
  return 'text'
}

export interface Head {
  reading: Omit<Reading, 'headRow'>
  sheets?: string[]
  /** The first rows that are not empty. */
  rows: ReadRow[]
}

/**
 * The beginning of a cell is enough to tell what its column is, and a cell of a megabyte is compared with
 * every word that heads are known by.
 */
const shown = ({ row, cells }: ReadRow): ReadRow => ({ row, cells: cells.map((cell) => cell.slice(0, 300)) })

/** The first rows, and how the file is best read where that was not said. */
export async function readHead(path: string, kind: FileKind, given: Partial<Reading>): Promise<Head> {
  const rows: ReadRow[] = []
  if (kind === 'xlsx') {
    const book = await openWorkbook(path)
    try {
      const sheet = given.sheet ?? book.sheets[0]!
      for await (const one of book.rows(sheet)) {
        if (one.cells.some((cell) => cell.trim() !== '')) rows.push(shown(one))
        if (rows.length >= headRows || one.row > 5000) break
      }
      return { reading: { sheet }, sheets: book.sheets, rows }
    } finally {
      await book.close()
    }
  }
  const { text: _text, ...reading } = readingOf(await beginning(path), given)
  let row = 0
  for await (const cells of textRows(createReadStream(path), { ...reading, headRow: 1 } as Reading)) {
    row++
    if (cells.some((cell) => cell.trim() !== '')) rows.push(shown({ row, cells }))
    if (rows.length >= headRows || row > 5000) break
  }
  return { reading, rows }
}

/** Every row that is not empty, in its order. */
export async function* readRows(path: string, kind: FileKind, reading: Reading): AsyncGenerator<ReadRow> {
  let count = 0
  const counted = (one: ReadRow): boolean => {
    if (one.row > mostLines) throw fail('imports.tooManyRows', { most: maxImportRows })
    if (!one.cells.some((cell) => cell.trim() !== '')) return false
    // The heads are no row of data.
    if (++count > maxImportRows + reading.headRow) throw fail('imports.tooManyRows', { most: maxImportRows })
    return true
  }
  if (kind === 'xlsx') {
    const book = await openWorkbook(path)
    try {
      for await (const one of book.rows(reading.sheet)) if (counted(one)) yield one
    } finally {
      await book.close()
    }
    return
  }
  let row = 0
  for await (const cells of textRows(createReadStream(path), reading)) {
    row++
    const one = { row, cells }
    if (counted(one)) yield one
  }
}

/** A table that is shown completely before it is imported, with its sheet. */
export interface ReadTable {
  /** Empty for a file of text. */
  sheet: string
  rows: ReadRow[]
}

/**
 * The tables of a file that is not long: every sheet of a workbook that has any, or the one of a text, read
 * as it is best read.
 */
export async function readTables(path: string, most: number): Promise<ReadTable[]> {
  const kind = await kindOfFile(path)
  const { reading, sheets } = await readHead(path, kind, {})
  const tables: ReadTable[] = []
  let count = 0
  for (const sheet of sheets ?? ['']) {
    const rows: ReadRow[] = []
    for await (const row of readRows(path, kind, {
      ...reading,
      ...(kind === 'xlsx' ? { sheet } : {}),
      headRow: 0,
    })) {
      if (++count > most) throw fail('imports.tooManyRows', { most })
      rows.push(row)
    }
    if (rows.length > 0) tables.push({ sheet, rows })
  }
  if (tables.length === 0) throw fail('imports.empty')
  return tables
}
