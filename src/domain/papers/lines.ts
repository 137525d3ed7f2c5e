import type { PaperPage, PaperWord, Spot } from './proposal.ts'
import { hebrew, isReversed, rightToLeft, skeleton, turned, westernDigits } from './letters.ts'

/** A word in its line, with what the search for labels compares. */
export interface Token extends PaperWord {
  readonly page: number
  /** Letters and digits only, look-alikes made one; empty for a word of signs. */
  readonly bare: string
}

/** Words that stand side by side, in the order they are read. */
export interface Line {
  readonly page: number
  readonly tokens: readonly Token[]
  /** Read from the right: it has words of Hebrew or Arabic. */
  readonly isHebrew: boolean
  readonly top: number
  readonly bottom: number
  readonly height: number
  /** Of the page, in the units of the words. */
  readonly pageWidth: number
  readonly pageHeight: number
}

/** The lines of all pages from top to bottom; letters that came in the order of sight are turned first. */
export function linesOf(pages: readonly PaperPage[]): Line[] {
  const isTurned = isReversed(pages.flatMap((page) => page.words.map((word) => word.text)))
  return pages.flatMap((page, index) => linesOfPage(page, index, isTurned))
}

export function spotOf(tokens: readonly Token[], pages: readonly PaperPage[]): Spot[] {
  const first = tokens[0]
  const page = first && pages[first.page]
  if (!first || !page) return []
  const x = Math.min(...tokens.map((t) => t.x))
  const y = Math.min(...tokens.map((t) => t.y))
  const right = Math.max(...tokens.map((t) => t.x + t.w))
  const bottom = Math.max(...tokens.map((t) => t.y + t.h))
  const share = (part: number, whole: number) =>
    Math.max(0, Math.min(1000, Math.round((part / whole) * 1000)))
  return [
    {
      page: first.page,
      x: share(x, page.width),
      y: share(y, page.height),
      w: share(right - x, page.width),
      h: share(bottom - y, page.height),
    },
  ]
}

/** The text of a line as a person reads it. */
export const textOf = (tokens: readonly Token[]): string => tokens.map((t) => t.text).join(' ')

function linesOfPage(page: PaperPage, index: number, isTurned: boolean): Line[] {
  const words = quoted(
    joined(
      page.words
        .map((word) => ({ ...word, text: isTurned ? turned(clean(word.text)) : clean(word.text) }))
        .filter((word) => word.text !== '' && word.w > 0 && word.h > 0),
    ),
  )
  const rows: PaperWord[][] = []
  for (const word of words.toSorted((a, b) => a.y + a.h / 2 - (b.y + b.h / 2))) {
    const middle = word.y + word.h / 2
    // The nearest of the last rows whose own words stand at this height; rows are compared by their last
    // word, so that a tilt is followed.
    const row = rows
      .slice(-4)
      .findLast((one) =>
        one.some(
          (other) =>
            Math.abs(other.y + other.h / 2 - middle) < Math.min(other.h, word.h) * 0.5 &&
            apart(other, word) < 40 * word.h,
        ),
      )
    if (row) row.push(word)
    else rows.push([word])
  }
  return rows.map((row) => lineOf(row, page, index)).toSorted((a, b) => a.top - b.top)
}

const apart = (a: PaperWord, b: PaperWord) => Math.max(a.x, b.x) - Math.min(a.x + a.w, b.x + b.w)

function lineOf(row: readonly PaperWord[], page: PaperPage, index: number): Line {
  const isHebrew = row.some((word) => rightToLeft.test(word.text))
  const sorted = row.toSorted((a, b) => (isHebrew ? b.x + b.w - (a.x + a.w) : a.x - b.x))
  const tokens = (isHebrew ? latinRunsForward(sorted) : sorted).map((word) => ({
    ...word,
    page: index,
    bare: skeleton(word.text),
  }))
  const heights = row.map((word) => word.h).toSorted((a, b) => a - b)
  return {
    page: index,
    tokens,
    isHebrew,
    top: Math.min(...row.map((word) => word.y)),
    bottom: Math.max(...row.map((word) => word.y + word.h)),
    height: heights[heights.length >> 1] ?? 1,
    pageWidth: page.width,
    pageHeight: page.height,
  }
}

