import { dayInJerusalem, isDay, type Day } from '../day.ts'
import type { Agorot } from '../money.ts'
import { agorotOf, quantityOf } from './order.ts'
import { valueAt } from './fields.ts'
import { shopText } from './shopText.ts'

/** The value at a path is missing or unreadable. */
export class NotUnderstood extends Error {
  readonly path: string
  constructor(path: string) {
    super(`not understood: ${path}`)
    this.path = path
  }
}

/** Reads the parts of what a shop sent; paths are for the person who has to mend it. */
export interface Reading {
  has: (path: string) => boolean
  text: (path: string, most: number) => string
  needText: (path: string, most: number) => string
  /** Zero for a missing value. */
  money: (path: string) => Agorot
  moneyIfAny: (path: string) => Agorot | null
  needMoney: (...paths: string[]) => Agorot
  quantity: (path: string) => string
  day: (path: string) => Day | null
  list: (path: string) => Reading[]
  value: (path: string) => unknown
}

const mostLines = 500

export function reading(of: unknown, at = ''): Reading {
  const named = (path: string) => (at && path ? `${at}.${path}` : at || path)
  const value = (path: string) => (path === '' ? undefined : valueAt(of, path))
  const isNothing = (one: unknown) => one === undefined || one === null || one === ''
  const money = (path: string): Agorot | null => {
    const one = value(path)
    if (isNothing(one)) return null
    const agorot = agorotOf(one)
    if (agorot === undefined) throw new NotUnderstood(named(path))
    return agorot
  }
  const text = (path: string, most: number): string => {
    const one = value(path)
    if (typeof one !== 'string' && typeof one !== 'number') return ''
    // Signs of HTML make a text longer than it reads, and an endless one is not searched to its end.
    return shopText(String(one).slice(0, most * 10 + 200))
      .trim()
      .slice(0, most)
  }
  return {
    value,
    has: (path) => !isNothing(value(path)),
    text,
    needText: (path, most) => {
      const one = text(path, most + 1)
      if (one === '' || one.length > most) throw new NotUnderstood(named(path))
      return one
    },
    money: (path) => money(path) ?? 0,
    moneyIfAny: money,
    needMoney: (...paths) => {
      const agorot = agorotOf(...paths.map((path) => value(path) ?? ''))
      if (agorot === undefined) throw new NotUnderstood(named(paths[0] ?? ''))
      return agorot
    },
    quantity: (path) => {
      const one = quantityOf(value(path) ?? 1)
      if (one === undefined) throw new NotUnderstood(named(path))
      return one
    },
    day: (path) => dayOf(value(path)),
    list: (path) => {
      const list = value(path)
      if (list === undefined || list === null) return []
      if (!Array.isArray(list) || list.length > mostLines) throw new NotUnderstood(named(path))
      return list.map((one, i) => reading(one, named(`${path}.${i}`)))
    },
  }
}

/** A day, a moment with or without its zone (then Jerusalem's), or seconds and milliseconds since 1970. */
export function dayOf(value: unknown): Day | null {
  if (typeof value === 'number') {
    const moment = new Date(value > 1e11 ? value : value * 1000)
    return Number.isFinite(moment.getTime()) && value > 0 ? dayInJerusalem(moment) : null
  }
  if (typeof value !== 'string') return null
  const text = value.trim()
  const day = text.slice(0, 10)
  if (!isDay(day)) return null
  if (!/[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(text)) return day
  const moment = new Date(text.replace(' ', 'T'))
  return Number.isFinite(moment.getTime()) ? dayInJerusalem(moment) : null
}

/** A number that grows with every change: one that was sent, or a moment in milliseconds. */
export function versionOf(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  if (typeof value !== 'string') return 0
  if (/^\d{1,15}$/.test(value)) return Number(value)
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`
  const moment = Date.parse(zoned.replace(' ', 'T'))
  return Number.isFinite(moment) && moment > 0 ? moment : 0
}

const yes = new Set([
  'true',
  '1',
  'yes',
  'paid',
  'partially_refunded',
  'refunded',
  'completed',
  'complete',
  'processing',
  'captured',
  'approved',
  'fulfilled',
  'שולם',
  'כן',
])

/** Whether a word or a flag says yes: 'paid', 'completed', 1, true, a moment. */
export const saysYes = (value: unknown): boolean =>
  value === true ||
  value === 1 ||
  (typeof value === 'string' && (yes.has(value.trim().toLowerCase()) || /^\d{4}-\d\d-\d\d/.test(value)))
