import { createHash } from 'node:crypto'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { fontFiles, makeAllPrintable } from './fonts.ts'
import { imageKind } from './image.ts'
import { paperRoot } from './root.ts'

export type PdfStandard = 'a-2b' | 'a-2a' | 'a-2u' | 'a-3a' | 'a-3b' | 'ua-1' | '1.7'

/**
 * What is set on paper. `template` is the absolute path of a .typ file; it sees the other templates of its folder and the kit's own,
 * under their bare names. `data` reaches it as JSON in `sys.inputs.data` and in no other way: strings stay strings. Pictures (PNG or JPEG)
 * are handed over as bytes under a name; the template finds the stored file's name in the data, under `images` and that name.
 */
export interface PaperJob {
  template: string
  data: object
  /** Used instead of `data` when that needs more than one page: what many pages ask for costs time that one page can do without. */
  dataWhenLonger?: object
  images?: Record<string, Uint8Array>
}

/** The typesetter refused: a mistake in a template, or a picture that cannot be read. The message is for the log, not for people. */
export class PaperError extends Error {
  override name = 'PaperError'
}

/**
 * One PDF, PDF/A unless another standard is asked for and tagged unless told otherwise: the tags of a table are twenty times its text. The same data gives the same bytes: the document's date must be
 * in the data. Characters without a glyph are replaced, never refused. Throws PaperError.
 */
export async function renderPdf(job: PaperJob & { standard?: PdfStandard; tagged?: boolean }): Promise<Uint8Array> {
  const answer = await run(job, 'pdf', { pdfStandard: job.standard ?? 'a-2b', pdfTags: job.tagged ?? true })
  return answer.pdf!
}

/** The pages as SVG pictures, for previews: all of them, or only `page` (from 1; beyond the last gives an empty list). */
export async function renderSvg(job: PaperJob & { page?: number }): Promise<string[]> {
  const answer = await run(job, 'svg', {})
  const pages = pagesOf(answer.svg!)
  return job.page === undefined ? pages : pages.slice(job.page - 1, job.page)
}

/** Ends the typesetter's threads; the next job starts them anew. For tests and for an orderly stop. */
export async function closePaper(): Promise<void> {
  const ending = workers.splice(0).map((worker) => worker.end())
  await Promise.all(ending)
}

interface Answer {
  id: number
  pdf?: Uint8Array
  svg?: string
  error?: string
}

// Two threads are what a small machine has to spare; a second one starts only when the first is busy.
const mostWorkers = 2
const workers: Typesetter[] = []
let lastId = 0

function run(job: PaperJob, kind: 'pdf' | 'svg', options: Message['options']): Promise<Answer> {
  const images = Object.entries(job.images ?? {}).map(([key, bytes]) => ({ key, bytes, name: imageName(bytes) }))
  const names = Object.fromEntries(images.map(({ key, name }) => [key, name]))
  const text = (data: object) => JSON.stringify({ ...makeAllPrintable(data), images: names })
  const data = text(job.data)
  const longer = job.dataWhenLonger ? text(job.dataWhenLonger) : null
  return idlest().send({
    id: ++lastId,
    kind,
    options,
    template: path.resolve(job.template),
    data,
    longer,
    images: images.map(({ name, bytes }) => ({ name, bytes })),
  })
}

