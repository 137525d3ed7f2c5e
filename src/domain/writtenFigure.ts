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

/** Hundredths of a plain figure, exactly: agorot, basis points. Undefined when it is finer than that. */
export function hundredths(figure: string): number | undefined {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(figure) ?? []
  const kept = decimals.replace(/0+$/, '')
  if (kept.length > 2) return undefined
  const value = Number(`${sign}${whole || '0'}${kept.padEnd(2, '0')}`)
  return Number.isSafeInteger(value) ? value : undefined
}
