/**
 * The business's one colour, in its two uses: as a shape without text, and darkened until text in it can be
 * read on white.
 */
export interface Accent {
  readonly shape: string
  readonly text: string
}

const houseGreen = '#12695f'
const enoughContrast = 5.5

/** '#rrggbb' as the business chose it; whatever is not a colour becomes the house's green. */
export function accentOf(colour: string | undefined): Accent {
  const shape = colour !== undefined && /^#[0-9a-f]{6}$/i.test(colour) ? colour.toLowerCase() : houseGreen
  let [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(shape.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ]
  while (contrastOnWhite(red, green, blue) < enoughContrast)
    [red, green, blue] = [red * 0.95, green * 0.95, blue * 0.95]
  return {
    shape,
    text: '#' + [red, green, blue].map((part) => Math.floor(part).toString(16).padStart(2, '0')).join(''),
  }
}

/** As WCAG 2 measures it: 21 for black, 1 for white. */
export function contrastOnWhite(red: number, green: number, blue: number): number {
  const [r, g, b] = [red, green, blue].map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}
