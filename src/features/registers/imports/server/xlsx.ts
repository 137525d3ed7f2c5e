import { open, type FileHandle } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { createInflateRaw } from 'node:zlib'
import { Failure, fail } from '#kit/describe/errors.ts'
import { maxImportColumns } from '../endpoints.ts'

/*
 * A workbook read a piece at a time: its parts are unpacked as they are read and never stand in memory whole,
 * so that a large file costs time and not memory, and one that unpacks without end is given up early.
 * Formulas are never worked out: a cell is what it last showed.
 */

const mostUnpacked = 600 * 1024 * 1024
const mostRatio = 400
const mostTextSigns = 20_000_000

interface Part {
  name: string
  method: number
  flags: number
  packed: number
  unpacked: number
  at: number
}

export interface Workbook {
  sheets: string[]
  /** Rows of a sheet with their numbers; rows without cells may be missing. */
  rows: (sheet: string | undefined) => AsyncGenerator<{ row: number; cells: string[] }>
  close: () => Promise<void>
}

/** Opens a workbook on the disk. Refuses what is none, what is locked with a password and what is a bomb. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const file = await open(path, 'r')
  try {
    const parts = await partsOf(file)
    if (parts.has('EncryptedPackage')) throw fail('imports.locked')
    const book = parts.get('xl/workbook.xml')
    if (!book) throw fail('imports.badType')
    const paths = new Map<string, string>()
    const relations = parts.get('xl/_rels/workbook.xml.rels')
    if (relations)
      await scan(file, relations, (tag, attribute) => {
        if (tag === 'Relationship') paths.set(attribute('Id'), resolved(attribute('Target')))
      })
    const sheets: { name: string; path: string }[] = []
    let is1904 = false
    await scan(file, book, (tag, attribute) => {
      if (tag === 'sheet') sheets.push({ name: attribute('name'), path: paths.get(attribute('r:id')) ?? '' })
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attribute('date1904'))
    })
    const readable = sheets.filter((sheet) => parts.has(sheet.path))
    if (!readable.length) throw fail('imports.broken')
    const styles = await stylesOf(file, parts.get('xl/styles.xml'))
    let texts: string[] | undefined
    return {
      sheets: readable.map((sheet) => sheet.name),
      rows: async function* (name) {
        const sheet = name === undefined ? readable[0]! : readable.find((one) => one.name === name)
        if (!sheet) throw fail('imports.noSheet', { name: name ?? '' })
        texts ??= await sharedTexts(file, parts.get('xl/sharedStrings.xml'))
        yield* sheetRows(file, parts.get(sheet.path)!, { texts, styles, is1904 })
      },
      close: () => file.close(),
    }
  } catch (e) {
    await file.close()
    throw e
  }
}

const resolved = (target: string): string =>
  target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.max(0, length))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
  if (bytesRead < length) throw fail('imports.broken')
  return buffer
}

/** The table of contents, which is at the end: half a file has none. */
async function partsOf(file: FileHandle): Promise<Map<string, Part>> {
  const { size } = await file.stat()
  const tailLength = Math.min(size, 65_557)
  const tail = await read(file, size - tailLength, tailLength)
  const end = tail.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || end + 22 > tail.length) throw fail('imports.broken')
  const length = tail.readUInt32LE(end + 12)
  const from = tail.readUInt32LE(end + 16)
  if (length > 4_000_000 || from + length > size) throw fail('imports.broken')
  const table = await read(file, from, length)
  const parts = new Map<string, Part>()
  let total = 0
  for (let at = 0; at + 46 <= table.length && table.readUInt32LE(at) === 0x02014b50;) {
    const nameLength = table.readUInt16LE(at + 28)
    const extraLength = table.readUInt16LE(at + 30)
    const part: Part = {
      name: table.toString('utf8', at + 46, at + 46 + nameLength),
      flags: table.readUInt16LE(at + 8),
      method: table.readUInt16LE(at + 10),
      packed: table.readUInt32LE(at + 20),
      unpacked: table.readUInt32LE(at + 24),
      at: table.readUInt32LE(at + 42),
    }
    widen(part, table.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength))
    if (part.flags & 1) throw fail('imports.locked')
    total += part.unpacked
    if (total > mostUnpacked) throw fail('imports.bomb')
    parts.set(part.name.replaceAll('\\', '/'), part)
    at += 46 + nameLength + extraLength + table.readUInt16LE(at + 32)
  }
  return parts
}

/** Sizes that do not fit 32 bits stand in an extra field (Zip64), which some writers use always. */
function widen(part: Part, extra: Buffer): void {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    let place = at + 4
    for (const name of ['unpacked', 'packed', 'at'] as const)
      if (part[name] === 0xffffffff && place + 8 <= extra.length) {
        part[name] = Number(extra.readBigUInt64LE(place))
        place += 8
      }
  }
}

/**
 * The text of a part, unpacked as it is read and counted while it comes: what its table of contents says is
 * not believed.
 */
