import { encode } from 'uqr'
import { barsOf } from '#domain/barcode.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const labelSizes = { sheet: [70, 37], roll: [80, 40], dymo: [54, 25] } as const
export type LabelSize = keyof typeof labelSizes
export const labelCodes = ['bars', 'qr'] as const
export type LabelCode = (typeof labelCodes)[number]

/**
 * The bars of a code as ones and noughts of one module each: an EAN where it is one, else Code 128. Undefined
 * for signs that Code 128 has not (Hebrew, say): a QR code has them. What knows Code 128 is fetched when
 * somebody prints.
 */
async function barsFor(code: string): Promise<string | undefined> {
  const trade = barsOf(code)
  if (trade) return trade
  if (!/^[\u0020-\u007e]{1,60}$/.test(code)) return undefined
  const { code128 } = await import('bwip-js/generic')
  const modules: string[] = []
  const nothing = () => undefined
  code128(
    // Text as it is, also where it has a `^`.
    { bcid: 'code128', text: code, scaleX: 1, scaleY: 1 },
    {
      scale: () => null,
      measure: () => ({ width: 0, ascent: 0, descent: 0 }),
      init: nothing,
      // A bar is a line as thick as it is wide, told by its middle; of an odd width the middle is rounded up.
      line: (x, _y, _x, _to, width) => {
        for (let at = 0; at < width; at++) modules[x - Math.ceil(width / 2) + at] = '1'
      },
      polygon: nothing,
      hexagon: nothing,
      ellipse: nothing,
      fill: nothing,
      text: nothing,
      end: nothing,
    },
  )
  return Array.from(modules, (one) => one ?? '0').join('')
}

const rect = (x: number, y: number, width: number, height: number) =>
  `<rect x="${x.toFixed(3)}" y="${y.toFixed(3)}" width="${width.toFixed(3)}" height="${height.toFixed(3)}"/>`

/** One label in millimetres: the item, its code as bars or as a QR, and the same in letters. */
function label(
  item: string,
  code: string,
  bars: string | undefined,
  [width, height]: readonly [number, number],
  x: number,
  y: number,
): string {
  const direction = /[\u0590-\u06ff]/.test(item) ? 'rtl' : 'ltr'
  const short = item.length > 30 ? `${item.slice(0, 29)}…` : item
  if (bars) {
    // Ten modules of quiet on each side; never thinner than printers of labels can print.
    const module = Math.min(0.5, (width - 4) / (bars.length + 20))
    const start = x + (width - bars.length * module) / 2
    const strokes = [...bars.matchAll(/1+/g)].map(({ index, 0: run }) =>
      rect(start + index * module, y + 7, run.length * module, height - 14),
    )
    return `<g><text x="${x + width / 2}" y="${y + 5}" font-size="3" text-anchor="middle" direction="${direction}">${escaped(short)}</text><g shape-rendering="crispEdges">${strokes.join('')}</g><text x="${x + width / 2}" y="${y + height - 3}" font-size="3.2" letter-spacing="0.3" text-anchor="middle">${escaped(code)}</text></g>`
  }
  const { data, size } = encode(code, { border: 0 })
  const side = height - 8
  const unit = side / size
  const dots = data.flatMap((row, r) =>
    row.flatMap((on, c) => (on ? [rect(x + 4 + c * unit, y + 4 + r * unit, unit + 0.02, unit + 0.02)] : [])),
  )
  const text = x + side + 8 + (width - side - 10) / 2
  return `<g>${dots.join('')}<text x="${text}" y="${y + height / 2 - 2}" font-size="3" text-anchor="middle" direction="${direction}">${escaped(short.length > 22 ? `${short.slice(0, 21)}…` : short)}</text><text x="${text}" y="${y + height / 2 + 4}" font-size="3.4" text-anchor="middle">${escaped(code)}</text></g>`
}

/** Labels of one size as a page: on a sheet of A4 three by eight, on a roll one below the other. */
export async function labelSheet(
  item: string,
  codes: readonly string[],
  size: LabelSize,
  as: LabelCode,
): Promise<string> {
  const [width, height] = labelSizes[size]
  const across = size === 'sheet' ? 3 : 1
  const rows = Math.ceil(codes.length / across)
  const labels: string[] = []
  for (const [i, code] of codes.entries())
    labels.push(
      label(
        item,
        code,
        as === 'bars' ? await barsFor(code) : undefined,
        [width, height],
        (i % across) * width,
        Math.floor(i / across) * height,
      ),
    )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width * across}mm" height="${rows * height}mm" viewBox="0 0 ${width * across} ${rows * height}" font-family="Rubik, Arial, sans-serif"><rect width="100%" height="100%" fill="#fff"/>${labels.join('')}</svg>`
}

/** Opens labels in a separate tab, to be printed from there. */
export async function printLabels(
  item: string,
  codes: readonly string[],
  size: LabelSize,
  as: LabelCode,
): Promise<void> {
  const url = URL.createObjectURL(
    new Blob([await labelSheet(item, codes, size, as)], { type: 'image/svg+xml' }),
  )
  window.open(url, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(url), 120_000)
}