function imageName(bytes: Uint8Array): string {
  const kind = imageKind(bytes)
  if (!kind) throw new PaperError('a picture on paper must be PNG or JPEG')
  // Named by content: the compiler remembers pictures by their name.
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${kind === 'png' ? 'png' : 'jpg'}`
}

function idlest(): Typesetter {
  const free = workers.find((worker) => worker.waiting.size === 0)
  if (free) return free
  if (workers.length < mostWorkers) {
    const worker = new Typesetter()
    workers.push(worker)
    return worker
  }
  return workers.reduce((best, worker) => (worker.waiting.size < best.waiting.size ? worker : best))
}

interface Message {
  id: number
  kind: 'pdf' | 'svg'
  /** As the typesetter calls them. */
  options: { pdfStandard?: string; pdfTags?: boolean }
  template: string
  data: string
  longer: string | null
  images: { name: string; bytes: Uint8Array }[]
}

class Typesetter {
  readonly waiting = new Map<number, { done: (answer: Answer) => void; failed: (error: Error) => void }>()
  readonly #thread: Worker

  constructor() {
    this.#thread = new Worker(path.join(paperRoot, 'worker.mjs'), {
      workerData: { fonts: Object.values(fontFiles), paperRoot },
      // The loaders of tsx and vitest have no business in a plain .mjs file and cost a second to start.
      execArgv: [],
    })
    this.#thread.on('message', (answer: Answer) => this.#settle(answer))
    this.#thread.on('error', (error) => this.#drop(error as Error))
    this.#thread.on('exit', () => this.#drop(new PaperError('the typesetter stopped')))
    this.#thread.unref()
  }

  send(message: Message): Promise<Answer> {
    // Held open only while a page is being set; an idle thread never keeps the program alive.
    if (this.waiting.size === 0) this.#thread.ref()
    return new Promise((done, failed) => {
      this.waiting.set(message.id, { done, failed })
      this.#thread.postMessage(message)
    })
  }

  async end(): Promise<void> {
    await this.#thread.terminate()
  }

  #settle(answer: Answer): void {
    const asked = this.waiting.get(answer.id)
    this.waiting.delete(answer.id)
    if (this.waiting.size === 0) this.#thread.unref()
    if (answer.error !== undefined) asked?.failed(new PaperError(answer.error))
    else asked?.done(answer)
  }

  #drop(error: Error): void {
    const at = workers.indexOf(this)
    if (at >= 0) workers.splice(at, 1)
    for (const { failed } of this.waiting.values()) failed(error)
    this.waiting.clear()
  }
}

// The engine draws all pages into one picture, one below the other: each page is a white sheet and a group, the glyphs stand at the end.
function pagesOf(svg: string): string[] {
  const lines = svg.split('\n')
  const pages: string[][] = []
  const sizes: [string, string][] = []
  const defs: string[] = []
  let into: string[] | undefined
  for (const line of lines) {
    const sheet = /^ {4}<path class="typst-shape".*d="M 0 0v ([\d.]+) h ([\d.]+) v /.exec(line)
    if (sheet) {
      sizes.push([sheet[2]!, sheet[1]!])
      pages.push([])
    } else if (/^ {4}<g[ >]/.test(line)) {
      into = pages.at(-1)
      into?.push('<g>')
    } else if (/^ {4}<\/g>/.test(line)) {
      into?.push('</g>')
      into = undefined
    } else if (/^ {4}<(defs|style)/.test(line) || (defs.length > 0 && !line.startsWith('</svg>'))) defs.push(line)
    else into?.push(line.trimStart())
  }
  const symbols = new Map([...defs.join('\n').matchAll(/<symbol id="([^"]+)"[\s\S]*?<\/symbol>/g)].map((found) => [found[1]!, found[0]]))
  const others = defs
    .join('\n')
    .replace(/<symbol id="([^"]+)"[\s\S]*?<\/symbol>/g, '')
    .replace(/\n\s*\n/g, '\n')
  return pages.map((page, index) => {
    const [width, height] = sizes[index]!
    const body = page.join('\n')
    const used = [...new Set([...body.matchAll(/href="#([^"]+)"/g)].map((found) => found[1]!))]
    const glyphs = used.map((id) => symbols.get(id) ?? '').join('')
    return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 ${width} ${height}" width="${width}pt" height="${height}pt"><rect width="100%" height="100%" fill="#fff"/>\n${body}\n<defs>${glyphs}</defs>${others}</svg>`
  })
}
