import path from 'node:path'
import {
  PaperError,
  renderPdf,
  renderSvg,
  type PaperJob,
  type PdfStandard,
} from '#kit/server/paper/engine.ts'
import { imageSize } from '#kit/server/paper/image.ts'
import { checkoutRoot } from '#kit/server/root.ts'
import type { DocumentPaper } from './paper.ts'
import { shapeOf } from './shape.ts'

const folder = path.join(checkoutRoot, 'src/features/sales/documents/server/paper')

/** The document as a PDF/A file, tagged, not yet sealed. The same paper gives the same bytes. */
export function documentPdf(
  paper: DocumentPaper,
  options: { standard?: PdfStandard } = {},
): Promise<Uint8Array> {
  return withoutBadLogo(paper, (job) => renderPdf({ ...job, standard: options.standard ?? 'a-2b' }))
}

/** Pictures of its pages for the live preview: all, or one (from 1). */
export function documentSvg(paper: DocumentPaper, options: { page?: number } = {}): Promise<string[]> {
  return withoutBadLogo(paper, (job) => renderSvg({ ...job, ...options }))
}

/** What the templates read: the paper, and where things stand on it. */
function jobOf(paper: DocumentPaper): PaperJob {
  const { logo, handSignature, ...words } = paper
  const images = { ...(logo ? { logo } : {}), ...(handSignature ? { signature: handSignature.picture } : {}) }
  const job = (template: string, data: object): PaperJob => ({
    template: path.join(folder, template),
    data,
    images,
  })
  const mayFitOnePage = paper.lines.length <= 20 && (paper.payments?.rows.length ?? 0) <= 20
  const size = logo && imageSize(logo)
  const common = {
    ...words,
    logoRatio: size ? size.width / size.height : 1,
    handSignature: handSignature && signatureShape(handSignature),
  }
  if (paper.layout === 'slip') return job('slip.typ', common)
  const { carryOn, ...shape } = shapeOf(paper)
  const long = { ...common, ...shape, onePage: false, carry: { ...paper.carry, on: carryOn } }
  if (!mayFitOnePage) return job('document.typ', long)
  return {
    ...job('document.typ', { ...long, onePage: true, carry: { ...paper.carry, on: false } }),
    dataWhenLonger: long,
  }
}

/**
 * What a template reads of a signature besides its bytes: how wide it is for its height, and the name under
 * it.
 */
export function signatureShape({ picture, label }: { picture: Uint8Array; label: string }): {
  ratio: number
  label: string
} {
  const size = imageSize(picture)
  return { ratio: size ? size.width / size.height : 1, label }
}

// A damaged picture passes the look at its head and fails in the typesetter. The document matters more than
// its logo.
async function withoutBadLogo<T>(paper: DocumentPaper, render: (job: PaperJob) => Promise<T>): Promise<T> {
  try {
    return await render(jobOf(paper))
  } catch (error) {
    if (!(paper.logo || paper.handSignature) || !(error instanceof PaperError)) throw error
    return render(jobOf({ ...paper, logo: null, handSignature: null }))
  }
}
