import { filterOperators } from '#kit/describe/resource.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import type { Range } from '../fields/cellViews.tsx'

/*
 * A list's state lives in the address, in the very words of the API:
 * `city.contains=חיפה&balanceAgorot.gte=100000&sort=-name&q=…`. A link of a report, a saved view and a typed
 * address are then the same thing.
 */

export type Query = Record<string, string>

/**
 * A filter that came in an address with an operator the controls do not offer: it holds, and its chip says it
 * in its own words.
 */
export interface RawFilter {
  raw: true
  operator: string
  text: string
}

/** The value a filter's control works with: a pair of ends, several words, an id, yes or no, a text. */
export type FilterValue = Range<string | number> | readonly string[] | string | boolean | RawFilter

export const isRaw = (value: unknown): value is RawFilter =>
  typeof value === 'object' && value !== null && 'raw' in value

type Shape = 'range' | 'several' | 'one' | 'yesNo' | 'text'

/** How a kind is filtered; fields with custom words (`several`) are filtered like choices. */
export function shapeOf(field: Pick<Field, 'kind'>, several = false): Shape {
  if (several || field.kind === 'choice') return 'several'
  switch (field.kind) {
    case 'day':
    case 'moment':
    case 'money':
    case 'price':
    case 'quantity':
    case 'percent':
    case 'number':
      return 'range'
    case 'ref':
    case 'language':
      return 'one'
    case 'flag':
      return 'yesNo'
    default:
      return 'text'
  }
}

const wholeNumbers = new Set(['money', 'percent', 'number'])

/** What the address says about one field. */
export function readFilter(
  name: string,
  field: Pick<Field, 'kind'>,
  query: Query,
  several = false,
): FilterValue | undefined {
  const given = (operator: string) => query[operator === 'eq' ? name : `${name}.${operator}`]
  const shape = shapeOf(field, several)
  const end = (text: string | undefined) => {
    if (text === undefined) return undefined
    if (!wholeNumbers.has(field.kind)) return text
    const number = Number(text)
    return Number.isSafeInteger(number) ? number : undefined
  }
  const [from, to, eq] = [given('gte'), given('lte'), given('eq')]
  if (shape === 'range') {
    const range = {
      ...(end(from) === undefined ? {} : { from: end(from)! }),
      ...(end(to) === undefined ? {} : { to: end(to)! }),
    }
    if ('from' in range || 'to' in range) return range
    if (eq !== undefined && end(eq) !== undefined) return { from: end(eq)!, to: end(eq)! }
  } else if (shape === 'several') {
    const several = given('in')?.split(',').filter(Boolean) ?? []
    if (several.length > 0) return several
    if (eq) return [eq]
  } else if (shape === 'yesNo') {
    if (eq === 'true' || eq === 'false') return eq === 'true'
  } else if (shape === 'one') {
    if (eq) return eq
  } else {
    if (given('contains')) return given('contains')!
    if (eq) return eq
  }
  const operator = filterOperators.find((one) => given(one) !== undefined && given(one) !== '')
  return operator && { raw: true, operator, text: given(operator)! }
}

/**
 * The change of the address that sets a filter, or takes it out. Every operator of the field is named, so
 * that no old one stays behind.
 */
export function writeFilter(
  name: string,
  field: Pick<Field, 'kind'>,
  value: FilterValue | undefined,
  several = false,
): Record<string, string | undefined> {
  const change: Record<string, string | undefined> = {}
  for (const operator of filterOperators) change[operator === 'eq' ? name : `${name}.${operator}`] = undefined
  if (value === undefined) return change
  if (isRaw(value))
    return { ...change, [value.operator === 'eq' ? name : `${name}.${value.operator}`]: value.text }
  switch (shapeOf(field, several)) {
    case 'range': {
      const { from, to } = value as Range<string | number>
      if (from !== undefined) change[`${name}.gte`] = String(from)
      if (to !== undefined) change[`${name}.lte`] = String(to)
      break
    }
    case 'several':
      change[`${name}.in`] = (value as readonly string[]).join(',') || undefined
      break
    case 'text':
      change[`${name}.contains`] = String(value) || undefined
      break
    default:
      change[name] = String(value)
  }
  return change
}

const plain = new Set(['q', 'sort', 'archived'])

/**
 * The part of an address that the API is asked: filters of known fields, search and order; everything else is
 * somebody else's.
 */
export function askedOf(fields: Fields, query: Query): Query {
  const asked: Query = {}
  for (const [key, value] of Object.entries(query)) {
    const [name = '', operator = 'eq', ...more] = key.split('.')
    const isFilter =
      fields[name] !== undefined &&
      (filterOperators as readonly string[]).includes(operator) &&
      more.length === 0
    if (value !== '' && (plain.has(key) || isFilter)) asked[key] = value
  }
  return asked
}

/** The change that takes out every filter and the search, and leaves order and the rest. */
export function clearing(fields: Fields, query: Query): Record<string, undefined> {
  const asked = Object.keys(askedOf(fields, query)).filter((key) => key !== 'sort' && key !== 'archived')
  return Object.fromEntries(asked.map((key) => [key, undefined]))
}

/** Whether two addresses ask the same: the order of their words does not count. */
export function sameQuery(left: Query, right: Query): boolean {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every((key) => (left[key] ?? '') === (right[key] ?? ''))
}
