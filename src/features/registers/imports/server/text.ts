import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import iconv from 'iconv-lite'
import { fromVisual, isVisual } from '#domain/visual.ts'
import { fail } from '#kit/describe/errors.ts'
import { maxImportColumns, type delimiters, type Reading } from '../endpoints.ts'
import { decoded, encodingOf } from './encoding.ts'

type Delimiter = (typeof delimiters)[number]

/** The signs of one row; longer ones are no table. */
const longestRow = 1_000_000

/**
 * How many times each sign parts the first lines, outside quotes: the one that does so most evenly parts the
 * columns.
 */
export function delimiterOf(head: string): Delimiter {
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, 'x')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 30)
  // The last line may be cut.
  if (lines.length > 2 && lines.length < 30) lines.pop()
  let best: Delimiter = ','
  let bestScore = 0
  for (const sign of ['\t', ';', '|', ','] as const) {
    const counts = lines.map((line) => line.split(sign).length - 1)
    const often = mostCommon(counts.filter((n) => n > 0))
    const score =
      often === undefined
        ? 0
        : (counts.filter((n) => n === often).length / lines.length) * Math.min(often, 20)
    if (score > bestScore) {
      best = sign
      bestScore = score
    }
  }
  return best
}

function mostCommon(values: number[]): number | undefined {
  const seen = new Map<number, number>()
  for (const value of values) seen.set(value, (seen.get(value) ?? 0) + 1)
  return [...seen].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0]
}

/** How a text file is read, by its beginning. */
export function readingOf(
  head: Buffer,
  given: Partial<Reading>,
): Pick<Reading, 'encoding' | 'delimiter' | 'visual'> & { text: string } {
  const encoding = given.encoding ?? encodingOf(head)
  const text = iconv.decode(head, encoding)
  return {
    encoding,
    delimiter: given.delimiter ?? delimiterOf(text),
    visual: given.visual ?? isVisual(text),
    text,
  }
}

/**
 * The rows of a text file, all of them, the empty ones too, so that their numbers are those a spreadsheet
 * shows.
 */
export async function* textRows(pieces: AsyncIterable<Buffer>, reading: Reading): AsyncGenerator<string[]> {
  const { encoding = 'utf-8', delimiter = ',', visual = false } = reading
  const source = Readable.from(withoutHoles(decoded(pieces, encoding), encoding))
  const parser = source.pipe(
    parse({
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: longestRow,
      record_delimiter: ['\r\n', '\n', '\r'],
    }),
  )
  // What goes wrong before the parser would otherwise leave it waiting for ever.
  source.on('error', (e) => parser.destroy(e))
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      row++
      if (cells.length > maxImportColumns && cells.findLastIndex((cell) => cell !== '') >= maxImportColumns)
        throw fail('imports.tooManyColumns', { row, most: maxImportColumns })
      yield visual ? cells.map(fromVisual) : cells
    }
  } catch (e) {
    const code = (e as { code?: string }).code ?? ''
    if (code === 'CSV_QUOTE_NOT_CLOSED') throw fail('imports.unclosed', { row: row + 1 })
    if (code === 'CSV_MAX_RECORD_SIZE') throw fail('imports.tooWide', { row: row + 1 })
    if (code.startsWith('CSV_')) throw fail('imports.broken')
    throw e
  } finally {
    source.destroy()
  }
}

/** An empty byte is in no text; what has one is something else, or was damaged. */
async function* withoutHoles(texts: AsyncIterable<string>, encoding: string): AsyncGenerator<string> {
  for await (const text of texts) {
    if (text.includes('\u0000')) throw fail('imports.notText', { encoding })
    yield text
  }
}
