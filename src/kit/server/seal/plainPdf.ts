import { inflateSync } from 'node:zlib'
import { SealError } from './pdfFile.ts'

/*
 * PDF files of newer making keep their objects and their table of references in packed streams, which an
 * incremental update of ours cannot extend. This writes such a file again with every object in the open and a
 * plain table: what it shows stays the same to the last sign.
 */

/** A table of references or a bundle of objects that unpacks to more than this is made to harm. */
const mostUnpacked = 64 * 1024 * 1024

/**
 * The same file in plain form. It reads files as pdf.js writes them: one packed table of references (ISO
 * 32000-1, 7.5.8), no earlier ones, no encryption. Throws SealError for any other.
 */
export function plainPdf(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const startXref = Number(
    /startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.toString('latin1', Math.max(0, bytes.length - 64)))?.[1] ??
      Number.NaN,
  )
  if (!Number.isInteger(startXref) || startXref >= bytes.length) throw new SealError('the file has no end')
  const table = streamAt(bytes, startXref)
  if (!/\/Type\s*\/XRef\b/.test(table.dictionary) || /\/(Prev|Encrypt)\b/.test(table.dictionary))
    throw new SealError('the file is not one piece')
  const objects = new Map<number, Buffer>()
  const bundles = new Map<number, number[]>()
  for (const { number, type, at } of entriesOf(table)) {
    if (type === 1 && at !== startXref) objects.set(number, bodyAt(bytes, at, number))
    if (type === 2) bundles.set(at, [...(bundles.get(at) ?? []), number])
  }
  for (const [bundle, numbers] of bundles) {
    const source = objects.get(bundle)
    if (!source) throw new SealError('a bundle of objects is missing')
    const inside = bundleOf(streamAt(source, 0, true))
    for (const number of numbers) {
      const body = inside.get(number)
      if (!body) throw new SealError(`object ${number} is missing`)
      objects.set(number, body)
    }
    objects.delete(bundle)
  }
  const keep = (key: string) => new RegExp(`/${key}\\s*(\\d+ \\d+ R)`).exec(table.dictionary)?.[1]
  const root = keep('Root')
  if (!root) throw new SealError('the file has no root')
  const info = keep('Info')
  const id = idOf(table.dictionary)
  return written(objects, `/Root ${root}${info ? ` /Info ${info}` : ''}${id ? ` /ID [${id} ${id}]` : ''}`)
}

/**
 * The words of a plain file's objects without what its streams hold: where actions and scripts would be
 * named.
 */
export const wordsOf = (plain: Buffer): string =>
  plain
    .toString('latin1')
    .split(/\bstream\r?\n/)
    .map((part, at) => (at === 0 ? part : part.slice(Math.max(0, part.indexOf('endstream')))))
    .join('')

/** As hexadecimal: a text string there may hold any sign. */
function idOf(dictionary: string): string | undefined {
  const at = /\/ID\s*\[\s*/.exec(dictionary)
  if (!at) return undefined
  const rest = dictionary.slice(at.index + at[0].length)
  if (rest.startsWith('<')) return /^<[0-9A-Fa-f\s]*>/.exec(rest)?.[0]
  if (!rest.startsWith('(')) return undefined
  const signs: number[] = []
  for (let i = 1, depth = 1; i < rest.length; i++) {
    const sign = rest[i]!
    if (sign === '\\') {
      const next = rest[++i] ?? ''
      const octal = /^[0-7]{1,3}/.exec(rest.slice(i))?.[0]
      if (octal) {
        signs.push(Number.parseInt(octal, 8) & 255)
        i += octal.length - 1
      } else signs.push(({ n: 10, r: 13, t: 9, b: 8, f: 12 }[next] ?? next.charCodeAt(0)) & 255)
      continue
    }
    if (sign === '(') depth++
    if (sign === ')' && --depth === 0) return `<${Buffer.from(signs).toString('hex').toUpperCase()}>`
    signs.push(sign.charCodeAt(0) & 255)
  }
  return undefined
}

interface Stream {
  dictionary: string
  bytes: Buffer
}

/** The stream object that begins at `at`, with its head `n g obj` or, `bare`, without it. */
function streamAt(bytes: Buffer, at: number, bare = false): Stream {
  const head = bare
    ? 0
    : (/^\s*\d+ \d+ obj\s*/.exec(bytes.toString('latin1', at, at + 60))?.[0].length ?? Number.NaN)
  const word = bytes.indexOf('stream', at + head)
  if (!Number.isInteger(head) || word < 0) throw new SealError('a stream is missing')
  // The word may stand inside a text string of the dictionary; its end tells.
  let from = word
  while (from >= 0 && !/>>\s*$/.test(bytes.toString('latin1', Math.max(at, from - 6), from)))
    from = bytes.indexOf('stream', from + 6)
  if (from < 0) throw new SealError('a stream does not begin')
  const dictionary = bytes.toString('latin1', at + head, from)
  const length = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(dictionary)?.[1] ?? Number.NaN)
  const start = from + 6 + (bytes[from + 6] === 0x0d ? 2 : 1)
  if (!Number.isInteger(length) || start + length > bytes.length)
    throw new SealError('a stream has no length of its own')
  return { dictionary, bytes: bytes.subarray(start, start + length) }
}

