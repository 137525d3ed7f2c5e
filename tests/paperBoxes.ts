import { createRequire } from 'node:module'
import path from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

const folder = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** A run of text as it is set: points from the lower left corner of its page. */
interface Box {
  text: string
  page: number
  left: number
  right: number
  bottom: number
  top: number
  size: number
}

interface Page {
  width: number
  height: number
  boxes: Box[]
}

/** Where each run of text of a PDF is. Text that is turned, such as a watermark, is left out. */
export async function pagesOfBoxes(pdf: Uint8Array): Promise<Page[]> {
  const file = await getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: `${path.join(folder, 'standard_fonts')}/`,
    verbosity: 0,
  }).promise
  const pages: Page[] = []
  for (let number = 1; number <= file.numPages; number++) {
    const page = await file.getPage(number)
    const [, , width, height] = page.view as [number, number, number, number]
    const { items } = await page.getTextContent({ disableNormalization: true })
    const boxes = items.flatMap((item) => {
      if (!('str' in item) || item.str.trim() === '') return []
      const [a, b, , , x, y] = item.transform as [number, number, number, number, number, number]
      if (Math.abs(b) > 0.01) return []
      return [
        {
          text: item.str,
          page: number,
          left: x,
          right: x + item.width,
          bottom: y - 0.1 * a,
          top: y + 0.65 * a,
          size: a,
        },
      ]
    })
    pages.push({ width, height, boxes })
  }
  await file.destroy()
  return pages
}

/**
 * Everything that keeps a PDF from being read: two texts over each other, and text outside its page or nearer to the
 * edge than `margin` points.
 */
export async function unreadableIn(pdf: Uint8Array, margin = 8): Promise<string[]> {
  const faults: string[] = []
  for (const { width, height, boxes } of await pagesOfBoxes(pdf)) {
    for (const { text, page, left, right, bottom, top } of boxes)
      if (left < margin || right > width - margin || bottom < margin || top > height - margin)
        faults.push(`page ${page}: “${text.slice(0, 40)}” leaves the page`)
    const sorted = boxes.toSorted((a, b) => a.bottom - b.bottom)
    for (const [at, one] of sorted.entries())
      for (const other of sorted.slice(at + 1)) {
        if (other.bottom >= one.top) break
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const high = Math.min(one.top, other.top) - Math.max(one.bottom, other.bottom)
        // Kerned letters such as “//” reach into each other by up to a third of their size.
        if (wide > 0.4 * Math.min(one.size, other.size) && high > 1.5)
          faults.push(`page ${one.page}: “${one.text.slice(0, 40)}” over “${other.text.slice(0, 40)}”`)
      }
  }
  return faults
}
