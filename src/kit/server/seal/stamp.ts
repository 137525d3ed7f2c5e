import { createHash } from 'node:crypto'
import {
  pdfDate,
  readPdf,
  SealError,
  textString,
  updatedPdf,
  type PdfFile,
  type PdfStream,
} from './pdfFile.ts'
import {
  dictionaryOf,
  entriesOf,
  itemsOf,
  namesIn,
  numberOf,
  pagesOf,
  rawObject,
  renamed,
  resolved,
  writtenEntries,
  type PdfPage,
} from './pdfValues.ts'

/*
 * Puts what our typesetter set onto the pages of another file, and its whole pages behind them, by an
 * incremental update: the file below stays as it was. The other file is in the plain form that pdfFile.ts
 * reads.
 */

/**
 * Where one page of the set file lands: the page (from 0) and the matrix from its own points to the page's.
 */
export interface Placement {
  readonly from: number
  readonly onto: number
  readonly matrix: readonly [number, number, number, number, number, number]
}

/** How a reader steps through the notes of a page: as the page is built (ISO 32000-1, 12.5.1). */
export const byStructure = '/S'

export interface AttachedFile {
  readonly name: string
  readonly mime: string
  readonly description: string
  readonly bytes: Uint8Array
  readonly at: Date
}

/** Objects that are put into a file: numbers are given as they come. */
export class Additions {
  readonly objects = new Map<number, string | PdfStream>()
  readonly file: PdfFile
  size: number
  constructor(file: PdfFile) {
    this.file = file
    this.size = file.size
  }
  add(content: string | PdfStream): number {
    const number = this.size++
    this.objects.set(number, content)
    return number
  }
  /** What the object says now, with what was changed already. */
  entries(number: number): Map<string, string> {
    const changed = this.objects.get(number)
    return entriesOf(typeof changed === 'string' ? changed : rawObject(this.file, number).text)
  }
  written = (): Buffer => updatedPdf(this.file, this.objects, this.size)
}

/** Takes objects of another file in, each once. */
export class Guest {
  readonly file: PdfFile
  readonly pages: readonly PdfPage[]
  private readonly given = new Map<number, number>()
  private readonly into: Additions
  constructor(bytes: Uint8Array, into: Additions) {
    this.file = readPdf(Buffer.from(bytes))
    this.pages = pagesOf(this.file)
    this.into = into
  }
  private take = (number: number): number => {
    const known = this.given.get(number)
    if (known !== undefined) return known
    const mine = this.into.size++
    this.given.set(number, mine)
    const { text, isDictionary, stream } = rawObject(this.file, number)
    if (!isDictionary) {
      this.into.objects.set(mine, bare(renamed(text, this.take)))
      return mine
    }
    const entries = entriesOf(text)
    entries.delete('Length')
    const dictionary = renamed(writtenEntries(entries), this.take)
    this.into.objects.set(mine, stream ? { dictionary, bytes: stream } : dictionary)
    return mine
  }
  /** A page as a drawing that can be placed: the number of its form. `more` goes into its dictionary. */
  drawing(index: number, more = ''): number {
    const page = this.pages[index]
    if (!page) throw new SealError('the set page is missing')
    const content = numberOf(page.entries.get('Contents'))
    const box = resolved(this.file, page.entries.get('MediaBox'))
    const source = content === undefined ? undefined : rawObject(this.file, content)
    const entries = source ? entriesOf(source.text) : new Map<string, string>()
    entries.delete('Length')
    const filter = entries.get('Filter')
    const group = page.entries.get('Group')
    return this.into.add({
      dictionary: renamed(
        `/Type /XObject /Subtype /Form /BBox ${box} /Resources ${resolved(this.file, page.resources) ?? '<< >>'}${group ? ` /Group ${group}` : ''}${filter ? ` /Filter ${filter}` : ''} ${more}`,
        this.take,
      ),
      bytes: source?.stream ?? Buffer.alloc(0),
    })
  }
  /** A page as a page of the file it comes into. */
  page(index: number, parent: number): number {
    const page = this.pages[index]
    if (!page) throw new SealError('the set page is missing')
    const entries = new Map(page.entries)
    for (const key of ['Parent', 'StructParents', 'Tabs']) entries.delete(key)
    const box = resolved(this.file, entries.get('MediaBox'))!
    entries.set('Resources', page.resources ?? '<< >>')
    entries.set('CropBox', box)
    entries.set('Rotate', '0')
    const text = renamed(writtenEntries(entries), this.take)
    return this.into.add(`${text}\n/Parent ${parent} 0 R`)
  }
}

/** An object that is no dictionary. */
const bare = (value: string): PdfStream => ({
  dictionary: '',
  bytes: Buffer.from(value, 'latin1'),
  isValue: true,
})

const short = (value: number) => String(Math.round(value * 10_000) / 10_000)

/** Draws forms over a page: what the page had is kept whole between `q` and `Q`. */
export function drawOver(
  into: Additions,
  page: PdfPage,
  drawings: readonly { form: number; matrix: Placement['matrix'] }[],
): void {
  const { file } = into
  const entries = into.entries(page.number)
  const resources = dictionaryOf(file, page.resources)
  const forms = dictionaryOf(file, resources.get('XObject'))
  const body: string[] = []
  for (const [at, { form, matrix }] of drawings.entries()) {
    let name = `Pk${at}`
    while (forms.has(name)) name += 'x'
    forms.set(name, `${form} 0 R`)
    body.push(`q ${matrix.map(short).join(' ')} cm /${name} Do Q`)
  }
  resources.set('XObject', `<< ${writtenEntries(forms)} >>`)
  const contents = entries.get('Contents')
  const direct = resolved(file, contents)
  const before = contents === undefined ? [] : direct?.startsWith('[') ? itemsOf(direct) : [contents]
  const open = into.add({ dictionary: '', bytes: Buffer.from('q\n') })
  const close = into.add({ dictionary: '', bytes: Buffer.from(`\nQ\n${body.join('\n')}\n`) })
  entries.set('Contents', `[${[`${open} 0 R`, ...before, `${close} 0 R`].join(' ')}]`)
  entries.set('Resources', `<< ${writtenEntries(resources)} >>`)
  into.objects.set(page.number, writtenEntries(entries))
}

