/*
 * PDF files as our typesetter writes them: read as far as an incremental update needs it, and updated by one.
 * What stood before stays byte for byte, so PDF/A stays PDF/A and an earlier signature stays valid.
 */

/** The file is not built as our typesetter builds it: a mistake in the program, not of a person. */
export class SealError extends Error {
  override name = 'SealError'
}

export interface PdfFile {
  readonly bytes: Buffer
  readonly offsets: ReadonlyMap<number, number>
  /** The newest trailer dictionary's inside. */
  readonly trailer: string
  readonly startXref: number
  readonly root: number
  readonly size: number
}

export function readPdf(bytes: Buffer): PdfFile {
  const end = bytes.lastIndexOf('startxref')
  const startXref = Number(/startxref\s+(\d+)/.exec(bytes.toString('latin1', end))?.[1] ?? Number.NaN)
  const offsets = new Map<number, number>()
  let newest: string | undefined
  for (let at: number | undefined = startXref; at !== undefined;) {
    const trailer = readTable(bytes, at, offsets)
    newest ??= trailer
    const previous: string | undefined = /\/Prev\s+(\d+)/.exec(trailer)?.[1]
    at = previous === undefined ? undefined : Number(previous)
  }
  const number = (key: string) => Number(new RegExp(`/${key}\\s+(\\d+)`).exec(newest!)?.[1] ?? Number.NaN)
  const file = { bytes, offsets, trailer: newest!, startXref, root: number('Root'), size: number('Size') }
  if (!Number.isInteger(file.root) || !Number.isInteger(file.size))
    throw new SealError('the file has no readable trailer')
  return file
}

/** Reads one plain table of references; the newest entry of an object wins. Gives the trailer. */
function readTable(bytes: Buffer, at: number, offsets: Map<number, number>): string {
  if (!Number.isInteger(at) || bytes.toString('latin1', at, at + 4) !== 'xref')
    throw new SealError('the file has no plain table of references')
  const trailerAt = bytes.indexOf('trailer', at)
  let current = 0
  for (const line of bytes.toString('latin1', at + 4, trailerAt).split(/\r?\n|\r/)) {
    const section = /^\s*(\d+) (\d+)\s*$/.exec(line)
    const entry = /^(\d{10}) (\d{5}) ([nf])/.exec(line)
    if (section) current = Number(section[1])
    else if (entry) {
      if (entry[3] === 'n' && !offsets.has(current)) offsets.set(current, Number(entry[1]))
      current++
    }
  }
  return dictionaryAt(bytes, bytes.indexOf('<<', trailerAt))
}

/** The inside of the dictionary that opens at `at`: brackets are counted, strings stepped over. */
function dictionaryAt(bytes: Buffer, at: number): string {
  let depth = 0
  for (let index = at; index < bytes.length; index++) {
    const sign = bytes[index]
    if (sign === 0x28) index = endOfString(bytes, index)
    else if (sign === 0x3c && bytes[index + 1] === 0x3c) {
      depth++
      index++
    } else if (sign === 0x3e && bytes[index + 1] === 0x3e) {
      depth--
      index++
      if (depth === 0) return bytes.toString('latin1', at + 2, index - 1).trim()
    }
  }
  throw new SealError('a dictionary does not end')
}

function endOfString(bytes: Buffer, at: number): number {
  let depth = 0
  for (let index = at; index < bytes.length; index++) {
    if (bytes[index] === 0x5c) index++
    else if (bytes[index] === 0x28) depth++
    else if (bytes[index] === 0x29 && --depth === 0) return index
  }
  throw new SealError('a string does not end')
}

export function objectOf(file: PdfFile, number: number): string {
  const offset = file.offsets.get(number)
  if (offset === undefined) throw new SealError(`object ${number} is missing`)
  return dictionaryAt(file.bytes, file.bytes.indexOf('<<', offset))
}

/** The bytes of a stream as they lie in the file. */
export function streamOf(file: PdfFile, number: number): { dictionary: string; bytes: Buffer } {
  const dictionary = objectOf(file, number)
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary)?.[1] ?? Number.NaN)
  const word = file.bytes.indexOf(
    'stream',
    file.bytes.indexOf(dictionary, file.offsets.get(number), 'latin1') + dictionary.length,
  )
  const start = word + 'stream'.length + (file.bytes[word + 'stream'.length] === 0x0d ? 2 : 1)
  if (!Number.isInteger(length)) throw new SealError(`stream ${number} has no length of its own`)
  return { dictionary, bytes: file.bytes.subarray(start, start + length) }
}

export function reference(dictionary: string, key: string): number {
  const found = new RegExp(`/${key}\\s+(\\d+) \\d+ R`).exec(dictionary)?.[1]
  if (found === undefined) throw new SealError(`/${key} is not where it should be`)
  return Number(found)
}

/**
 * The file with these objects added or replaced: the inside of a dictionary, or a whole stream with its own.
 * `size` is one above the highest number of all.
 */
export function updatedPdf(
  file: PdfFile,
  objects: ReadonlyMap<number, string | PdfStream>,
  size: number,
): Buffer {
  const parts: Buffer[] = [file.bytes, Buffer.from('\n')]
  let length = file.bytes.length + 1
  const table: string[] = []
  for (const [number, content] of [...objects].sort(([left], [right]) => left - right)) {
    const body = objectBytes(number, content)
    table.push(`${number} 1\n${String(length).padStart(10, '0')} 00000 n\r\n`)
    parts.push(body)
    length += body.length
  }
  const trailer = file.trailer.replace(/\/Size\s+\d+/, `/Size ${size}`).replace(/\s*\/Prev\s+\d+/, '')
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f\r\n${table.join('')}trailer\n<<\n${trailer}\n/Prev ${file.startXref}\n>>\nstartxref\n${length}\n%%EOF\n`,
      'latin1',
    ),
  )
  return Buffer.concat(parts)
}

export interface PdfStream {
  /** The inside of its dictionary, without the length. */
  readonly dictionary: string
  readonly bytes: Uint8Array
  /** No stream after all: an object that is no dictionary, as it is written. */
  readonly isValue?: true
}

function objectBytes(number: number, content: string | PdfStream): Buffer {
  if (typeof content === 'string')
    return Buffer.from(`${number} 0 obj\n<<\n${content}\n>>\nendobj\n`, 'latin1')
  if (content.isValue)
    return Buffer.concat([Buffer.from(`${number} 0 obj\n`), content.bytes, Buffer.from('\nendobj\n')])
  const head = `${number} 0 obj\n<<\n${content.dictionary} /Length ${content.bytes.length}\n>>\nstream\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), content.bytes, Buffer.from('\nendstream\nendobj\n')])
}

export const textString = (text: string) =>
  `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`
export const pdfDate = (at: Date) => `D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
