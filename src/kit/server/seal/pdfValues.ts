import { bodyAt } from './plainPdf.ts'
import { SealError, type PdfFile } from './pdfFile.ts'

/*
 * Values of PDF objects as they are written: read as far as pages, resources and forms have to be changed,
 * and never rewritten where they need not be.
 */

const space = /[\u0000\t\n\f\r ]/
const ends = /[\u0000\t\n\f\r ()<>[\]{}/%]/

/** Where the value that begins at `at` ends; a reference `5 0 R` is one value. */
export function valueEnd(text: string, at: number): number {
  const sign = text[at]
  if (sign === '(') {
    let depth = 0
    for (let i = at; i < text.length; i++) {
      if (text[i] === '\\') i++
      else if (text[i] === '(') depth++
      else if (text[i] === ')' && --depth === 0) return i + 1
    }
    throw new SealError('a string does not end')
  }
  if (sign === '[' || (sign === '<' && text[at + 1] === '<')) {
    const close = sign === '[' ? ']' : '>>'
    let i = skipSpace(text, at + close.length)
    while (i < text.length) {
      if (text.startsWith(close, i)) return i + close.length
      i = skipSpace(text, valueEnd(text, i))
    }
    throw new SealError('an array or dictionary does not end')
  }
  if (sign === '<') {
    const end = text.indexOf('>', at)
    if (end < 0) throw new SealError('a string does not end')
    return end + 1
  }
  let end = at + 1
  while (end < text.length && !ends.test(text[end]!)) end++
  if (/^\d+$/.test(text.slice(at, end))) {
    const far = /^\s+\d+\s+R(?![A-Za-z])/.exec(text.slice(end, end + 24))
    if (far) return end + far[0].length
  }
  return end
}

function skipSpace(text: string, at: number): number {
  let i = at
  for (;;) {
    while (i < text.length && space.test(text[i]!)) i++
    if (text[i] !== '%') return i
    while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++
  }
}

/** The entries of a dictionary's inside, each value as it is written. */
export function entriesOf(inside: string): Map<string, string> {
  const entries = new Map<string, string>()
  let at = skipSpace(inside, 0)
  while (at < inside.length) {
    if (inside[at] !== '/') throw new SealError('a dictionary is not readable')
    const keyEnd = valueEnd(inside, at)
    const start = skipSpace(inside, keyEnd)
    if (start >= inside.length) throw new SealError('a dictionary is not readable')
    const end = valueEnd(inside, start)
    entries.set(inside.slice(at + 1, keyEnd), inside.slice(start, end))
    at = skipSpace(inside, end)
  }
  return entries
}

/** The values of an array as it is written, with its brackets. */
export function itemsOf(array: string): string[] {
  const items: string[] = []
  const inside = array.slice(1, -1)
  let at = skipSpace(inside, 0)
  while (at < inside.length) {
    const end = valueEnd(inside, at)
    items.push(inside.slice(at, end))
    at = skipSpace(inside, end)
  }
  return items
}

export const writtenEntries = (entries: ReadonlyMap<string, string>): string =>
  [...entries].map(([key, value]) => `/${key} ${value}`).join('\n')

export const numberOf = (value: string | undefined): number | undefined => {
  const found = value === undefined ? null : /^(\d+)\s+\d+\s+R$/.exec(value)
  return found ? Number(found[1]) : undefined
}

export interface RawObject {
  /** Of a dictionary or of a stream's dictionary, without its brackets; of anything else the value itself. */
  readonly text: string
  readonly isDictionary: boolean
  readonly stream?: Buffer
}

const known = new WeakMap<PdfFile, Map<number, RawObject>>()

/** An object as it lies in the file. Throws SealError where it is missing or broken. */
export function rawObject(file: PdfFile, number: number): RawObject {
  let seen = known.get(file)
  if (!seen) known.set(file, (seen = new Map()))
  let found = seen.get(number)
  if (!found) seen.set(number, (found = readObject(file, number)))
  return found
}

