import { encode } from 'uqr'

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const labelSizes = { sheet: [70, 37], roll: [80, 40], dymo: [54, 25] } as const
export type LabelSize = keyof typeof labelSizes

/** One label in millimetres: the item, its code as a QR and in letters. */
function label(item: string, code: string, [width, height]: readonly [number, number], x: number, y: number): string {
  const { data, size } = encode(code, { border: 0 })
  const side = height - 8
  const unit = side / size
  const dots = data.flatMap((row, r) =>
    row.flatMap((on, c) =>
      on
        ? [
            `<rect x="${(x + 4 + c * unit).toFixed(2)}" y="${(y + 4 + r * unit).toFixed(2)}" width="${(unit + 0.02).toFixed(2)}" height="${(unit + 0.02).toFixed(2)}"/>`,
          ]
        : [],
    ),
  )
  const text = x + side + 8 + (width - side - 10) / 2
  const short = item.length > 22 ? `${item.slice(0, 21)}…` : item
  return `<g>${dots.join('')}<text x="${text}" y="${y + height / 2 - 2}" font-size="3" text-anchor="middle" direction="${/[\u0590-\u06ff]/.test(item) ? 'rtl' : 'ltr'}">${escaped(short)}</text><text x="${text}" y="${y + height / 2 + 4}" font-size="3.4" text-anchor="middle">${escaped(code)}</text></g>`
}

/** Labels of one size as a page to print: on a sheet of A4 three by eight, on a roll one below the other. */
export function printLabels(item: string, codes: readonly string[], size: LabelSize): void {
  const [width, height] = labelSizes[size]
  const across = size === 'sheet' ? 3 : 1
  const rows = Math.ceil(codes.length / across)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * across}mm" height="${rows * height}mm" viewBox="0 0 ${width * across} ${rows * height}" font-family="Rubik, Arial, sans-serif"><rect width="100%" height="100%" fill="#fff"/>${codes
    .map((code, i) => label(item, code, [width, height], (i % across) * width, Math.floor(i / across) * height))
    .join('')}</svg>`
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  window.open(url, '_blank', 'noopener')
  setTimeout(() => URL.revokeObjectURL(url), 120_000)
}
