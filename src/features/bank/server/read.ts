import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { isMt940, readMt940 } from '../../../domain/bank/mt940.ts'
import { isOfx, readOfx } from '../../../domain/bank/ofx.ts'
import { isPage, pageRows } from '../../../domain/bank/page.ts'
import type { Statement, StatementLine } from '../../../domain/bank/statement.ts'
import { fail } from '../../../kit/describe/errors.ts'
import { encodingOf, kindOfFile, readHead, readRows, type Reading } from '../../imports/server/index.ts'
import { maxStatementLines } from '../endpoints.ts'

/** What stands in a file: the rows of a table, or lines that need no columns. */
export type Content =
  | { kind: 'table'; reading: Partial<Reading>; rows: string[][] }
  | { kind: 'ofx' | 'mt940'; reading: Partial<Reading>; statement: Omit<Statement, 'lines'> & { lines: StatementLine[]; skipped: number } }

/** Wider than any bank's table, and narrower than what would be no table. */
const mostColumns = 60

/** Reads a file by what it holds, whatever it is called. Refuses what is no statement. */
export async function readFileOf(path: string): Promise<Content> {
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
      if (isPage(text)) return table({ encoding }, pageRows(text))
    }
  }
  const kind = await kindOfFile(path)
  const { reading } = await readHead(path, kind, {})
  const rows: string[][] = []
  for await (const { cells } of readRows(path, kind, { ...reading, headRow: 0 })) {
    rows.push(cells)
    if (rows.length > maxStatementLines + 100) throw fail('bank.tooMany', { most: maxStatementLines })
  }
  return table(reading, rows)
}

async function beginningOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of createReadStream(path, { end: 65_535 })) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function lines(kind: 'ofx' | 'mt940', encoding: Reading['encoding'], statement: ReturnType<typeof readOfx>): Content {
  if (!statement.lines.length) throw fail('bank.empty')
  if (statement.lines.length > maxStatementLines) throw fail('bank.tooMany', { most: maxStatementLines })
  return { kind, reading: { encoding }, statement: { ...statement, lines: [...statement.lines] } }
}

function table(reading: Partial<Reading>, rows: string[][]): Content {
  if (!rows.length) throw fail('bank.empty')
  return { kind: 'table', reading, rows: rows.map((row) => row.slice(0, mostColumns).map((cell) => cell.slice(0, 500))) }
}