function readObject(file: PdfFile, number: number): RawObject {
  const offset = file.offsets.get(number)
  if (offset === undefined) throw new SealError(`object ${number} is missing`)
  const body = bodyAt(file.bytes, offset, number)
  const head = body.toString('latin1', 0, Math.min(body.length, 256 * 1024))
  if (!head.startsWith('<<')) return { text: body.toString('latin1').trim(), isDictionary: false }
  const end = valueEnd(head, 0)
  const text = head.slice(2, end - 2).trim()
  const word = /^\s*stream(\r\n|\n)/.exec(head.slice(end, end + 32))
  if (!word) return { text, isDictionary: true }
  const length = Number(/^\d+$/.exec(entriesOf(text).get('Length') ?? '')?.[0] ?? Number.NaN)
  if (!Number.isInteger(length)) throw new SealError(`stream ${number} has no length of its own`)
  const start = end + word[0].length
  return { text, isDictionary: true, stream: body.subarray(start, start + length) }
}

/** A value, or what its reference names, as it is written; a dictionary with its brackets. */
export function resolved(file: PdfFile, value: string | undefined): string | undefined {
  let now = value
  for (let steps = 0; steps < 8; steps++) {
    const number = numberOf(now)
    if (number === undefined) return now
    if (!file.offsets.has(number)) return undefined
    const { text, isDictionary } = rawObject(file, number)
    now = isDictionary ? `<<${text}>>` : text
  }
  throw new SealError('references go round')
}

/** The entries of a dictionary that is given directly or by reference; none where there is none. */
export function dictionaryOf(file: PdfFile, value: string | undefined): Map<string, string> {
  const text = resolved(file, value)
  if (text === undefined || text === 'null') return new Map()
  if (!text.startsWith('<<')) throw new SealError('a dictionary was expected')
  return entriesOf(text.slice(2, -2))
}

/** Each reference of a value named by `name`; strings are stepped over. */
export function renamed(text: string, name: (number: number) => number): string {
  let out = ''
  let at = 0
  while (at < text.length) {
    const sign = text[at]!
    if (sign === '<' && text[at + 1] === '<') {
      out += '<<'
      at += 2
    } else if (sign === '(' || sign === '<') {
      const end = valueEnd(text, at)
      out += text.slice(at, end)
      at = end
    } else if (/\d/.test(sign) && (at === 0 || ends.test(text[at - 1]!))) {
      const end = valueEnd(text, at)
      const number = numberOf(text.slice(at, end))
      out += number === undefined ? text.slice(at, end) : `${name(number)} 0 R`
      at = end
    } else {
      out += sign
      at++
    }
  }
  return out
}

/** The numbers a value names. */
export function namesIn(text: string): number[] {
  const found: number[] = []
  renamed(text, (number) => {
    found.push(number)
    return number
  })
  return found
}

/** A page of a file with what it inherits. */
export interface PdfPage {
  readonly number: number
  readonly entries: ReadonlyMap<string, string>
  readonly resources: string | undefined
}

const mostPages = 5000

/** The pages in their order. Throws SealError when the tree is not one. */
export function pagesOf(file: PdfFile): PdfPage[] {
  const root = numberOf(entriesOf(rawObject(file, file.root).text).get('Pages'))
  if (root === undefined) throw new SealError('the file has no pages')
  const pages: PdfPage[] = []
  const seen = new Set<number>()
  const walk = (number: number, inherited: string | undefined) => {
    if (seen.has(number) || pages.length > mostPages) throw new SealError('the pages go round')
    seen.add(number)
    const entries = entriesOf(rawObject(file, number).text)
    const resources = entries.get('Resources') ?? inherited
    const kids = resolved(file, entries.get('Kids'))
    if (kids === undefined || entries.get('Type') === '/Page') pages.push({ number, entries, resources })
    else for (const kid of itemsOf(kids)) walk(numberOf(kid) ?? -1, resources)
  }
  walk(root, undefined)
  return pages
}
