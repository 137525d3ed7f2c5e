// Opens PDFs of strangers, here and only here: when one of them is made to harm, this thread dies and the server lives. Plain JavaScript,
// so that it starts the same way under tsx, under vitest and beside a bundled server.
import { createRequire } from 'node:module'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'

const require = createRequire(import.meta.url)
const pdfFolder = path.dirname(require.resolve('pdfjs-dist/package.json'))
const mostPages = 300

class Refused extends Error {}

async function look(bytes, rewrite) {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = pdfjs.getDocument({
    data: bytes,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    disableAutoFetch: true,
    verbosity: 0,
    cMapUrl: `${pdfFolder}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${pdfFolder}/standard_fonts/`,
    wasmUrl: `${pdfFolder}/wasm/`,
  })
  try {
    let document
    try {
      document = await task.promise
    } catch (e) {
      throw new Refused(e?.name === 'PasswordException' ? 'locked' : 'broken')
    }
    const pages = document.numPages
    if (pages > mostPages) throw new Refused('tooLong')
    // What runs when it is opened has no place in a paper under the business's name.
    const scripts = (await document.getJSActions()) ?? null
    const first = (await document.getOpenAction()) ?? null
    let isActive = (scripts !== null && Object.keys(scripts).length > 0) || first?.action !== undefined
    for (let n = 1; n <= pages; n++) {
      const page = await document.getPage(n).catch(() => {
        throw new Refused('broken')
      })
      const actions = await page.getJSActions()
      if (actions && Object.keys(actions).length > 0) isActive = true
      page.cleanup()
    }
    if (isActive) throw new Refused('active')
    const plain = rewrite ? await document.extractPages([{ document: null }]) : null
    return { pages, file: plain }
  } finally {
    await task.destroy()
  }
}

parentPort.on('message', async ({ id, bytes, rewrite }) => {
  try {
    parentPort.postMessage({ id, result: await look(bytes, rewrite) })
  } catch (e) {
    parentPort.postMessage({ id, error: e instanceof Refused ? e.message : 'broken' })
  }
})
