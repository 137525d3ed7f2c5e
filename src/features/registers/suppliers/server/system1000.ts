import { parse as parseCsv } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { sql } from 'kysely'
import { isDay, type Day } from '#domain/day.ts'
import { buildQueries, queryFileName, type Query } from '#domain/filings/system1000/build.ts'
import { mostRows } from '#domain/filings/system1000/layout.ts'
import { parseSystem1000, rateOf, type ReadFile } from '#domain/filings/system1000/parse.ts'
import { guessTaxIdKind, isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { certificateOn, withholdingState, type WithholdingCertificate } from '#domain/withholding/rate.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/implement.ts'
import { create } from '#kit/server/resources.ts'
import { attachFile, keepFile } from '#features/base/files/server/index.ts'
import { csvColumns, type Answered, type Asked, type CsvColumn } from '../endpoints.ts'
import { certificatesOf, servedCertificates } from './certificates.ts'

interface Known {
  id: string
  name: string
  taxId: string | null
  incomeTaxFile: string | null
  dealerKind: string | null
  withholdingKind: string | null
}

async function known(ctx: Ctx): Promise<Known[]> {
  const { rows } =
    await sql<Known>`select id, name, tax_id as "taxId", income_tax_file as "incomeTaxFile", dealer_kind as "dealerKind", withholding_kind as "withholdingKind"
    from parties where company_id = ${ctx.companyId} and role = 'supplier' and archived_at is null order by name, id`.execute(ctx.tx)
  return rows
}

const problemOf = ({ taxId, incomeTaxFile, dealerKind }: Known): Asked['problem'] =>
  dealerKind === 'foreign'
    ? 'foreign'
    : !taxId
      ? 'noNumber'
      : !isTaxId(taxId) || (incomeTaxFile && !isTaxId(incomeTaxFile))
        ? 'wrongNumber'
        : null

/** A partnership pays no income tax itself and is asked about by its number with VAT only; whoever is no dealer has none there. */
function queryOf({ taxId, incomeTaxFile, dealerKind }: Known): Query {
  const isPartnership = dealerKind ? dealerKind === 'partnership' : guessTaxIdKind(taxId!) === 'partnership'
  return { key: taxId!, incomeTaxFile: isPartnership ? null : (incomeTaxFile ?? taxId), vatFile: dealerKind === 'person' ? null : taxId }
}

async function withholdingFile(ctx: Ctx): Promise<string | null> {
  const { rows } = await sql<{ file: string }>`select withholding_file as file from companies where id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]?.file || null
}

export async function overview(ctx: Ctx) {
  const all = await known(ctx)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const rows = all.map((supplier): Asked => {
    const his = certificates.get(supplier.id) ?? []
    const speaking = certificateOn(his, ctx.today)
    return {
      id: supplier.id,
      name: supplier.name,
      taxId: supplier.taxId,
      state: withholdingState(his, ctx.today),
      validTo: speaking?.toDay ?? null,
      rateBp: speaking?.rateBp ?? null,
      problem: problemOf(supplier),
    }
  })
  return { withholdingFile: await withholdingFile(ctx), mostRows, rows }
}

/** One file of the query, as the authority takes it. */
export async function queryFile(ctx: Ctx, { which, part }: { which: 'all' | 'expiring'; part: number }): Promise<FileAnswer> {
  const file = await withholdingFile(ctx)
  if (!file) throw fail('suppliers.noWithholdingFile')
  const all = (await known(ctx)).filter((supplier) => problemOf(supplier) === null)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const chosen = which === 'all' ? all : all.filter(({ id }) => withholdingState(certificates.get(id) ?? [], ctx.today) !== 'valid')
  const text = buildQueries(file, ctx.today, chosen.map(queryOf))[part - 1]
  if (!text) throw fail('suppliers.nobodyToAsk')
  return { bytes: Buffer.from(text, 'ascii'), mime: 'application/octet-stream', name: queryFileName(file, ctx.today) }
}

interface Given {
  name: string
  columns?: string | undefined
  bytes: Uint8Array
}

/** Files of the authority come in the code page of old computers, of Windows, or in UTF-8; Hebrew letters tell which. */
function textOf(given: Uint8Array): string {
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
interface Said {
  numbers: string[]
  rateOf: (kind: string | null) => number | null
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

function read({ columns, bytes }: Given): Reading {
  const text = textOf(bytes)
  if (text.includes('\0')) throw fail('suppliers.answerUnreadable')
  const file = parseSystem1000(text)
  if (!columns && file.answers.length + file.refusals.length + file.queries.length > file.badLines.length)
    return {
      kind: file.answers.length ? 'answers' : file.refusals.length ? 'errors' : 'query',
      said: file.answers.map((one) => ({
        numbers: [normaliseTaxId(one.key), one.incomeTaxFile, one.vatFile].filter((n): n is string => Boolean(n)),
        rateOf: (kind) => (one.hasCertificate ? rateOf(one, kind) : null),
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
  if (head.length < 2 || head.length > 60 || !body.length || body.length > 10_000) throw fail('suppliers.answerUnreadable')
  const taken: Partial<Record<CsvColumn, number>> = {}
  if (columns)
    for (const pair of columns.split(',').filter(Boolean)) {
      const [name, at] = pair.split(':')
      if ((csvColumns as readonly string[]).includes(name!) && Number(at) < head.length) taken[name as CsvColumn] = Number(at)
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
      rateOf: () => Math.round(Number(rate) * 100),
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

/** The end of the tax year, until which an answer without days holds. */
const endOfYear = (day: Day): Day => `${day.slice(0, 4)}-12-31`

const same = (certificate: WithholdingCertificate | undefined, after: Answered['after']): boolean =>
  certificate !== undefined &&
  certificate.rateBp === after.rateBp &&
  certificate.toDay === after.toDay &&
  certificate.booksValid === after.booksValid &&
  certificate.ceilingAgorot === after.ceilingAgorot

/** What an answer means for the suppliers there are; nothing is saved. */
export async function readAnswer(ctx: Ctx, given: Given) {
  const reading = read(given)
  const all = await known(ctx)
  const byNumber = new Map(all.flatMap((one) => [one.taxId, one.incomeTaxFile].flatMap((n) => (n ? [[n, one] as const] : []))))
  for (const one of all) if (one.taxId) byNumber.set(one.taxId, one)
  const certificates = await certificatesOf(
    ctx,
    all.map(({ id }) => id),
  )
  const rows = new Map<string, Answered>()
  const strangers: string[] = []
  for (const said of reading.said) {
    const supplier = said.numbers.map((number) => byNumber.get(number)).find((one) => one !== undefined)
    if (!supplier) {
      strangers.push(said.numbers[0] ?? '')
      continue
    }
    const fromDay = said.fromDay ?? ctx.today
    const after = {
      rateBp: said.rateOf(supplier.withholdingKind),
      fromDay,
      toDay: said.toDay ?? endOfYear(fromDay),
      booksValid: said.booksValid,
      ceilingAgorot: said.ceilingAgorot,
    }
    if (after.toDay < after.fromDay) after.fromDay = after.toDay
    const his = certificates.get(supplier.id) ?? []
    const speaking = certificateOn(his, ctx.today)
    rows.set(supplier.id, {
      supplierId: supplier.id,
      name: supplier.name,
      taxId: supplier.taxId ?? said.numbers[0]!,
      before: speaking ? { rateBp: speaking.rateBp, toDay: speaking.toDay, booksValid: speaking.booksValid } : null,
      after,
      same: his.some((one) => same(one, after) && one.fromDay <= after.fromDay),
    })
  }
  return {
    kind: reading.kind,
    rows: [...rows.values()],
    refusals: reading.refusals.map(({ key, errorCode, known: reason, errorText, incomeTaxFile, vatFile }) => {
      const supplier = [normaliseTaxId(key), vatFile, incomeTaxFile]
        .map((n) => (n ? byNumber.get(n) : undefined))
        .find((one) => one !== undefined)
      return { supplierId: supplier?.id ?? null, name: supplier?.name ?? null, key, errorCode, known: reason, errorText }
    }),
    strangers,
    badLines: reading.badLines,
    table: reading.table,
  }
}

/** Takes an answer over as certificates. A second run of the same answer finds everything known. */
export async function applyAnswer(ctx: Ctx, { skip = '', ...given }: Given & { skip?: string | undefined }): Promise<{ made: number }> {
  const { rows } = await readAnswer(ctx, given)
  const left = new Set(skip.split(','))
  const wanted = rows.filter((row) => !row.same && !left.has(row.taxId))
  const fileId = wanted.length ? await keep(ctx, given) : null
  for (const { supplierId, after } of wanted) {
    await create(ctx, servedCertificates, { supplierId, ...after, source: 'system1000', ...(fileId ? { fileId } : {}) })
    if (fileId) await attachFile(ctx, fileId, 'suppliers', supplierId)
  }
  return { made: wanted.length }
}

/** The answer is the proof of what was withheld. Without room for it, or in a shape the files refuse, the certificates stand alone. */
async function keep(ctx: Ctx, { name, bytes }: Given): Promise<string | null> {
  try {
    const text = Buffer.from(textOf(bytes), 'utf8')
    return (await keepFile(ctx, { name: /\.(csv|txt)$/i.test(name) ? name : `${name}.txt`, bytes: text, source: 'system' })).id
  } catch (e) {
    if (e instanceof Failure && e.code.startsWith('files.')) return null
    throw e
  }
}
