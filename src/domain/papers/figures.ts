import type { Agorot } from '../money.ts'
import { asDigits } from './letters.ts'

/** A number that may be a sum. */
export interface Figure {
  /** Without its sign. */
  readonly agorot: Agorot
  readonly negative: boolean
  /** Printed with agorot ('12.50'), as amounts mostly are. */
  readonly decimals: boolean
  /** 0 to 1: what had to be mended to read it lowers it. */
  readonly sure: number
  readonly currency: string | undefined
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/₪|ש"ח|ש''ח|ש״ח|שח|NIS|ILS/gi, 'ILS'],
  [/US\$|USD|\$/gi, 'USD'],
  [/EUR|€/gi, 'EUR'],
  [/GBP|£/gi, 'GBP'],
]

/** The currency a word names, such as ₪, ש"ח, NIS, $. */
export function currencyIn(text: string): string | undefined {
  return signs.find(([sign]) => text.search(sign) >= 0)?.[1]
}

const largest = 10_000_000_000_00

/**
 * Reads what may be a sum: '1,234.56', '1.234,56', '1234.5', '(1,234.00-)', '₪1,234', '12.50-', and what a
 * machine makes of it ('l,234.5O', '1,234,56'). Undefined for what is no number, a date, a per cent, or too
 * long.
 */
export function readFigure(text: string): Figure | undefined {
  let rest = text.replace(/[\u2212\u2013\u2014]/g, '-').replace(/[‘’׳']/g, "'")
  const currency = currencyIn(rest)
  for (const [sign] of signs) rest = rest.replace(sign, '')
  rest = rest.replace(/^[:=*,"']+|[:=*,"'|]+$/g, '').trim()
  if (!/^\.\d{2}$/.test(rest)) rest = rest.replace(/^\.+/, '')
  if (/[%/]/.test(rest)) return undefined
  // The sign of the shekel is often seen as a letter or a bracket: with agorot behind, the figure between is
  // clear.
  const core =
    /^[^\d\-(.,]{1,2}(\d[\d.,']*[.,]\d{2}-?)[^\d\-).,]{0,2}$|^(-?\d[\d.,']*[.,]\d{2})[^\d\-).,]{1,2}$/.exec(
      rest,
    )
  const isFramed = core !== null && /[^\d.,'()-]/.test(rest)
  if (core && isFramed) rest = (core[1] ?? core[2])!
  const negative = /^\(?-|-\)?$|^\(.*\)$/.test(rest)
  rest = rest.replace(/^[(\-+]+|[)\-+]+$/g, '').replace(/\.$/, '')
  if (!/\d/.test(rest)) return undefined
  let sure = isFramed ? 0.9 : 1
  if (/[^\d.,']/.test(rest)) {
    const digits = rest.replace(/\D/g, '').length
    const mended = asDigits(rest)
    if (/[^\d.,']/.test(mended) || digits < rest.replace(/[.,']/g, '').length / 2) return undefined
    rest = mended
    sure = 0.7
  }
  const found = partsOf(rest)
  if (!found) return undefined
  const agorot = Number(found.whole) * 100 + Number(found.decimals.padEnd(2, '0'))
  if (!Number.isSafeInteger(agorot) || agorot > largest) return undefined
  return { agorot, negative, decimals: found.decimals !== '', sure: sure * found.sure, currency }
}

/** Which of the points and commas is the one before the agorot. */
function partsOf(text: string): { whole: string; decimals: string; sure: number } | undefined {
  const pieces = text.split(/[.,']/)
  if (pieces.some((piece) => piece === ''))
    return pieces[0] === '' && pieces.length === 2 && /^\d{2}$/.test(pieces[1]!)
      ? { whole: '0', decimals: pieces[1]!, sure: 0.8 }
      : undefined
  if (pieces.length === 1) return /^\d{1,9}$/.test(text) ? { whole: text, decimals: '', sure: 1 } : undefined
  const last = pieces.at(-1)!
  const groups = pieces.slice(0, -1)
  const areGroups = (list: readonly string[]) =>
    list[0]!.length <= 3 && list.slice(1).every((piece) => piece.length === 3)
  if (last.length === 3) {
    if (areGroups(pieces))
      return {
        whole: pieces.join(''),
        decimals: '',
        sure: pieces.length === 2 && text.includes('.') ? 0.6 : 1,
      }
    return undefined
  }
  if (last.length > 2) return undefined
  if (groups.length === 1) return { whole: groups[0]!, decimals: last, sure: text.includes(',') ? 0.9 : 1 }
  if (!areGroups(groups)) return undefined
  // '1,234,56': the same sign before the thousands and before the agorot is a mistake of the machine.
  const marks = text.replace(/\d/g, '')
  return { whole: groups.join(''), decimals: last, sure: marks.at(-1) === marks[0] ? 0.7 : 1 }
}
