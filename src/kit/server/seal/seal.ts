import { createHash } from 'node:crypto'
import { assertValid, type Signer } from './certificates.ts'
import { detachedSignature } from './cms.ts'

/** What the signature says of itself. `at` is the moment of sealing: it is written into the file, and the certificate must be valid at it. */
export interface SealWords {
  readonly name: string
  readonly reason: string
  readonly at: Date
  readonly location?: string
}

/** The file is not built as our typesetter builds it: a mistake in the program, not of a person. */
export class SealError extends Error {
  override name = 'SealError'
}

/**
 * Signs a PDF (PAdES B-B) by an incremental update: the bytes before stay as they are, the file's /ID stays, PDF/A stays PDF/A, and an
 * earlier signature stays valid. The field is invisible; what people see is the seal drawn on the paper. Always the last step.
 * Throws CertificateError when the certificate is not valid at `at`, SealError when the file cannot be extended.
 */
export function sealPdf(pdf: Uint8Array, signer: Signer, words: SealWords): Uint8Array {
  assertValid(signer, words.at)
  const file = readPdf(Buffer.from(pdf))
  const room = signer.chain.reduce((sum, der) => sum + der.length, 0) + 2048
  const updated = addSignature(file, words, room)
  const opening = updated.indexOf('/Contents <', pdf.length) + '/Contents '.length
  const closing = opening + room * 2 + 2
  const range = [0, opening, closing, updated.length - closing]
  const placeholder = '/ByteRange [0 ########## ########## ##########]'
  const rangeAt = updated.indexOf(placeholder, pdf.length)
  updated.write(`/ByteRange [${range.join(' ')}]`.padEnd(placeholder.length), rangeAt, 'latin1')

  const digest = createHash('sha256').update(updated.subarray(0, opening)).update(updated.subarray(closing)).digest()
  const signature = Buffer.from(detachedSignature(digest, signer)).toString('hex')
  if (signature.length > room * 2) throw new SealError('the signature is larger than the room kept for it')
  updated.write(signature, opening + 1, 'latin1')
  return new Uint8Array(updated)
}

interface PdfFile {
  readonly bytes: Buffer
  readonly offsets: ReadonlyMap<number, number>
  /** The newest trailer dictionary's inside. */
  readonly trailer: string
  readonly startXref: number
  readonly root: number
  readonly size: number
}

function readPdf(bytes: Buffer): PdfFile {
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
  if (!Number.isInteger(file.root) || !Number.isInteger(file.size)) throw new SealError('the file has no readable trailer')
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

function objectOf(file: PdfFile, number: number): string {
  const offset = file.offsets.get(number)
  if (offset === undefined) throw new SealError(`object ${number} is missing`)
  return dictionaryAt(file.bytes, file.bytes.indexOf('<<', offset))
}

function firstPage(file: PdfFile): number {
  let node = reference(objectOf(file, file.root), 'Pages')
  for (;;) {
    const dictionary = objectOf(file, node)
    if (!/\/Type\s*\/Pages\b/.test(dictionary)) return node
    const kid = /\/Kids\s*\[\s*(\d+) \d+ R/.exec(dictionary)?.[1]
    if (kid === undefined) throw new SealError('the file has no pages')
    node = Number(kid)
  }
}

function reference(dictionary: string, key: string): number {
  const found = new RegExp(`/${key}\\s+(\\d+) \\d+ R`).exec(dictionary)?.[1]
  if (found === undefined) throw new SealError(`/${key} is not where it should be`)
  return Number(found)
}

function addSignature(file: PdfFile, words: SealWords, room: number): Buffer {
  const signature = file.size
  const field = file.size + 1
  const page = firstPage(file)
  const objects = new Map<number, string>()
  objects.set(
    signature,
    [
      '/Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached',
      '/ByteRange [0 ########## ########## ##########]',
      `/Contents <${'0'.repeat(room * 2)}>`,
      `/Name ${textString(words.name)} /Reason ${textString(words.reason)}${words.location ? ` /Location ${textString(words.location)}` : ''}`,
      `/M (${pdfDate(words.at)})`,
    ].join('\n'),
  )
  const pageDictionary = objectOf(file, page)
  const catalog = objectOf(file, file.root)
  const earlier = /\/AcroForm\s*<<[^>]*\/Fields\s*\[([^\]]*)\]/.exec(catalog)?.[1]?.trim() ?? ''
  if (earlier === '' && catalog.includes('/AcroForm')) throw new SealError('the file has a form of its own')
  const count = earlier === '' ? 1 : earlier.split('R').length
  // Printed and locked, and of no size: PDF/A then asks for no appearance.
  objects.set(field, `/Type /Annot /Subtype /Widget /FT /Sig /T (Seal${count}) /V ${signature} 0 R /F 132 /Rect [0 0 0 0] /P ${page} 0 R`)
  objects.set(page, withAnnotation(file, pageDictionary, field))
  const fields = `${earlier} ${field} 0 R`.trim()
  const form = `/AcroForm << /SigFlags 3 /Fields [${fields}] >>`
  objects.set(file.root, earlier === '' ? `${catalog}\n${form}` : catalog.replace(/\/AcroForm\s*<<[^>]*>>/, form))

  const parts: Buffer[] = [file.bytes, Buffer.from('\n')]
  let length = file.bytes.length + 1
  const table: string[] = []
  for (const [number, dictionary] of [...objects].sort(([left], [right]) => left - right)) {
    const body = Buffer.from(`${number} 0 obj\n<<\n${dictionary}\n>>\nendobj\n`, 'latin1')
    table.push(`${number} 1\n${String(length).padStart(10, '0')} 00000 n\r\n`)
    parts.push(body)
    length += body.length
  }
  const trailer = file.trailer.replace(/\/Size\s+\d+/, `/Size ${file.size + 2}`).replace(/\s*\/Prev\s+\d+/, '')
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f\r\n${table.join('')}trailer\n<<\n${trailer}\n/Prev ${file.startXref}\n>>\nstartxref\n${length}\n%%EOF\n`,
      'latin1',
    ),
  )
  return Buffer.concat(parts)
}

function withAnnotation(file: PdfFile, page: string, field: number): string {
  const tabs = /\/Tabs\b/.test(page) ? page : `${page}\n/Tabs /S`
  const inline = /\/Annots\s*\[([^\]]*)\]/.exec(tabs)
  if (inline) return tabs.replace(inline[0], `/Annots [${`${inline[1]!.trim()} ${field} 0 R`.trim()}]`)
  const far = /\/Annots\s+(\d+) \d+ R/.exec(tabs)
  if (!far) return `${tabs}\n/Annots [${field} 0 R]`
  const offset = file.offsets.get(Number(far[1]))
  const listed = offset === undefined ? null : /^\d+ \d+ obj\s*\[([^\]]*)\]/.exec(file.bytes.toString('latin1', offset, offset + 4000))
  if (!listed) throw new SealError('the page has notes that cannot be read')
  return tabs.replace(far[0], `/Annots [${listed[1]!.trim()} ${field} 0 R]`)
}

const textString = (text: string) => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`
const pdfDate = (at: Date) => `D:${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