/** Puts pages behind the others. */
export function appendPages(into: Additions, make: (parent: number) => number[]): number[] {
  const root = numberOf(into.entries(into.file.root).get('Pages'))!
  const made = make(root)
  const entries = into.entries(root)
  const kids = itemsOf(resolved(into.file, entries.get('Kids'))!)
  entries.set('Kids', `[${[...kids, ...made.map((number) => `${number} 0 R`)].join(' ')}]`)
  entries.set('Count', String(Number(entries.get('Count')) + made.length))
  into.objects.set(root, writtenEntries(entries))
  return made
}

/**
 * Lays files into the PDF, where readers of PDFs show them. Throws SealError where the PDF has attachments
 * already.
 */
export function attach(into: Additions, files: readonly AttachedFile[]): void {
  const catalog = into.entries(into.file.root)
  const names = dictionaryOf(into.file, catalog.get('Names'))
  if (names.has('EmbeddedFiles') || catalog.has('AF'))
    throw new SealError('the file has attachments of its own')
  const listed = files.map(({ name, mime, description, bytes, at }) => {
    const checksum = createHash('md5').update(bytes).digest('hex')
    const embedded = into.add({
      dictionary: `/Type /EmbeddedFile /Subtype /${mime.replace('/', '#2F')} /Params << /Size ${bytes.length} /ModDate (${pdfDate(at)}) /CheckSum <${checksum}> >>`,
      bytes,
    })
    const title = textString(name)
    const spec = into.add(
      `/Type /Filespec /F ${title} /UF ${title} /Desc ${textString(description)} /AFRelationship /Data /EF << /F ${embedded} 0 R /UF ${embedded} 0 R >>`,
    )
    return { title, spec }
  })
  // A tree of names is sorted by them.
  listed.sort((left, right) => (left.title < right.title ? -1 : 1))
  names.set(
    'EmbeddedFiles',
    `<< /Names [${listed.map(({ title, spec }) => `${title} ${spec} 0 R`).join(' ')}] >>`,
  )
  catalog.set('Names', `<< ${writtenEntries(names)} >>`)
  catalog.set('AF', `[${listed.map(({ spec }) => `${spec} 0 R`).join(' ')}]`)
  into.objects.set(into.file.root, writtenEntries(catalog))
}

/** The bytes of the file of that name inside a PDF, where it is not compressed into another object. */
export function attachedIn(file: PdfFile, name: string): Buffer | undefined {
  const catalog = entriesOf(rawObject(file, file.root).text)
  const listed = resolved(
    file,
    dictionaryOf(file, dictionaryOf(file, catalog.get('Names')).get('EmbeddedFiles')).get('Names'),
  )
  const items = listed ? itemsOf(listed) : []
  for (let i = 0; i + 1 < items.length; i += 2) {
    if (items[i] !== textString(name)) continue
    const embedded = numberOf(dictionaryOf(file, dictionaryOf(file, items[i + 1]).get('EF')).get('F'))
    return embedded === undefined ? undefined : rawObject(file, embedded).stream
  }
  return undefined
}

/**
 * One fingerprint a page, over all it is drawn from: its contents, resources and notes, with nothing above it
 * in the tree. It stays the same when the file is extended without touching the page. `leave`: keys of the
 * page that do not count.
 */
export function pageHashes(file: PdfFile, leave: readonly string[] = []): string[] {
  const own = new Map<number, Buffer>()
  const bytesOf = (number: number): Buffer => {
    let hash = own.get(number)
    if (!hash) {
      const { text, stream } = rawObject(file, number)
      const sum = createHash('sha256').update(text, 'latin1')
      if (stream) sum.update(stream)
      own.set(number, (hash = sum.digest()))
    }
    return hash
  }
  const pages = pagesOf(file)
  const isPage = new Set(pages.map(({ number }) => number))
  return pages.map((page) => {
    const sum = createHash('sha256')
    const seen = new Set<number>([page.number])
    const entries = [...page.entries]
      .filter(([key]) => key !== 'Parent' && !leave.includes(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    if (page.resources !== undefined && !page.entries.has('Resources'))
      entries.push(['Resources', page.resources])
    const queue: number[] = []
    const look = (text: string) => {
      for (const number of namesIn(text))
        if (!seen.has(number) && !isPage.has(number) && file.offsets.has(number)) {
          seen.add(number)
          queue.push(number)
        }
    }
    for (const [key, value] of entries) {
      sum.update(`/${key} ${value}\n`, 'latin1')
      look(value)
    }
    while (queue.length) {
      const number = queue.shift()!
      sum.update(bytesOf(number))
      look(withoutParent(rawObject(file, number).text))
    }
    return sum.digest('hex')
  })
}

/** A note names its page, and a page's parent the whole tree. */
const withoutParent = (text: string): string =>
  text.replace(/\/(Parent|P|StructParent|Popup)\s+\d+ \d+ R/g, '')
