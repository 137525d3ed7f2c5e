/**
 * A figure as people of several countries write it, made plain: '1,234.50', '1.234,50', '1 234,50', '(12-)',
 * '12-'. A single comma before three digits parts thousands, as here; before one or two it is a decimal
 * comma.
 */
export function plainFigure(text: string): string | undefined {
  let figure = text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/₪|\$|€|£|ש["״]?ח|nis|ils|usd|eur/gi, '')
    .replace(/[\s\u00a0\u202f'’]/g, '')
  let isNegative = false
  const inBrackets = /^\((.*)\)$/.exec(figure)
  if (inBrackets) {
    figure = inBrackets[1]!.replace(/-$/, '')
    isNegative = true
  }
  if (/^-|-$/.test(figure)) {
    figure = figure.replace(/^-|-$/, '')
    isNegative = true
  }
  figure = figure.replace(/^\+/, '')
  const comma = figure.lastIndexOf(',')
  const point = figure.lastIndexOf('.')
  if (comma >= 0 && point >= 0) {
    if (comma > point) figure = figure.replaceAll('.', '').replace(',', '.')
    else if (!/^\d{1,3}(,\d{2,3})*(\.\d*)?$/.test(figure)) return undefined
    else figure = figure.replaceAll(',', '')
  } else if (comma >= 0) {
    if (/^\d{1,3}(,\d{3})+$/.test(figure)) figure = figure.replaceAll(',', '')
    else if (/^\d+,\d{1,2}$|^\d+,\d{4}$/.test(figure)) figure = figure.replace(',', '.')
    else return undefined
  } else if (/^\d{1,3}(\.\d{3}){2,}$/.test(figure)) figure = figure.replaceAll('.', '')
  if (!/^(\d+\.?\d*|\.\d+)$/.test(figure)) return undefined
  return isNegative && /[1-9]/.test(figure) ? `-${figure}` : figure
}

/** The sign before the decimals of a file, and whether a figure can be read at all by it. */
export interface FigureStyle {
  /** Undefined where nothing in the file shows it. */
  readonly decimal: '.' | ',' | undefined
}

const bareFigure = (text: string): string =>
  text
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/₪|\$|€|£|ש["״]?ח|nis|ils|usd|eur/gi, '')
    .replace(/[\s\u00a0\u202f'’()+-]/g, '')

/** A single sign before three digits: thousands or decimals, by what the other figures show. */
const isOpen = (figure: string): boolean => /^\d{1,3}[.,]\d{3}$/.test(figure)

/** What one figure shows of its file's decimals: a last sign that is not before exactly three digits, or a second sign. */
function shownBy(figure: string): '.' | ',' | undefined {
  if (!/^[\d.,]+$/.test(figure) || isOpen(figure)) return undefined
  const [point, comma] = [figure.lastIndexOf('.'), figure.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ','
  const [sign, at] = point >= 0 ? (['.', point] as const) : ([',', comma] as const)
  if (at < 0) return undefined
  // The same sign twice parts thousands, so that the other one is before decimals.
  if (figure.indexOf(sign) !== at) return sign === '.' ? ',' : '.'
  return sign
}

/** Judges the figures of a file together: '1.000' is a thousand where another figure is '12,50'. */
export function styleOf(cells: Iterable<string>): FigureStyle {
  const seen = new Set<'.' | ','>()
  for (const cell of cells) {
    const shown = shownBy(bareFigure(cell))
    if (shown) seen.add(shown)
  }
  return { decimal: seen.size === 1 ? [...seen][0] : undefined }
}

/**
 * A figure by the style of its file. `unclear` where the file does not show whether '1.000' is one or a thousand; a
 * comma before three digits parts thousands, as people here write.
 */
export function figureIn(text: string, style: FigureStyle): string | 'unclear' | undefined {
  if (!isOpen(bareFigure(text))) return plainFigure(text)
  const sign = bareFigure(text).includes('.') ? '.' : ','
  if (style.decimal === undefined) return sign === '.' ? 'unclear' : plainFigure(text)
  const bare = text.replace(sign, style.decimal === sign ? '#' : '')
  return plainFigure(bare.replace('#', '.'))
}

/** Hundredths of a plain figure, exactly: agorot, basis points. Undefined when it is finer than that. */
export function hundredths(figure: string): number | undefined {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(figure) ?? []
  const kept = decimals.replace(/0+$/, '')
  if (kept.length > 2) return undefined
  const value = Number(`${sign}${whole || '0'}${kept.padEnd(2, '0')}`)
  return Number.isSafeInteger(value) ? value : undefined
}
