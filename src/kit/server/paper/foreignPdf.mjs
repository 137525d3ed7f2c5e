// Opens PDFs that strangers made; used only inside threads that may die (the readers' worker.mjs), never on the thread
// that answers calls. Plain JavaScript, because a thread starts from a file, under tsx, vitest and the bundle alike.
import { createRequire } from 'node:module'
import path from 'node:path'
import { createCanvas } from '@napi-rs/canvas'

const require = createRequire(import.meta.url)
const folder = path.dirname(require.resolve('pdfjs-dist/package.json'))
let pdfjs

/**
 * The document of a PDF; `document.loadingTask.destroy()` ends it. Nothing in the file is run.
 *
 * @throws {Error} 'locked' where it needs a password, 'broken' where it cannot be read
 */
export async function openForeignPdf(bytes) {
  pdfjs ??= await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    disableAutoFetch: true,
    maxImageSize: 40_000_000,
    canvasMaxAreaInBytes: 200_000_000,
    verbosity: 0,
    cMapUrl: `${folder}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${folder}/standard_fonts/`,
    wasmUrl: `${folder}/wasm/`,
    iccUrl: `${folder}/iccs/`,
  })
  try {
    return await task.promise
  } catch (e) {
    await task.destroy()
    throw new Error(e?.name === 'PasswordException' ? 'locked' : 'broken', { cause: e })
  }
}

/** A page drawn on white, `scale` dots a point. */
export async function drawPage(page, scale) {
  const viewport = page.getViewport({ scale })
  const canvas = createCanvas(Math.max(1, Math.ceil(viewport.width)), Math.max(1, Math.ceil(viewport.height)))
  const draw = canvas.getContext('2d')
  draw.fillStyle = '#ffffff'
  draw.fillRect(0, 0, canvas.width, canvas.height)
  await page.render({ canvas, canvasContext: draw, viewport }).promise
  return canvas
}
