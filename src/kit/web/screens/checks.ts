import { isCurrency } from '#domain/currencies.ts'
import { isDay } from '#domain/day.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { isTaxId } from '#domain/taxId.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import type { Values } from './resources.ts'

/** A refused value: the code is a word key below `errors.fields.`, the same the server would answer. */
export interface Problem {
  code: string
  params?: Record<string, string | number>
}

const lengths: Partial<Record<Field['kind'], number>> = {
  text: 200,
  longText: 4000,
  email: 254,
  phone: 25,
  taxId: 12,
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/**
 * What the server's schema would say about a value, in its own words, before anything is sent. Kept in step
 * with fields/schema.ts by a test; the schema itself stays on the server, whose answer counts.
 */
export function problemOf(field: Field, value: unknown): Problem | undefined {
  if (isEmpty(value)) return field.need ? { code: 'need' } : undefined
  const text = typeof value === 'string' ? value.trim() : ''
  const max =
    field.kind === 'text' || field.kind === 'longText'
      ? (field.max ?? lengths[field.kind]!)
      : lengths[field.kind]
  if (max !== undefined && text.length > max) return { code: 'tooLong', params: { max } }
  switch (field.kind) {
    case 'email':
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*\.[A-Za-z]{2,}$/.test(text) ? undefined : { code: 'email' }
    case 'phone':
      return /^[+*]?[\d\s().-]{3,24}$/.test(text) ? undefined : { code: 'phone' }
    case 'taxId':
      return isTaxId(text) ? undefined : { code: 'taxId' }
    case 'price':
    case 'quantity':
      return parseDecimal4(String(value)) === undefined ? { code: 'decimal' } : undefined
    case 'money':
      return Number.isSafeInteger(value) ? undefined : { code: 'money' }
    case 'percent':
    case 'number':
      return Number.isSafeInteger(value) ? undefined : { code: 'number' }
    case 'day':
      return isDay(text) ? undefined : { code: 'day' }
    case 'choice':
      return field.of?.includes(text) ? undefined : { code: 'choice' }
    case 'currency':
      return isCurrency(text) ? undefined : { code: 'currency' }
    case 'color':
      return /^#[0-9a-f]{6}$/i.test(text) ? undefined : { code: 'color' }
    default:
      return undefined
  }
}

/** What a new record starts with. */
export const startOf = (fields: Fields): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      !field.computed && field.start !== undefined && field.start !== '' ? [[name, field.start]] : [],
    ),
  )

/** Lists and objects are the same when they say the same. */
const isSame = (left: unknown, right: unknown): boolean =>
  left === right ||
  (typeof left === 'object' && typeof right === 'object' && JSON.stringify(left) === JSON.stringify(right))

const settled = (value: unknown): unknown =>
  isEmpty(value) ? null : typeof value === 'string' ? value.trim() : value

/** Which of the form's fields differ from what is kept, as they are sent: an emptied field is null. */
export function changesOf(names: readonly string[], values: Values, before: Values): Values {
  const changes: Values = {}
  for (const name of names) {
    const value = settled(values[name])
    if (!isSame(value, settled(before[name]))) changes[name] = value
  }
  return changes
}
