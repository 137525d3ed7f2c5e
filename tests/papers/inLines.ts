import type { PaperPage, PaperWord } from '#domain/papers/proposal.ts'

const rightToLeft = /[\u05d0-\u05ea\u0620-\u064a]/

/**
 * A page from lines of text. In a line of Hebrew or Arabic the first word is on the right; ' |' moves to the next
 * column. A line that begins with '# ' is printed large.
 */
export function pageOf(
  lines: readonly string[],
  { confidence = 1, columns = 2 }: { confidence?: number; columns?: number } = {},
): PaperPage {
  const words: PaperWord[] = []
  const step = 600 / columns
  let y = 40
  for (const line of lines) {
    const large = line.startsWith('# ')
    const [letter, h] = large ? [11, 22] : [6, 12]
    const text = large ? line.slice(2) : line
    const isTurned = rightToLeft.test(text)
    text.split(/ \|(?= |$)/).forEach((part, column) => {
      let x = isTurned ? 560 - column * step : 40 + column * step
      for (const word of part.split(' ').filter(Boolean)) {
        const w = word.length * letter
        words.push({ text: word, x: isTurned ? x - w : x, y, w, h, confidence })
        x += isTurned ? -(w + letter - 1) : w + letter - 1
      }
    })
    y += h * 2
  }
  return { width: 600, height: Math.max(850, y + 60), words }
}