function unpacked({ dictionary, bytes }: Stream): Buffer {
  if (/\/DecodeParms\b/.test(dictionary)) throw new SealError('a stream is packed in another way')
  if (!/\/Filter\b/.test(dictionary)) return bytes
  if (!/\/Filter\s*(\[\s*)?\/FlateDecode\b/.test(dictionary))
    throw new SealError('a stream is packed in another way')
  try {
    return inflateSync(bytes, { maxOutputLength: mostUnpacked })
  } catch {
    throw new SealError('a stream does not unpack')
  }
}

const numbersIn = (text: string | undefined): number[] =>
  (text ?? '').trim().split(/\s+/).filter(Boolean).map(Number)

function* entriesOf(table: Stream): Generator<{ number: number; type: number; at: number }> {
  const rows = unpacked(table)
  const widths = numbersIn(/\/W\s*\[([\d\s]+)\]/.exec(table.dictionary)?.[1])
  const size = Number(/\/Size\s+(\d+)/.exec(table.dictionary)?.[1] ?? 0)
  const index = numbersIn(/\/Index\s*\[([\d\s]+)\]/.exec(table.dictionary)?.[1])
  const [a = 0, b = 0, c = 0] = widths
  const width = a + b + c
  if (widths.length !== 3 || width === 0 || widths.some((one) => one > 6))
    throw new SealError('the table of references is not readable')
  const read = (at: number, length: number, absent: number) =>
    length === 0 ? absent : rows.readUIntBE(at, length)
  let row = 0
  const ranges = index.length ? index : [0, size]
  for (let i = 0; i + 1 < ranges.length; i += 2)
    for (let n = 0; n < ranges[i + 1]!; n++, row++) {
      const at = row * width
      if (at + width > rows.length) return
      yield { number: ranges[i]! + n, type: read(at, a, 1), at: read(at + a, b, 0) }
    }
}

/**
 * The body of an object, from behind `n g obj` to before `endobj`; a stream is stepped over by its length.
 */
export function bodyAt(bytes: Buffer, at: number, number: number): Buffer {
  const head = /^\s*(\d+) \d+ obj\s*/.exec(bytes.toString('latin1', at, at + 60))
  if (!head || Number(head[1]) !== number) throw new SealError(`object ${number} is not where it should be`)
  const start = at + head[0].length
  let from = start
  for (;;) {
    const end = bytes.indexOf('endobj', from)
    if (end < 0) throw new SealError(`object ${number} does not end`)
    const stream = bytes.indexOf('stream', from)
    if (stream < 0 || stream > end) return bytes.subarray(start, end)
    const before = bytes.toString('latin1', Math.max(start, stream - 6), stream)
    if (!/>>\s*$/.test(before)) {
      from = stream + 6
      continue
    }
    const length = Number(
      /\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(bytes.toString('latin1', start, stream))?.[1] ?? Number.NaN,
    )
    if (!Number.isInteger(length)) throw new SealError(`stream ${number} has no length of its own`)
    const after = bytes.indexOf('endobj', stream + 6 + length)
    if (after < 0) throw new SealError(`object ${number} does not end`)
    return bytes.subarray(start, after)
  }
}

/** The objects of a bundle (ISO 32000-1, 7.5.7). */
function bundleOf(stream: Stream): Map<number, Buffer> {
  const content = unpacked(stream)
  const first = Number(/\/First\s+(\d+)/.exec(stream.dictionary)?.[1] ?? Number.NaN)
  if (!Number.isInteger(first)) throw new SealError('a bundle of objects is not readable')
  const heads = numbersIn(content.toString('latin1', 0, first))
  const found = new Map<number, Buffer>()
  for (let i = 0; i + 1 < heads.length; i += 2) {
    const next = heads[i + 3]
    found.set(
      heads[i]!,
      content.subarray(first + heads[i + 1]!, next === undefined ? content.length : first + next),
    )
  }
  return found
}

function written(objects: ReadonlyMap<number, Buffer>, trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  let length = parts[0]!.length
  const size = Math.max(...objects.keys()) + 1
  const rows: string[] = []
  const put = (piece: Buffer) => {
    parts.push(piece)
    length += piece.length
  }
  const offsets = new Map<number, number>()
  for (const [number, body] of [...objects].sort(([left], [right]) => left - right)) {
    offsets.set(number, length)
    put(Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]))
  }
  for (let number = 0; number < size; number++) {
    const at = offsets.get(number)
    rows.push(at === undefined ? '0000000000 65535 f\r\n' : `${String(at).padStart(10, '0')} 00000 n\r\n`)
  }
  const startXref = length
  put(
    Buffer.from(
      `xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${startXref}\n%%EOF\n`,
      'latin1',
    ),
  )
  return Buffer.concat(parts)
}
