import { parse as parseCsv } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { isDay, type Day } from '#domain/day.ts'
import { parseSystem1000, type ReadFile } from '#domain/filings/system1000/parse.ts'
import { normaliseTaxId } from '#domain/taxId.ts'
import { fail } from '#kit/describe/errors.ts'
import { csvColumns, type CsvColumn } from '../endpoints.ts'

/** A file of answers as it was handed over. */
export interface Given {
  columns?: string | undefined
  bytes: Uint8Array
}

/**
 * Files of the authority come in the code page of old computers, of Windows, or in UTF-8; Hebrew letters tell
 * which.
 */
export function textOf(given: Uint8Array): string {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const old = bytes.filter((b) => b >= 0x80 && b <= 0x9a).length
    const windows = bytes.filter((b) => b >= 0xe0 && b <= 0xfa).length
    return iconv.decode(bytes, old > windows ? 'cp862' : 'win1255')
  }
}

/** What is said about one number, from whichever file. */
export interface Said {
  numbers: string[]
  /** Of a table; an answer of the authority has one for each kind of withholding. */
  rateBp: number | null
  answer: ReadFile['answers'][number] | null
  fromDay: Day | null
  toDay: Day | null
  booksValid: boolean
  ceilingAgorot: number | null
}

interface Table {
  head: string[]
  columns: Partial<Record<CsvColumn, number>>
  missing: CsvColumn[]
}

interface Reading {
  kind: 'answers' | 'errors' | 'table' | 'query'
  said: Said[]
  refusals: ReadFile['refusals']
  badLines: number[]
  table: Table | null
}

export function readAnswers({ columns, bytes }: Given): Reading {
  const text = textOf(bytes)
  if (text.includes('\0')) throw fail('suppliers.answerUnreadable')
  const file = parseSystem1000(text)
  if (!columns && file.answers.length + file.refusals.length + file.queries.length > file.badLines.length)
    return {
      kind: file.answers.length ? 'answers' : file.refusals.length ? 'errors' : 'query',
      said: file.answers.map((one) => ({
        numbers: [normaliseTaxId(one.key), one.incomeTaxFile, one.vatFile].filter((n): n is string =>
          Boolean(n),
        ),
        rateBp: null,
        answer: one.hasCertificate ? one : null,
        fromDay: one.fromDay,
        toDay: one.toDay,
        booksValid: one.booksValid,
        ceilingAgorot: one.ceilingAgorot,
      })),
      refusals: file.refusals,
      badLines: file.badLines,
      table: null,
    }
  return readTable(text, columns)
}

/** How columns are called in tables that people and other programs make. */
const heads: Record<CsvColumn, RegExp> = {
  taxId: /ח\.?פ|עוסק|ת\.?ז|מספר תיק|tax ?id|vat (no|number)|dealer/i,
  rate: /ניכוי|שיעור|אחוז|rate|%|withh/i,
  fromDay: /מתאריך|מיום|תחילת|from|start/i,
  toDay: /עד|תוקף|סיום|to|until|end|valid/i,
  books: /ספרים|books/i,
  ceiling: /תקרה|ceiling|limit|max/i,
}

function readTable(text: string, columns: string | undefined): Reading {
  let lines: { record: string[]; info: { lines: number } }[]
  try {
    lines = parseCsv(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
      to: 10_001,
      info: true,
    }) as unknown as typeof lines
  } catch {
    throw fail('suppliers.answerUnreadable')
  }
  const [first, ...body] = lines
  const head = first?.record ?? []
  if (head.length < 2 || head.length > 60 || !body.length || body.length > 10_000)
    throw fail('suppliers.answerUnreadable')
  const taken: Partial<Record<CsvColumn, number>> = {}
  if (columns)
    for (const pair of columns.split(',').filter(Boolean)) {
      const [name, at] = pair.split(':')
      if ((csvColumns as readonly string[]).includes(name!) && Number(at) < head.length)
        taken[name as CsvColumn] = Number(at)
    }
  else
    for (const name of ['taxId', 'books', 'ceiling', 'fromDay', 'toDay', 'rate'] as const) {
      const at = head.findIndex((title, i) => heads[name].test(title) && !Object.values(taken).includes(i))
      if (at >= 0) taken[name] = at
    }
  const missing = (['taxId', 'rate', 'toDay'] as const).filter((name) => taken[name] === undefined)
  const table = { head: head.map((title) => title.slice(0, 80)), columns: taken, missing: [...missing] }
  if (missing.length) return { kind: 'table', said: [], refusals: [], badLines: [], table }
  const said: Said[] = []
  const badLines: number[] = []
  for (const { record: line, info } of body) {
    const cell = (name: CsvColumn) => (taken[name] === undefined ? '' : (line[taken[name]] ?? ''))
    const number = normaliseTaxId(cell('taxId'))
    const rate = /^(\d{1,3}(?:\.\d{1,2})?)\s*%?$/.exec(cell('rate'))?.[1]
    const toDay = dayOf(cell('toDay'))
    const fromDay = dayOf(cell('fromDay'))
    const ceiling = cell('ceiling').replace(/[,\s₪]/g, '')
    if (
      !number ||
      rate === undefined ||
      Number(rate) > 100 ||
      !toDay ||
      (cell('fromDay') !== '' && !fromDay) ||
      !/^\d*(\.\d{1,2})?$/.test(ceiling)
    ) {
      // As the table's own program numbers them: blank lines count.
      badLines.push(info.lines)
      continue
    }
    said.push({
      numbers: [number],
      rateBp: Math.round(Number(rate) * 100),
      answer: null,
      fromDay,
      toDay,
      booksValid: taken.books === undefined || /^(1|כן|יש|yes|true|v|y|בתוקף)$/i.test(cell('books')),
      ceilingAgorot: Math.round(Number(ceiling || 0) * 100) || null,
    })
  }
  return { kind: 'table', said, refusals: [], badLines, table }
}

/** 31/12/2026, 31.12.26, 2026-12-31. */
function dayOf(text: string): Day | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text)
  const parts = iso
    ? [iso[1], iso[2], iso[3]]
    : local
      ? [local[3]!.length === 2 ? `20${local[3]}` : local[3], local[2], local[1]]
      : undefined
  const day = parts?.map((part) => part!.padStart(2, '0')).join('-')
  return day && isDay(day) ? day : null
}
