// The reader's thread: text out of PDFs, letters out of pictures. Plain JavaScript on purpose, like the
// typesetter's: a thread is started from a file, the same way under tsx, under vitest and beside a bundled
// server. Files of strangers are opened here and only here: when one of them is made to harm, this thread
// dies and the server lives.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { drawPage, openForeignPdf } from '../../../../../kit/server/paper/foreignPdf.mjs'
import { decode, jpegOf, pgm, prepare, turnedBy } from './picture.mjs'

const require = createRequire(import.meta.url)

const mostPages = 10
const eyeSide = 1600
const thumbSide = 320

/**
 * Two readers of letters, made when the first picture comes: 60 MB each that a business with PDFs never
 * needs. The one of both languages drops digits of figures that stand in Hebrew lines, and the English one
 * sees them all, so each page is read by both.
 */
let letters
function lettersReaders() {
  letters ??= (async () => {
    const { createWorker, PSM } = require('tesseract.js')
    // The languages must lie in one folder, and nothing is ever fetched.
    const folder = mkdtempSync(path.join(tmpdir(), 'pinkas-letters-'))
    const made = async (codes) => {
      const worker = await createWorker(codes, 1, {
        langPath: folder,
        cacheMethod: 'none',
        gzip: true,
        errorHandler: () => {},
      })
      await worker.setParameters({
        tessedit_pageseg_mode: PSM.AUTO,
        preserve_interword_spaces: '1',
        user_defined_dpi: '300',
      })
      return worker
    }
    try {
      for (const code of ['heb', 'eng']) {
        const from = path.dirname(require.resolve(`@tesseract.js-data/${code}/package.json`))
        copyFileSync(
          path.join(from, workerData.model, `${code}.traineddata.gz`),
          path.join(folder, `${code}.traineddata.gz`),
        )
      }
      return { both: await made('heb+eng'), english: await made('eng'), PSM }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })()
  return letters
}

async function seen(image, isSparse) {
  const { both, english, PSM } = await lettersReaders()
  const words = []
  for (const reader of [both, english]) {
    if (isSparse) await reader.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT })
    words.push(wordsIn((await reader.recognize(image, {}, { text: false, blocks: true })).data))
    if (isSparse) await reader.setParameters({ tessedit_pageseg_mode: PSM.AUTO })
  }
  return together(words[0], words[1])
}

