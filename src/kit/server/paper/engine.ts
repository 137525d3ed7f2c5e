import { createHash } from 'node:crypto'
import path from 'node:path'
import { fail } from '#kit/describe/errors.ts'
import { WorkerPool, PoolFailure } from '../work/threads/pool.ts'
import { ownProcess } from '../work/threads/workers.ts'
import { fontFamilies, fontFiles, makeAllPrintable } from './fonts.ts'
import { imageKind } from './image.ts'
import { paperRoot } from '../root.ts'

export type PdfStandard = 'a-2b' | 'a-2a' | 'a-2u' | 'a-3a' | 'a-3b' | 'ua-1' | '1.7'

/**
 * What is set on paper. `template` is the absolute path of a .typ file; it sees the other templates of its
 * folder and the kit's own, under their bare names. `data` reaches it as JSON in `sys.inputs.data` and in no
 * other way: strings stay strings. Pictures (PNG or JPEG) are handed over as bytes under a name; the template
 * finds the stored file's name in the data, under `images` and that name. `data.fonts` names the families to set text in.
 */
export interface PaperJob {
  template: string
  data: object
  /**
   * Used instead of `data` when that needs more than one page: what many pages ask for costs time that one
   * page can do without.
   */
  dataWhenLonger?: object
  images?: Record<string, Uint8Array>
}

/**
 * The typesetter refused: a mistake in a template, or a picture that cannot be read. The message is for the
 * log, not for people.
 */
export class PaperError extends Error {
  override name = 'PaperError'
}

/**
 * One PDF, PDF/A unless another standard is asked for and tagged unless told otherwise: the tags of a table
 * are twenty times its text. The same data gives the same bytes: the document's date must be in the data.
 * Characters without a glyph are replaced, never refused. Throws PaperError.
 */
export async function renderPdf(
  job: PaperJob & { standard?: PdfStandard; tagged?: boolean },
): Promise<Uint8Array> {
  const answer = await run(job, 'pdf', { pdfStandard: job.standard ?? 'a-2b', pdfTags: job.tagged ?? true })
  return answer.pdf!
}

/**
 * The pages as SVG pictures, for previews: all of them, or only `page` (from 1; beyond the last gives an
 * empty list).
 */
export async function renderSvg(job: PaperJob & { page?: number }): Promise<string[]> {
  const answer = await run(job, 'svg', {})
  const pages = pagesOf(answer.svg!)
  return job.page === undefined ? pages : pages.slice(job.page - 1, job.page)
}

/** Ends the typesetters; the next job starts them again. For tests and for an orderly stop. */
export const closePaper = (): Promise<void> => typesetters.close()

interface Answer {
  id: number
  pdf?: Uint8Array
  svg?: string
  error?: string
}

/**
 * Separate processes: the typesetter is native code, whose memory is released completely and whose work can be
 * stopped only this way. Two are what a small machine can spare. A long document takes hundreds of megabytes, and
 * its process is ended afterwards; beyond the limits it is killed.
 */
const typesetters = new WorkerPool<Message, Answer>({
  start: ownProcess(() => path.join(paperRoot, 'worker.mjs'), { fonts: fontFiles, paperRoot }),
  most: 2,
  spare: true,
  longestMs: 180_000,
  mostKeptMb: 400,
  mostMb: 2000,
})

async function run(job: PaperJob, kind: 'pdf' | 'svg', options: Message['options']): Promise<Answer> {
  const images = Object.entries(job.images ?? {}).map(([key, bytes]) => ({
    key,
    bytes,
    name: imageName(bytes),
  }))
  const names = Object.fromEntries(images.map(({ key, name }) => [key, name]))
  const text = (data: object) =>
    JSON.stringify({ ...makeAllPrintable(data), images: names, fonts: fontFamilies() })
  const data = text(job.data)
  const longer = job.dataWhenLonger ? text(job.dataWhenLonger) : null
  const answer = await typesetters
    .ask({
      kind,
      options,
      template: path.resolve(job.template),
      data,
      longer,
      images: images.map(({ name, bytes }) => ({ name, bytes })),
    })
    .catch((e: unknown) => {
      if (!(e instanceof PoolFailure)) throw e
      throw e.why === 'ended' ? new PaperError(`the typesetter stopped: ${e.message}`) : fail('kit.tooMuch')
    })
  if (answer.error !== undefined) throw new PaperError(answer.error)
  return answer
}

function imageName(bytes: Uint8Array): string {
  const kind = imageKind(bytes)
  if (!kind) throw new PaperError('a picture on paper must be PNG or JPEG')
  // Named by content: the compiler remembers pictures by their name.
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${kind === 'png' ? 'png' : 'jpg'}`
}

interface Message {
  kind: 'pdf' | 'svg'
  /** As the typesetter calls them. */
  options: { pdfStandard?: string; pdfTags?: boolean }
  template: string
  data: string
  longer: string | null
  images: { name: string; bytes: Uint8Array }[]
}

// The engine draws all pages into one picture, one below the other: each page is a white sheet and a group,
// the glyphs stand at the end.
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
    } else if (/^ {4}<(defs|style)/.test(line) || (defs.length > 0 && !line.startsWith('</svg>')))
      defs.push(line)
    else into?.push(line.trimStart())
  }
  const symbols = new Map(
    [...defs.join('\n').matchAll(/<symbol id="([^"]+)"[\s\S]*?<\/symbol>/g)].map((found) => [
      found[1]!,
      found[0],
    ]),
  )
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
