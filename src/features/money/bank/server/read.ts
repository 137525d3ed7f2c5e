import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { strictText } from '#kit/server/http/strictText.ts'
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
  | {
      kind: 'table'
      reading: Partial<Reading>
      rows: string[][]
      numbers: number[]
      /** Other sheets with the heads of a statement. */
      leftOut?: string[]
    }
  | { kind: 'ofx' | 'mt940'; reading: Partial<Reading>; statements: ReadStatement[] }

/** More than any bank's workbook has. */
const mostSheets = 12

/** Wider than any bank's table, and narrower than what would be no table. */
const mostColumns = 60

/** Reads a file by what it holds, whatever it is called. Refuses what is no statement. */
export async function readFileOf(path: string): Promise<FileContent> {
  const head = await beginningOf(path)
  const binary = head.subarray(0, 4).toString('hex')
  if (binary !== '504b0304') {
    const encoding = declaredIn(head) ?? encodingOf(head)
    const beginning = iconv.decode(head, encoding)
    // Pages, OFX and MT940 are small and read whole; the upload holds them to ten megabytes.
    if (isOfx(beginning) || isMt940(beginning) || /<(html|table)[\s>]/i.test(beginning)) {
      const text = strictText(await readFile(path), encoding)
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
  const { leftOut, ...reading } = await bestReading(path, kind)
  const rows: Row[] = []
  for await (const row of readRows(path, kind, reading)) {
    rows.push(row)
    if (rows.length > maxStatementLines + 100) throw fail('bank.tooMany', { most: maxStatementLines })
  }
  return { ...table(reading, rows), ...(leftOut.length ? { leftOut } : {}) } as FileContent
}

interface Row {
  row: number
  cells: string[]
}

/**
 * The code page that an OFX file declares, where its bytes are no UTF-8. Banks also write Hebrew under a Western one: runs
 * of letters beyond ASCII are no Western text.
 */
function declaredIn(head: Buffer): Reading['encoding'] | undefined {
  const beginning = head.toString('latin1', 0, 600)
  const page = /^OFXHEADER[\s\S]{0,400}?CHARSET:\s*(\d+)/i.exec(beginning)?.[1]
  if (!page || encodingOf(head) === 'utf-8') return undefined
  if (page === '1255') return 'windows-1255'
  return page === '1252' && !/[\u00c0-\u00ff]{3}/.test(head.toString('latin1')) ? 'windows-1252' : undefined
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
async function bestReading(path: string, kind: 'text' | 'xlsx'): Promise<Reading & { leftOut: string[] }> {
  try {
    const first = await readHead(path, kind, {})
    const fitting: { sheet: string; reading: Omit<Reading, 'headRow'> }[] = []
    for (const sheet of (first.sheets ?? []).slice(0, mostSheets)) {
      const { rows, reading } = await readHead(path, kind, { sheet })
      if (headRowOf(rows.map((one) => one.cells)) >= 0) fitting.push({ sheet, reading })
    }
    const [best, ...others] = fitting
    return {
      ...(best?.reading ?? first.reading),
      headRow: 0,
      leftOut: others.map(({ sheet }) => sheet.slice(0, 100)),
    }
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
  // A character that was replaced would be stored.
  if (read.some(({ cells }) => cells.some((cell) => cell.includes('\ufffd'))))
    throw fail('http.badText', { charset: reading.encoding ?? 'utf-8' })
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