async function* textOf(file: FileHandle, part: Part): AsyncGenerator<string> {
  const local = await read(file, part.at, 30)
  if (local.readUInt32LE(0) !== 0x04034b50) throw fail('imports.broken')
  if (part.method !== 0 && part.method !== 8) throw fail('imports.broken')
  const from = part.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  let taken = 0
  const packed = async function* () {
    for (let at = 0; at < part.packed; at += 65_536) {
      const piece = await read(file, from + at, Math.min(65_536, part.packed - at))
      taken = at + piece.length
      yield piece
    }
  }
  const pieces: AsyncIterable<Buffer> = part.method === 0 ? packed() : inflated(packed())
  const decoder = new StringDecoder('utf8')
  let given = 0
  for await (const piece of pieces) {
    given += piece.length
    if (given > mostUnpacked || (given > 10_000_000 && given > taken * mostRatio)) throw fail('imports.bomb')
    yield decoder.write(piece)
  }
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw()
  let broken: Error | undefined
  const feed = (async () => {
    try {
      for await (const piece of packed)
        if (!inflate.write(piece)) await new Promise((go) => inflate.once('drain', go))
      inflate.end()
    } catch (e) {
      broken = e as Error
      inflate.destroy(broken)
    }
  })()
  try {
    for await (const piece of inflate) yield piece as Buffer
    await feed
  } catch (e) {
    throw e instanceof Failure ? e : broken instanceof Failure ? broken : fail('imports.broken')
  } finally {
    inflate.destroy()
  }
}

type OnTag = (tag: string, attribute: (name: string) => string, isEmpty: boolean) => void

/** Yields tags and the text between them. Only what workbooks use: no custom entities, no document type. */
class Tags {
  #rest = ''
  readonly #tag: OnTag
  readonly #end: (tag: string) => void
  readonly #text: (text: string) => void

  constructor(tag: OnTag, end: (tag: string) => void = () => {}, text: (text: string) => void = () => {}) {
    this.#tag = tag
    this.#end = end
    this.#text = text
  }

