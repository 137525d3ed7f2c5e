import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { isMt940, readMt940 } from '#domain/bank/mt940.ts'
import { isOfx, readOfx } from '#domain/bank/ofx.ts'
import { isPage, pageRows } from '#domain/bank/page.ts'
import type { Statement, StatementLine, UnreadLine } from '#domain/bank/statement.ts'
import { headRowOf } from '#domain/bank/table.ts'
import { fromVisual, isVisual } from '#domain/visual.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import {
  encodingOf,
  kindOfFile,
  readHead,
  readRows,
  type Reading,
} from '#features/registers/imports/server/readers.ts'
import { maxStatementLines } from '../endpoints.ts'

/** What a file says of one account, in lines that need no columns. */
export type ReadStatement = Omit<Statement, 'lines'> & { lines: StatementLine[]; unread: UnreadLine[] }

/**
 * The content of a file: the rows of a table with their numbers in it, or the statements of one account or several.
 */
export type FileContent =
  | { kind: 'table'; reading: Partial<Reading>; rows: string[][]; numbers: number[] }
  | { kind: 'ofx' | 'mt940'; reading: Partial<Reading>; statements: ReadStatement[] }

/** Wider than any bank's table, and narrower than what would be no table. */
const mostColumns = 60

/** Reads a file by what it holds, whatever it is called. Refuses what is no statement. */
export async function readFileOf(path: string): Promise<FileContent> {
  const head = await beginningOf(path)
  const binary = head.subarray(0, 4).toString('hex')
  if (binary !== '504b0304') {
    const encoding = encodingOf(head)
    const beginning = iconv.decode(head, encoding)
    // Pages, OFX and MT940 are small and read whole; the upload holds them to ten megabytes.
    if (isOfx(beginning) || isMt940(beginning) || /<(html|table)[\s>]/i.test(beginning)) {
      const text = iconv.decode(await readFile(path), encoding)
      if (text.includes('\u0000')) throw fail('bank.notAStatement')
      if (isOfx(text)) return lines('ofx', encoding, readOfx(text))
      if (isMt940(text)) return lines('mt940', encoding, readMt940(text))
      if (isPage(text)) {
        const rows = pageRows(text)
        return table(
          { encoding },
          rows.map((cells, i) => ({ row: i + 1, cells })),
        )
      }
    }
  }
  const kind = await kindOfFile(path)
  const reading = await bestReading(path, kind)
  const rows: Row[] = []
  for await (const row of readRows(path, kind, reading)) {
    rows.push(row)
    if (rows.length > maxStatementLines + 100) throw fail('bank.tooMany', { most: maxStatementLines })
  }
  return table(reading, rows)
}

interface Row {
  row: number
  cells: string[]
}

async function beginningOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of createReadStream(path, { end: 65_535 })) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/**
 * How a table is best read. Of the sheets of a workbook that with the heads of a bank; what has an empty byte
 * is no text.
 */
async function bestReading(path: string, kind: 'text' | 'xlsx'): Promise<Reading> {
  try {
    const first = await readHead(path, kind, {})
    for (const sheet of first.sheets ?? []) {
      const { rows, reading } = await readHead(path, kind, { sheet })
      if (headRowOf(rows.map((one) => one.cells)) >= 0) return { ...reading, headRow: 0 }
    }
    return { ...first.reading, headRow: 0 }
  } catch (e) {
    throw e instanceof Failure && e.code === 'imports.notText' ? fail('bank.notAStatement') : e
  }
}

/**
 * Some banks' files hold Hebrew as it is seen; their few words without final letters do not always show it by
 * themselves.
 */
function turnedIf(isSeen: boolean, line: StatementLine): StatementLine {
  return isSeen ? { ...line, text: fromVisual(line.text), details: fromVisual(line.details) } : line
}

function lines(
  kind: 'ofx' | 'mt940',
  encoding: Reading['encoding'],
  statements: readonly ReturnType<typeof readOfx>[number][],
): FileContent {
  const all = statements.flatMap((one) => one.lines)
  if (!all.length && !statements.some((one) => one.unread.length)) throw fail('bank.empty')
  if (statements.some((one) => one.lines.length > maxStatementLines))
    throw fail('bank.tooMany', { most: maxStatementLines })
  const isSeen = isVisual(all.map((line) => `${line.text} ${line.details}`).join('\n'))
  return {
    kind,
    reading: { encoding, ...(isSeen ? { visual: true } : {}) },
    statements: statements.map((one) => ({ ...one, lines: one.lines.map((line) => turnedIf(isSeen, line)) })),
  }
}

function table(reading: Partial<Reading>, read: readonly Row[]): FileContent {
  if (!read.length) throw fail('bank.empty')
  const rows = read.map(({ cells }) => cells.slice(0, mostColumns).map((cell) => cell.slice(0, 500)))
  const numbers = read.map(({ row }) => row)
  // The heads tell it first, when they make sense only from the other end.
  const beginning = rows.slice(0, 40)
  const isSeen = headRowOf(beginning) < 0 && headRowOf(beginning.map((row) => row.map(fromVisual))) >= 0
  return isSeen
    ? {
        kind: 'table',
        reading: { ...reading, visual: true },
        rows: rows.map((row) => row.map(fromVisual)),
        numbers,
      }
    : { kind: 'table', reading, rows, numbers }
}