/** In a line read from the right, words of other letters that follow one another are read from the left. */
function latinRunsForward(words: readonly PaperWord[]): PaperWord[] {
  const out: PaperWord[] = []
  let run: PaperWord[] = []
  const flush = () => {
    out.push(...(run.some((word) => /\p{L}/u.test(word.text)) ? run.reverse() : run))
    run = []
  }
  for (const word of words) {
    const last = run.at(-1)
    if (rightToLeft.test(word.text)) {
      flush()
      out.push(word)
      continue
    }
    if (last && last.x - (word.x + word.w) > word.h * 1.5) flush()
    run.push(word)
  }
  flush()
  return out
}

/** Fonts of Hebrew and Arabic name letters by their forms: those are the letters themselves. */
const forms = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g

const clean = (text: string) =>
  westernDigits(
    text
      .replace(/[\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
      .replace(forms, (some) => some.normalize('NFKC')),
  ).trim()

/** The pieces of a line that wide gaps part. */
export function blocksOf(line: Line): Token[][] {
  const blocks: Token[][] = []
  for (const token of line.tokens) {
    const last = blocks.at(-1)?.at(-1)
    const gap = last ? Math.max(last.x, token.x) - Math.min(last.x + last.w, token.x + token.w) : 0
    if (!last || gap > Math.max(last.h, token.h) * 2) blocks.push([token])
    else blocks.at(-1)!.push(token)
  }
  return blocks
}

/**
 * 'בע', '"' and 'מ' that stand close are one word: some fonts have the mark from another font, and the text
 * then comes in pieces.
 */
function quoted(words: readonly PaperWord[]): PaperWord[] {
  const out = [...words]
  for (const mark of words.filter((word) => /^["'״׳]+$/.test(word.text))) {
    const near = (side: (word: PaperWord) => number) =>
      out.find(
        (word) =>
          word !== mark &&
          hebrew.test(word.text) &&
          Math.abs(word.y - mark.y) < mark.h * 0.6 &&
          Math.abs(side(word)) < mark.h * 0.35,
      )
    const before = near((word) => word.x - (mark.x + mark.w))
    const after = near((word) => mark.x - (word.x + word.w))
    if (!before || !after) continue
    const whole = {
      ...before,
      text: before.text + mark.text + after.text,
      x: after.x,
      w: before.x + before.w - after.x,
    }
    for (const piece of [before, mark, after]) out.splice(out.indexOf(piece), 1)
    out.push(whole)
  }
  return out
}

/** Some papers are drawn letter by letter: pieces that touch are one word again. */
function joined(words: readonly PaperWord[]): PaperWord[] {
  const singles = words.filter((word) => word.text.length === 1).length
  if (words.length < 8 || singles < words.length * 0.6) return [...words]
  const out: PaperWord[] = []
  for (const word of words.toSorted((a, b) => Math.round((a.y - b.y) / (a.h * 0.6)) || a.x - b.x)) {
    const last = out.at(-1)
    const touches =
      last && Math.abs(last.y - word.y) < word.h * 0.5 && word.x - (last.x + last.w) < word.h * 0.18
    if (!touches) {
      out.push({ ...word })
      continue
    }
    const isHebrew = hebrew.test(word.text) || (hebrew.test(last.text) && !/[\w]/.test(word.text))
    out[out.length - 1] = {
      ...last,
      text: isHebrew ? word.text + last.text : last.text + word.text,
      w: word.x + word.w - last.x,
      h: Math.max(last.h, word.h),
      confidence: Math.min(last.confidence, word.confidence),
    }
  }
  return out
}