  push(piece: string): void {
    const all = this.#rest + piece
    let at = 0
    for (;;) {
      const open = all.indexOf('<', at)
      if (open < 0) break
      const close = endOfTag(all, open)
      if (close < 0) {
        if (all.length - open > 1_000_000) throw fail('imports.broken')
        if (open > at) this.#text(all.slice(at, open))
        this.#rest = all.slice(open)
        return
      }
      if (open > at) this.#text(all.slice(at, open))
      const inside = all.slice(open + 1, close)
      if (inside.startsWith('!DOCTYPE')) throw fail('imports.broken')
      if (inside[0] === '/') this.#end(plainName(inside.slice(1)))
      else if (inside[0] !== '?' && inside[0] !== '!') {
        const isEmpty = inside.endsWith('/')
        const space = inside.search(/[\s/]/)
        const name = plainName(space < 0 ? inside : inside.slice(0, space))
        this.#tag(name, (wanted) => attributeOf(inside, wanted), isEmpty)
        if (isEmpty) this.#end(name)
      }
      at = close + 1
    }
    // Text that is cut between two pieces waits for its end.
    this.#rest = all.slice(at)
    if (this.#rest.length > 4_000_000) throw fail('imports.broken')
  }
}

/**
 * Where a tag ends, -1 when that is not there yet. A value in quotes may hold the sign that ends tags; it is
 * passed over as a whole, never looked at twice.
 */
function endOfTag(all: string, open: number): number {
  let close = all.indexOf('>', open)
  for (let at = open; close >= 0;) {
    const quote = all.indexOf('"', at)
    if (quote < 0 || quote > close) return close
    const shut = all.indexOf('"', quote + 1)
    if (shut < 0) return -1
    at = shut + 1
    if (close < at) close = all.indexOf('>', at)
  }
  return -1
}

const plainName = (name: string): string => name.slice(name.indexOf(':') + 1).trim()

function attributeOf(inside: string, name: string): string {
  const quick = inside.indexOf(` ${name}="`)
  if (quick >= 0) {
    const from = quick + name.length + 3
    return unescaped(inside.slice(from, inside.indexOf('"', from)))
  }
  const at = inside.search(new RegExp(`[\\s]${name.replace(':', '\\:')}\\s*=`))
  if (at < 0) return ''
  const found = /=\s*(?:"([^"]*)"|'([^']*)')/.exec(inside.slice(at))
  return unescaped(found?.[1] ?? found?.[2] ?? '')
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
function unescaped(text: string): string {
  const plain = text.includes('&')
    ? text.replace(
        /&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g,
        (whole, decimal?: string, hex?: string, name?: string) => {
          const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
          if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
          return named[name ?? ''] ?? whole
        },
      )
    : text
  return plain.includes('_x')
    ? plain.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain
}

async function scan(
  file: FileHandle,
  part: Part,
  tag: OnTag,
  end?: (tag: string) => void,
  text?: (text: string) => void,
): Promise<void> {
  const tags = new Tags(tag, end, text)
  for await (const piece of textOf(file, part)) tags.push(piece)
}

/** The texts that cells refer to by number; how a text is pronounced (rPh) is no part of it. */
async function sharedTexts(file: FileHandle, part: Part | undefined): Promise<string[]> {
  if (!part) return []
  const texts: string[] = []
  let now = ''
  let inside = false
  let aside = false
  let signs = 0
  await scan(
    file,
    part,
    (tag) => {
      if (tag === 'si') now = ''
      else if (tag === 't') inside = true
      else if (tag === 'rPh') aside = true
    },
    (tag) => {
      if (tag === 't') inside = false
      else if (tag === 'rPh') aside = false
      else if (tag === 'si') {
        texts.push(unescaped(now))
        signs += now.length
        if (signs > mostTextSigns || texts.length > 4_000_000) throw fail('imports.bomb')
      }
    },
    (text) => {
      if (inside && !aside) now += text
    },
  )
  return texts
}

type Style = 'day' | 'percent' | undefined

/**
 * Which styles show a number as a day or as a per cent: by the numbers Excel keeps for them, or by their
 * pattern.
 */
async function stylesOf(file: FileHandle, part: Part | undefined): Promise<Style[]> {
  if (!part) return []
  const own = new Map<number, string>()
  const styles: Style[] = []
  let inCells = false
  await scan(
    file,
    part,
    (tag, attribute) => {
      if (tag === 'numFmt') own.set(Number(attribute('numFmtId')), attribute('formatCode'))
      else if (tag === 'cellXfs') inCells = true
      else if (tag === 'xf' && inCells) {
        const id = Number(attribute('numFmtId'))
        const pattern = own.get(id)
        if (pattern === undefined)
          styles.push(
            (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
              ? 'day'
              : id === 9 || id === 10
                ? 'percent'
                : undefined,
          )
        else {
          const plain = pattern.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '')
          styles.push(/[yd]/i.test(plain) ? 'day' : plain.includes('%') ? 'percent' : undefined)
        }
      }
    },
    (tag) => {
      if (tag === 'cellXfs') inCells = false
    },
  )
  return styles
}

async function* sheetRows(
  file: FileHandle,
  part: Part,
  { texts, styles, is1904 }: { texts: string[]; styles: Style[]; is1904: boolean },
): AsyncGenerator<{ row: number; cells: string[] }> {
  let ready: { row: number; cells: string[] }[] = []
  let row = 0
  let cells: string[] = []
  let column = -1
  let type = ''
  let style: Style
  let value = ''
  let inside = false
  const tags = new Tags(
    (tag, attribute) => {
      if (tag === 'c') {
        const reference = attribute('r')
        column = reference ? columnOf(reference) : column + 1
        type = attribute('t')
        style = styles[Number(attribute('s') || 0)]
        value = ''
      } else if (tag === 'v' || tag === 't') inside = true
      else if (tag === 'row') {
        row = Number(attribute('r')) || row + 1
        cells = []
        column = -1
      }
    },
    (tag) => {
      if (tag === 'v' || tag === 't') inside = false
      else if (tag === 'c') {
        const shown = cellOf(type, unescaped(value), style, texts, is1904)
        if (shown === '') return
        if (column >= maxImportColumns) throw fail('imports.tooManyColumns', { row, most: maxImportColumns })
        while (cells.length < column) cells.push('')
        cells[column] = shown
      } else if (tag === 'row' && cells.length) ready.push({ row, cells })
    },
    (text) => {
      if (inside) value += text
    },
  )
  for await (const piece of textOf(file, part)) {
    tags.push(piece)
    if (ready.length) {
      const some = ready
      ready = []
      yield* some
    }
  }
}

/** 'AB12' is column 27, counted from 0. */
function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64
    if (code < 1 || code > 26) break
    column = column * 26 + code
  }
  return column - 1
}

function cellOf(type: string, value: string, style: Style, texts: string[], is1904: boolean): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'inlineStr' || type === 'str') return value
  if (type === 'd') return value.slice(0, 10)
  if (type === 'e' || value === '') return type === 'e' ? value : ''
  const figure = Number(value)
  if (!Number.isFinite(figure)) return value
  if (style === 'day' && figure >= 1 && figure < 2_958_466) return dayOf(figure, is1904)
  if (style === 'percent') return `${plainFigure(figure * 100)}%`
  return plainFigure(figure)
}

/** Days are counted from the end of 1899 (or from 1904, in workbooks made on old Macs). */
const dayOf = (serial: number, is1904: boolean): string =>
  new Date(Date.UTC(is1904 ? 1904 : 1899, is1904 ? 0 : 11, is1904 ? 1 : 30) + Math.floor(serial) * 86_400_000)
    .toISOString()
    .slice(0, 10)

/** A figure as people wrote it: what arithmetic in binary adds at its end goes, and no exponent. */
function plainFigure(figure: number): string {
  const text = String(Number(figure.toPrecision(15)))
  return text.includes('e') ? figure.toFixed(Math.abs(figure) >= 1 ? 0 : 15).replace(/\.?0+$/, '') : text
}