const isFigure = (text) =>
  (/\d/.test(text) && /^[\d.,:/\-()%₪$€#*]+$/.test(text)) || /^\D{0,3}\d[\d.,]*[.,]\d{2}\D{0,3}$/.test(text)

/**
 * Words from the one, figures also from the other where it saw more of them; where there is a Hebrew word it is
 * no figure.
 */
function together(words, english) {
  const kept = new Set(words)
  for (const word of english) {
    if (!isFigure(word.text) || word.confidence < 0.45) continue
    const under = words.filter((other) => covered(other, word) > 0.5 || covered(word, other) > 0.5)
    const isWord = ({ text, confidence }) =>
      (text.match(/\p{L}/gu)?.length ?? 0) >= Math.max(2, text.length * 0.5) && confidence > 0.5
    if (under.some(isWord)) continue
    const digits = (text) => text.replace(/\D/g, '').length
    const [most] = under.toSorted((a, b) => digits(b.text) - digits(a.text))
    // Both saw as many digits: the surer one counts.
    if (
      most &&
      (digits(most.text) > digits(word.text) ||
        (digits(most.text) === digits(word.text) && most.confidence >= word.confidence))
    )
      continue
    for (const other of under) kept.delete(other)
    kept.add(word)
  }
  return [...kept]
}

/** The part of `a` that lies inside `b`. */
function covered(a, b) {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  return w > 0 && h > 0 ? (w * h) / (a.w * a.h) : 0
}

/**
 * The reader of letters also reads lines that run up or down; the words then stand higher than they are wide.
 */
function runsAside(words) {
  const long = words.filter(({ text }) => text.length >= 4)
  return long.length >= 6 && long.filter(({ w, h }) => h > w).length > long.length * 0.6
}

async function wordsOfPicture(canvas) {
  let best = await lettersOf(canvas)
  const aside = runsAside(best.words)
  // Hardly a word was sure: the picture may lie on its side or on its head. Read from the side it is never
  // the one to be shown.
  for (const quarters of aside ? [1, 3] : best.sure < 0.55 ? [2, 1, 3] : []) {
    const other = await lettersOf(turnedBy(canvas, quarters))
    if (runsAside(other.words)) continue
    if (other.score > best.score || (aside && runsAside(best.words) && other.sure > 0.55)) best = other
    if (best.sure > 0.7 && !runsAside(best.words)) break
  }
  return best
}

async function lettersOf(canvas) {
  const { upright, grey, tilt, band } = prepare(canvas)
  if (isBlank(grey))
    return { canvas: upright, width: grey.width, height: grey.height, words: [], score: 0, sure: 1, tilt }
  const image = pgm(grey)
  let words = await seen(image, false)
  // The layout finder gives up on some photographs; as loose words it still finds them.
  if (words.length < 12) {
    const sparse = await seen(image, true)
    if (sparse.length > words.length) words = sparse
  }
  if (band) {
    // The table above the paper is in it too, and letters are seen in its grain: only what is clear counts.
    const clear = (await seen(pgm(band.grey), true)).filter(
      (word) => word.confidence > 0.7 && /[\p{L}\p{Nd}]{2}/u.test(word.text),
    )
    words.push(...clear.map((word) => ({ ...word, x: word.x + band.x, y: word.y + band.y })))
  }
  const weight = words.reduce((sum, word) => sum + word.text.length, 0)
  const score = words.reduce((sum, word) => sum + word.text.length * (word.confidence - 0.3), 0)
  const sure = weight ? words.reduce((sum, word) => sum + word.text.length * word.confidence, 0) / weight : 0
  return { canvas: upright, width: grey.width, height: grey.height, words, score, sure, tilt }
}

/** A page without ink, such as the back of a sheet. */
function isBlank({ data }) {
  let dark = 0
  for (let i = 0; i < data.length; i += 7) if (data[i] < 128) dark++
  return dark * 7 < 60
}

function wordsIn(data) {
  const words = []
  for (const block of data.blocks ?? [])
    for (const paragraph of block.paragraphs)
      for (const line of paragraph.lines)
        for (const { text, confidence, bbox } of line.words)
          if (text.trim())
            words.push({
              text,
              confidence: confidence / 100,
              x: bbox.x0,
              y: bbox.y0,
              w: bbox.x1 - bbox.x0,
              h: bbox.y1 - bbox.y0,
            })
  return words
}

async function readPicture(bytes) {
  const canvas = await decode(bytes, 4000)
  const found = await wordsOfPicture(canvas)
  return {
    pages: [await pageFor(found.canvas, found, 'picture')],
    thumbnail: await thumb(found.canvas),
    attachments: [],
    pageCount: 1,
  }
}

async function pageFor(canvas, { width, height, words }, from) {
  const picture = await jpegOf(canvas, eyeSide, 78)
  return { width, height, words, from, picture: new Uint8Array(picture.bytes) }
}

const thumb = async (canvas) => new Uint8Array((await jpegOf(canvas, thumbSide, 80)).bytes)

async function readPdf(bytes, range) {
  const document = await openForeignPdf(bytes)
  try {
    const first = Math.max(1, range?.from ?? 1)
    const last = Math.min(document.numPages, range?.to ?? document.numPages, first + mostPages - 1)
    const pages = []
    let thumbnail
    for (let number = first; number <= last; number++) {
      const page = await document.getPage(number)
      const plain = page.getViewport({ scale: 1 })
      const words = wordsOfText((await page.getTextContent({ disableNormalization: false })).items, plain)
      const letterCount = words.reduce((sum, word) => sum + word.text.length, 0)
      const isText = letterCount >= 40 && !isGarbage(words)
      const canvas = await drawn(page, plain, isText ? eyeSide : 3000)
      if (isText)
        pages.push(await pageFor(canvas, { width: plain.width, height: plain.height, words }, 'text'))
      else {
        const found = await wordsOfPicture(canvas)
        pages.push(await pageFor(found.canvas, found, 'picture'))
      }
      thumbnail ??= await thumb(canvas)
      page.cleanup()
    }
    const attachments = Object.values((await document.getAttachments().catch(() => null)) ?? {})
      .filter(({ filename, content }) => /\.xml$/i.test(filename ?? '') && content?.length < 5_000_000)
      .slice(0, 5)
      .map(({ filename, content }) => ({ name: filename, bytes: new Uint8Array(content) }))
    return { pages, thumbnail, attachments, pageCount: document.numPages }
  } finally {
    await document.loadingTask.destroy()
  }
}

/**
 * A page with sides beyond reason is drawn small; a picture in it beyond reason is left out by the limits
 * above.
 */
const drawn = (page, plain, side) => drawPage(page, Math.min(4, side / Math.max(plain.width, plain.height)))

/** Text whose letters have no meaning (fonts without a table of letters): the picture is read instead. */
function isGarbage(words) {
  const text = words.map((word) => word.text).join('')
  const good =
    text.match(/[\u0020-\u007e\u05d0-\u05ea\u0600-\u06ff\u0400-\u04ff\u00c0-\u00ff₪€"'׳״.,]/g)?.length ?? 0
  return good < text.length * 0.8
}

const rightToLeft = /[\u0590-\u06ff]/

/** Pieces of text as words with boxes; inside a piece the widths of letters are shared out evenly. */
function wordsOfText(items, viewport) {
  const words = []
  for (const item of items) {
    if (typeof item.str !== 'string' || !item.str.trim()) continue
    const [a, b, c, d, e, f] = item.transform
    const [x, y] = viewport.convertToViewportPoint(e, f)
    const size = Math.hypot(c, d) || item.height || 10
    // Text that is upright on the page's side is left out.
    if (Math.abs(b) > Math.abs(a)) continue
    const width = item.width
    const letters = [...item.str]
    const units = letters.map((letter) => (/[.,:;'"|!il1 ׳״י]/.test(letter) ? 0.6 : 1))
    const whole = units.reduce((sum, unit) => sum + unit, 0) || 1
    const reads = item.dir === 'rtl' || (rightToLeft.test(item.str) && item.dir !== 'ltr')
    let done = 0
    let start = 0
    let text = ''
    const flush = () => {
      if (text) {
        const from = (start / whole) * width
        const to = (done / whole) * width
        const left = reads ? x + width - to : x + from
        words.push({ text, confidence: 1, x: left, y: y - size * 0.8, w: Math.max(to - from, 0.1), h: size })
      }
      text = ''
    }
    letters.forEach((letter, index) => {
      if (/\s/.test(letter)) {
        flush()
        done += units[index]
        start = done
        return
      }
      text += letter
      done += units[index]
    })
    flush()
  }
  return words
}

async function work({ bytes, mime, range }) {
  if (mime === 'application/pdf') return readPdf(bytes, range)
  return readPicture(bytes)
}

const known = ['broken', 'tooLarge', 'locked']
parentPort.on('message', async (job) => {
  try {
    parentPort.postMessage({ id: job.id, result: await work(job) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    parentPort.postMessage({
      id: job.id,
      error: known.includes(message) ? message : 'failed',
      detail: message,
    })
  }
})
