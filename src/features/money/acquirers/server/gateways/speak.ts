import type { Agorot } from '#domain/money.ts'
import type { Body } from '../wire.ts'

/** Shekels with two decimals as text: '12.05'. */
export const inShekels = (agorot: Agorot): string => {
  const digits = String(Math.abs(agorot)).padStart(3, '0')
  return `${agorot < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Whole agorot of shekels as text or number, to the digit; NaN for anything else, so that it equals no sum.
 */
export function agorotOf(shekels: unknown): Agorot {
  const found = /^(-?)(\d{1,11})(?:\.(\d{1,2})0*)?$/.exec(String(shekels ?? '').trim())
  if (!found) return Number.NaN
  return (found[1] ? -1 : 1) * (Number(found[2]) * 100 + Number((found[3] ?? '0').padEnd(2, '0')))
}

/** Agorot that come as agorot. */
export const wholeOf = (agorot: unknown): Agorot =>
  /^-?\d{1,13}$/.test(String(agorot ?? '').trim()) ? Number(agorot) : Number.NaN

/** A text or number of an answer as text; '' where there is none. */
export const text = (body: unknown, ...path: string[]): string => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Body)[name] : undefined),
    body,
  )
  return typeof found === 'string'
    ? found.trim()
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : ''
}

export const part = (body: unknown, ...path: string[]): Body | undefined => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Body)[name] : undefined),
    body,
  )
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Body) : undefined
}

export const rowsOf = (body: unknown, ...path: string[]): Body[] => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Body)[name] : undefined),
    body,
  )
  return Array.isArray(found)
    ? found.filter((one): one is Body => typeof one === 'object' && one !== null)
    : []
}

export const lastFour = (digits: string): string => /\d{4}$/.exec(digits)?.[0] ?? ''

/**
 * The month a card ends with, 'YYYY-MM', of its month and a year of two or four digits; '' when that is no
 * month.
 */
export function expiryOf(month: string, year: string): string {
  if (!/^\d{1,2}$/.test(month) || !/^(\d\d|\d{4})$/.test(year)) return ''
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}`
}
export const monthOf = (expiry: string): string => expiry.slice(5, 7)
export const yearOf = (expiry: string): string => expiry.slice(2, 4)

/**
 * ISO codes of money by the numbers that this market's acquirers use: Tranzila, Cardcom and Hyp 1 and 2,
 * others ISO 4217.
 */
const numbers: Readonly<Record<string, string>> = {
  '1': 'ILS',
  '2': 'USD',
  '376': 'ILS',
  '840': 'USD',
  '978': 'EUR',
  '826': 'GBP',
}
export const currencyOf = (number: string): string => numbers[number] ?? number
export const currencyNumber = (currency: string): string =>
  ({ ILS: '1', USD: '2', EUR: '978', GBP: '826' })[currency] ?? currency

/** 'DD/MM/YYYY' and the like, of 'YYYY-MM-DD'. */
export const dayMonthYear = (day: string, between = ''): string => day.split('-').toReversed().join(between)
