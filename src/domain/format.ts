import type { Day, Period } from './day.ts'
import { endOfMonth, momentInJerusalem, monthOf, startOfMonth, yearOf } from './day.ts'
import type { LanguageCode } from './languages.ts'
import { assertWhole, divideRounded, toSafeNumber, type Agorot, type BasisPoints } from './money.ts'
import { withCommas } from './numberText.ts'
import { toText, type Decimal4 } from './quantity.ts'

/*
 * The one formatter for screen, paper and exports for people. Separators are the product's, never the
 * locale's: comma for thousands, point for decimals, Western digits, in all five languages. No direction
 * marks are added here: the value components and the printing isolate what they show (bidi.ts).
 */

const NO_BREAK_SPACE = '\u00a0'
const NARROW_NO_BREAK_SPACE = '\u202f'

/**
 * 1,234.50; a negative sum is (1,234.00-), parentheses and a trailing minus, as the specification demands.
 */
export function formatMoney(amount: Agorot): string {
  const text = String(Math.abs(assertWhole(amount))).padStart(3, '0')
  return negativeInBrackets(amount < 0, `${withCommas(text.slice(0, -2))}.${text.slice(-2)}`)
}

/** A count or a statistic with a fixed number of decimals: 12,345. Not for money, which has formatMoney. */
export function formatNumber(value: number, places = 0): string {
  const [whole = '', decimals] = Math.abs(value).toFixed(places).split('.')
  const text = withCommas(whole) + (decimals === undefined ? '' : `.${decimals}`)
  return negativeInBrackets(value < 0 && /[1-9]/.test(text), text)
}

/** A quantity: up to four decimals, no trailing zeros. */
export function formatQuantity(value: Decimal4): string {
  const [whole = '', decimals] = toText(Math.abs(value)).split('.')
  return negativeInBrackets(value < 0, withCommas(whole) + (decimals === undefined ? '' : `.${decimals}`))
}

/** A unit price: at least two decimals, at most four. */
export function formatPrice(value: Decimal4): string {
  const [whole = '', decimals = ''] = toText(Math.abs(value)).split('.')
  return negativeInBrackets(value < 0, `${withCommas(whole)}.${decimals.padEnd(2, '0')}`)
}

/**
 * A sum with its currency, the sign where readers of the language expect it: ₪1,234.00 in English, sign and
 * no-break space before in Hebrew and Arabic, after in Russian and French. Currencies without a familiar sign
 * carry their ISO 4217 code behind. To be shown as one left-to-right isolate.
 */
export function withCurrency(amount: Agorot, currency: string, language: LanguageCode): string {
  const figure = formatMoney(amount)
  const sign = currencySigns[currency]
  if (sign === undefined) return figure + NO_BREAK_SPACE + currency
  if (language === 'en') return sign + figure
  if (language === 'ru' || language === 'fr') return figure + NO_BREAK_SPACE + sign
  return sign + NO_BREAK_SPACE + figure
}

/** The sign for the header of a column of money: ₪, $, €, or the ISO code itself. */
export function currencySign(currency: string): string {
  return currencySigns[currency] ?? currency
}

const currencySigns: Readonly<Record<string, string>> = { ILS: '₪', USD: '$', EUR: '€' }

/**
 * A whole number made short: 950, 1.2K, 12M, 3.4B, 1T. One decimal at most, rounded half away from zero; the
 * same letters in every language.
 */
export function formatShort(value: number): string {
  const size = BigInt(Math.abs(assertWhole(value)))
  if (size < 1000n) return negativeInBrackets(value < 0, String(size))
  for (const [power, letter] of shortUnits) {
    const tenths = divideRounded(size, 10n ** BigInt(power - 1))
    // 999,950 would round to 1000K, so it belongs to the next letter.
    if (tenths < 10_000n || letter === 'T') {
      const text = `${withCommas(String(tenths / 10n))}${tenths % 10n === 0n ? '' : `.${tenths % 10n}`}${letter}`
      return negativeInBrackets(value < 0, text)
    }
  }
  return ''
}

const shortUnits = [
  [3, 'K'],
  [6, 'M'],
  [9, 'B'],
  [12, 'T'],
] as const

/** A sum of money made short, in whole units: 123456789 agorot is 1.2M. */
export function formatShortMoney(amount: Agorot): string {
  return formatShort(toSafeNumber(divideRounded(BigInt(assertWhole(amount)), 100n)))
}

/** 31/12/2025 */
export function formatDay(day: Day): string {
  return `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
}

/** 31/12/2025 14:05, as clocks in Jerusalem show it, 24 hours. */
export function formatMoment(moment: Date): string {
  const { day, time } = momentInJerusalem(moment)
  return `${formatDay(day)} ${time}`
}

/**
 * 2026 for a year, 01/2026 for a month, 01-02/2026 for months of one year, 12/2025–01/2026 across years,
 * otherwise both days.
 */
export function formatPeriod({ from, to }: Period): string {
  if (from !== startOfMonth(from) || to !== endOfMonth(to))
    return from === to ? formatDay(from) : `${formatDay(from)}–${formatDay(to)}`
  const [firstMonth, lastMonth] = [from.slice(5, 7), to.slice(5, 7)]
  if (yearOf(from) !== yearOf(to)) return `${firstMonth}/${yearOf(from)}–${lastMonth}/${yearOf(to)}`
  if (monthOf(from) === 1 && monthOf(to) === 12) return String(yearOf(from))
  return firstMonth === lastMonth
    ? `${firstMonth}/${yearOf(from)}`
    : `${firstMonth}-${lastMonth}/${yearOf(from)}`
}

/**
 * 18%, 16.5%. French sets a narrow no-break space before the sign; the fonts of the paper lack it, so
 * printing must replace it.
 */
export function formatPercent(rate: BasisPoints, language: LanguageCode = 'he'): string {
  const figure = toText(Math.abs(assertWhole(rate)) * 100)
  return negativeInBrackets(rate < 0, `${figure}${language === 'fr' ? NARROW_NO_BREAK_SPACE : ''}%`)
}

/** The machine form of money for exports and files: '-1234.50'. */
export function machineMoney(amount: Agorot): string {
  const text = String(Math.abs(assertWhole(amount))).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/**
 * The machine form of a moment, by the clock of Jerusalem: 'YYYY-MM-DD', or 'YYYY-MM-DD HH:MM:00' with the
 * time (specification, section 5).
 */
export function machineDate(moment: Date, withTime = false): string {
  const { day, time } = momentInJerusalem(moment)
  return withTime ? `${day} ${time}:00` : day
}

/** Strips everything except digits and the dot (specification, section 5). */
export function digitsAndDot(text: string): string {
  return text.replace(/[^0-9.]/g, '')
}

/** Keeps only lowercase Latin letters, digits and the apostrophe (specification, section 5). */
export function lowercaseLettersDigitsApostrophe(text: string): string {
  return text.replace(/[^a-z0-9']/g, '')
}

function negativeInBrackets(isNegative: boolean, text: string): string {
  return isNegative ? `(${text}-)` : text
}
