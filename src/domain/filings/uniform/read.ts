import { fromVisual, isVisual } from '../../visual.ts'
import { charsetOf, decode, type ReadCharset } from './charset.ts'
import { fieldOf, readRecord, type Oddity, type ReadValues } from './record.ts'
import { countedCodes, isDataCode, layouts, type DataCode, type RecordCode } from './layout.ts'

/**
 * Something in a file that is not as the Instructions say. `line` is that of BKMVDATA.TXT, the first being 1;
 * 0 speaks of INI.TXT or the whole.
 */
interface Fault {
  line: number
  code: string
  /** In agorot where the name ends so. */
  params: Record<string, string | number>
}

/** A record of BKMVDATA as it is; its values are read on demand. */
export interface UniformRecord {
  line: number
  code: DataCode
  text: string
}

export interface UniformFile {
  charset: ReadCharset
  /** What INI.TXT says; undefined when there is none. */
  ini?: ReadValues
  /** By record code, what INI.TXT counts. */
  summary: Map<string, number>
  records: UniformRecord[]
  /** What was odd about the writing and was understood all the same. */
  faults: Faults
}

/** Faults by kind: all are counted, and the first of each kind are kept. */
export class Faults {
  readonly kept: Fault[] = []
  readonly counts = new Map<string, number>()
  readonly #most: number

  constructor(most = 50) {
    this.#most = most
  }

  add(line: number, code: string, params: Fault['params'] = {}): void {
    const count = (this.counts.get(code) ?? 0) + 1
    this.counts.set(code, count)
    if (count <= this.#most) this.kept.push({ line, code, params })
  }
}

/**
 * Reads what a program wrote, leniently: any end of line or none, records longer or shorter than the layout, blanks
 * for zeros, Hebrew stored last letter first, INI.TXT missing. Whatever is odd is reported with the number of its
 * line.
 */
export function readUniform(data: Uint8Array, ini?: Uint8Array): UniformFile {
  const faults = new Faults()
  const summary = new Map<string, number>()
  let head: ReadValues | undefined
  let headLine: string | undefined
  if (ini) {
    const text = decode(ini, charsetOf(ini))
    for (const line of text.split(/\r\n|\n|\r/)) {
      if (line.startsWith('A000')) head = readRecord('A000', (headLine = line))
      else if (/^[A-Z]\d{3}/.test(line)) {
        const { recordCode, count } = readRecord('SUMMARY', line)
        summary.set(String(recordCode), Number(count))
      }
    }
    if (!head) faults.add(0, 'iniUnread')
  } else faults.add(0, 'noIni')
  const charset = charsetOf(data, head && String(head.charset))
  if (
    head &&
    (charset === 'windows-1255' ||
      charset === 'utf-8' ||
      (charset === 'cp862') !== (String(head.charset) === '2'))
  )
    faults.add(0, 'charset', { found: charset })
  const records: UniformRecord[] = []
  let isSeen: boolean | undefined
  let bareEnds = 0
  let line = 0
  for (const part of partsOf(data)) {
    const text = decode(part, charset)
    if (isSeen === undefined) {
      isSeen = isVisual(text.slice(0, enoughToTell))
      if (isSeen) faults.add(0, 'visual')
      if (isSeen && headLine) head = readRecord('A000', inReadingOrder('A000', headLine))
    }
    for (const piece of piecesOf(text, () => bareEnds++)) {
      for (const one of recordsIn(piece)) {
        line++
        const code = one.slice(0, 4)
        if (!isDataCode(code)) {
          faults.add(line, 'unknownRecord', { code: code.trim().slice(0, 4) })
          continue
        }
        const { length } = layouts[code]
        const found = one.trimEnd().length
        if (found > length) faults.add(line, 'longRecord', { code, length: found, right: length })
        else if (one.length < length)
          faults.add(line, 'shortRecord', { code, length: one.length, right: length })
        const cut = one.length > length ? one.slice(0, length) : one
        const record: UniformRecord = { line, code, text: isSeen ? inReadingOrder(code, cut) : cut }
        records.push(record)
        readRecord(code, record.text, (field, what: Oddity) =>
          faults.add(line, what, { field: field.no, code }),
        )
      }
    }
  }
  if (bareEnds) faults.add(0, 'noCr', { count: bareEnds })
  return { charset, ...(head ? { ini: head } : {}), summary, records, faults }
}

/** Bytes that are decoded at once: a file of millions of records is longer than a text may be. */
const atOnce = 64 << 20

/** A file in parts that end where a line does. */
export function* partsOf(data: Uint8Array, most = atOnce): Generator<Uint8Array> {
  for (let from = 0; from < data.length;) {
    const end = data.length - from <= most ? -1 : data.indexOf(0x0a, from + most - 1)
    const to = end < 0 ? data.length : end + 1
    yield data.subarray(from, to)
    from = to
  }
}

/**
 * Marks of a file that show the order of its Hebrew: records of every kind, where the file has more than documents.
 */
const enoughToTell = 4_000_000

/** A record whose Hebrew stood as a screen shows it; every field keeps its place. */
function inReadingOrder(code: RecordCode, line: string): string {
  let turned = ''
  for (const { at, length, kind } of layouts[code].fields) {
    const raw = line.slice(at, at + length)
    turned += kind === 'text' ? fromVisual(raw.trim()).padEnd(raw.length) : raw
  }
  return turned
}

function* piecesOf(text: string, bare: () => void): Generator<string> {
  let from = 0
  while (from < text.length) {
    let end = text.indexOf('\n', from)
    if (end < 0) end = text.length
    let piece = text.slice(from, end)
    if (piece.endsWith('\r')) piece = piece.slice(0, -1)
    else if (end < text.length) bare()
    // A file of an old machine ends with a mark, and some end their lines with CR alone.
    for (const part of piece.replaceAll('\u001a', '').split('\r')) if (part.trim() !== '') yield part
    from = end + 1
  }
}

/** A line that holds several records because nothing ends them is cut by their lengths. */
function* recordsIn(piece: string): Generator<string> {
  let rest = piece
  for (;;) {
    const code = rest.slice(0, 4)
    if (!isDataCode(code)) break
    const next = rest.slice(layouts[code].length)
    if (!isDataCode(next.slice(0, 4))) break
    yield rest.slice(0, layouts[code].length)
    rest = next
  }
  yield rest
}

/** The number of records by code. */
export function countRecords(records: Iterable<Pick<UniformRecord, 'code'>>): Map<DataCode, number> {
  const counts = new Map<DataCode, number>()
  for (const { code } of records) counts.set(code, (counts.get(code) ?? 0) + 1)
  return counts
}

export const text = (record: UniformRecord, name: string): string =>
  String(fieldOf(record.code, record.text, name))
export const amount = (record: UniformRecord, name: string): number =>
  Number(fieldOf(record.code, record.text, name) || 0)

/** Whether a record code is one that INI.TXT counts. */
export const isCounted = (code: string): boolean => (countedCodes as readonly string[]).includes(code)
