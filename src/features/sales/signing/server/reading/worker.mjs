// Opens PDFs of strangers, here and only here: when one of them is made to harm, this thread dies and the
// server lives. Plain JavaScript, so that it starts the same way under tsx, under vitest and beside a bundled
// server.
import { parentPort } from 'node:worker_threads'
import { drawPage, openForeignPdf } from '../../../../../kit/server/paper/foreignPdf.mjs'

const mostPages = 299
/** A page of more text than this is read aloud as far as this. */
const mostText = 20_000

class Refused extends Error {}

async function opened(bytes) {
  try {
    return await openForeignPdf(bytes)
  } catch (e) {
    throw new Refused(e.message)
  }
}

const rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g
const otherLetters = /\p{L}/gu
const countOf = (text, letters) => text.match(letters)?.length ?? 0

/**
 * One line as it is read. A PDF holds its pieces from left to right whatever their writing, so that Hebrew
 * words would be read from the last to the first: runs of one direction are found, and set in the order of
 * the line's own.
 */
function lineOf(pieces) {
  const seen = pieces.filter(({ str, width }) => str.trim() || width > 0)
  // What is turned is read as it comes.
  if (seen.some(({ transform: [, b, c] }) => Math.abs(b) > 0.01 || Math.abs(c) > 0.01))
    return seen.map(({ str }) => str).join('')
  const words = seen
    .map(({ str, width, height, transform }) => ({
      str,
      from: transform[4],
      to: transform[4] + width,
      height,
    }))
    .sort((one, other) => one.from - other.from)
  const whole = words.map(({ str }) => str).join('')
  const rtl = countOf(whole, rtlLetters)
  const isRtl = rtl * 2 > countOf(whole, otherLetters)
  const sides = words.map(({ str }) =>
    str.search(rtlLetters) >= 0 ? true : /[\p{L}\p{N}]/u.test(str) ? false : undefined,
  )
  const nearest = (at, step) => {
    for (let n = at; n >= 0 && n < sides.length; n += step) if (sides[n] !== undefined) return sides[n]
    return isRtl
  }
  // A sign between two of one direction is of theirs, any other of the line's.
  const settled = sides.map(
    (side, at) => side ?? (nearest(at, -1) === nearest(at, 1) ? nearest(at, 1) : isRtl),
  )
  const spaced = words.map((word, at) => {
    const next = words[at + 1]
    const gap =
      next &&
      next.from - word.to > 0.12 * (word.height || 10) &&
      !/\s$/.test(word.str) &&
      !/^\s/.test(next.str)
    return { str: word.str, gap }
  })
  const runs = []
  for (const [at, word] of spaced.entries()) {
    const last = runs.at(-1)
    if (last && last.side === settled[at]) last.words.push(word)
    else runs.push({ side: settled[at], words: [word] })
  }
  // A gap lies to the right of its word: before it in a line read from the right.
  const read = (list, fromRight) => (fromRight ? [...list].reverse() : list)
  return read(runs, isRtl)
    .map(({ side, words: own }, n) => {
      const text = read(own, side)
        .map(({ str, gap }, at) => {
          const isEdge = side ? at === 0 : at === own.length - 1
          return isEdge || !gap ? str : side ? ` ${str}` : `${str} `
        })
        .join('')
      const between = own.at(-1).gap
      return !between || (isRtl && n === 0) ? text : isRtl ? ` ${text}` : `${text} `
    })
    .join('')
    .trim()
}

/** What a page says, line by line. */
function textOf({ items }) {
  const lines = [[]]
  for (const item of items) {
    lines.at(-1).push(item)
    if (item.hasEOL) lines.push([])
  }
  return lines.map(lineOf).filter(Boolean).join('\n').slice(0, mostText)
}

async function look(bytes, rewrite, withPages) {
  const document = await opened(bytes)
  try {
    const pages = document.numPages
    if (pages > mostPages) throw new Refused('tooLong')
    const meta = await document.getMetadata().catch(() => undefined)
    if (meta?.info?.IsXFAPresent) throw new Refused('xfa')
    // What runs when it is opened has no place in a paper under the business's name.
    const scripts = (await document.getJSActions()) ?? null
    const first = (await document.getOpenAction()) ?? null
    let isActive = (scripts !== null && Object.keys(scripts).length > 0) || first?.action !== undefined
    const shapes = []
    for (let n = 1; n <= pages; n++) {
      const page = await document.getPage(n).catch(() => {
        throw new Refused('broken')
      })
      const actions = await page.getJSActions()
      if (actions && Object.keys(actions).length > 0) isActive = true
      if (withPages) {
        const { width, height } = page.getViewport({ scale: 1 })
        const unit = page.userUnit || 1
        shapes.push({
          width: width / unit,
          height: height / unit,
          rotate: ((page.rotate % 360) + 360) % 360,
          box: page.view.map(Number),
          text: textOf(await page.getTextContent().catch(() => ({ items: [] }))),
        })
      }
      page.cleanup()
    }
    if (isActive) throw new Refused('active')
    const plain = rewrite ? await document.extractPages([{ document: null }]) : null
    return { pages, shapes, file: plain }
  } finally {
    await document.loadingTask.destroy()
  }
}

/** A page as a picture, `width` dots wide. */
async function picture(bytes, number, width) {
  const document = await opened(bytes)
  try {
    const page = await document.getPage(number).catch(() => {
      throw new Refused('broken')
    })
    const plain = page.getViewport({ scale: 1 })
    const canvas = await drawPage(page, Math.min(4, width / plain.width, 3000 / plain.height))
    return { picture: new Uint8Array(await canvas.encode('webp', 82)) }
  } finally {
    await document.loadingTask.destroy()
  }
}

parentPort.on('message', async ({ id, bytes, rewrite, withPages, number, width }) => {
  try {
    parentPort.postMessage({
      id,
      result: number ? await picture(bytes, number, width) : await look(bytes, rewrite, withPages),
    })
  } catch (e) {
    parentPort.postMessage({ id, error: e instanceof Refused ? e.message : 'broken' })
  }
})
