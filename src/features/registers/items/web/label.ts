import { barsOf } from '#domain/barcode.ts'
import type { Item } from '../items.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/**
 * A label of 50 by 25 mm: the name, the bars, the digits under them. Undefined for a code that has no bars.
 */
export function labelOf({ name, barcode, sku }: Pick<Item, 'name' | 'barcode' | 'sku'>): string | undefined {
  const bars = barsOf(barcode ?? '')
  if (!bars) return undefined
  const module = 0.33
  const start = (50 - bars.length * module) / 2
  const strokes = [...bars.matchAll(/1+/g)].map(
    ({ index, 0: run }) =>
      `<rect x="${(start + index * module).toFixed(2)}" y="7.5" width="${(run.length * module).toFixed(2)}" height="11"/>`,
  )
  const short = name.length > 34 ? `${name.slice(0, 33)}…` : name
  return `<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="25mm" viewBox="0 0 50 25"><rect width="50" height="25" fill="#fff"/>
<text x="25" y="5" font-family="Rubik, Arial, sans-serif" font-size="2.9" text-anchor="middle" direction="${/[\u0590-\u06ff]/.test(name) ? 'rtl' : 'ltr'}">${escaped(short)}</text>
<g shape-rendering="crispEdges">${strokes.join('')}</g>
<text x="25" y="22" font-family="Rubik, Arial, sans-serif" font-size="2.9" letter-spacing="0.3" text-anchor="middle">${escaped(barcode!)}${sku ? ` · ${escaped(sku)}` : ''}</text></svg>`
}

/** Opens the label in a separate tab, to be printed from there. */
export function printLabel(item: Item): void {
  const label = labelOf(item)
  if (!label) return
  const url = URL.createObjectURL(new Blob([label], { type: 'image/svg+xml' }))
  window.open(url, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(url), 120_000)
}
