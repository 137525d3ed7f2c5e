import { isDay } from '#domain/day.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import type { FieldError } from '#kit/describe/errors.ts'
import type { Read, TradeField, TradeFields } from './fields.ts'

/** What was read, what could not be, and the names that mean nothing to this call. */
export interface Reading<F> {
  values: Read<F>
  errors: FieldError[]
  ignored: string[]
}

const mostNamed = 50
const mostRows = 1000

/** Reads what a program sent by the fields of a call; a fault names the path of its field. */
export function read<F extends TradeFields>(fields: F, body: unknown): Reading<F> {
  const errors: FieldError[] = []
  const ignored: string[] = []
  const values = readObject(fields, body, '', errors, ignored)
  return {
    values: values as Read<F>,
    errors: errors.slice(0, mostNamed),
    ignored: ignored.slice(0, mostNamed),
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function readObject(
  fields: TradeFields,
  given: unknown,
  at: string,
  errors: FieldError[],
  ignored: string[],
): Record<string, unknown> {
  const sent = new Map<string, unknown>()
  const known = new Map(
    Object.entries(fields).flatMap(([name, { also = [] }]) =>
      [name, ...also].map((one) => [one.toLowerCase(), name] as const),
    ),
  )
  for (const [key, value] of isObject(given) ? Object.entries(given) : []) {
    const name = known.get(key.toLowerCase())
    if (name === undefined) ignored.push(at + key.slice(0, 60))
    // Empty is as good as absent to programs that fill a form.
    else if (value !== null && value !== '' && value !== undefined) sent.set(name, value)
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const value = sent.get(name)
      if (value !== undefined) return [[name, readOne(field, value, at + name, errors, ignored)]]
      if (field.need) errors.push({ path: at + name, code: 'fields.need' })
      return field.start === undefined ? [] : [[name, field.start]]
    }),
  )
}

// Shops keep their switches as words.
const yes: readonly unknown[] = [true, 1, '1', 'true', 'yes']
const no: readonly unknown[] = [false, 0, '0', 'false', 'no']

function readOne(
  field: TradeField,
  value: unknown,
  path: string,
  errors: FieldError[],
  ignored: string[],
): unknown {
  const refuse = (code: string, params?: FieldError['params']): undefined =>
    void errors.push({ path, code: `fields.${code}`, ...(params ? { params } : {}) })
  switch (field.kind) {
    case 'text': {
      if (typeof value !== 'string' && typeof value !== 'number') return refuse('text')
      const plain = String(value).trim()
      return plain.length > field.max ? refuse('tooLong', { max: field.max }) : plain
    }
    case 'whole':
    case 'decimal': {
      const written = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : ''
      const isWhole = /^-?\d{1,15}$/.test(written)
      const isLong =
        field.kind === 'decimal' && field.anyPlaces === true && /^-?\d{1,12}\.\d{1,30}$/.test(written)
      if (
        field.kind === 'whole'
          ? !isWhole
          : !isLong && (!/^-?\d/.test(written) || parseDecimal4(written) === undefined)
      )
        return refuse(field.kind === 'whole' ? 'number' : 'decimal')
      const sent = Number(written)
      const figure = field.clamp
        ? Math.min(Math.max(sent, field.least ?? -Infinity), field.most ?? Infinity)
        : sent
      if (field.choices && !field.choices.includes(figure)) return refuse('choice')
      if (field.least !== undefined && figure < field.least) return refuse('least', { min: field.least })
      if (field.most !== undefined && figure > field.most) return refuse('most', { max: field.most })
      return field.kind === 'whole' ? figure : written
    }
    case 'flag': {
      const plain = typeof value === 'string' ? value.trim().toLowerCase() : value
      if (field.order && (plain === 'asc' || plain === 'desc')) return plain === 'asc'
      return yes.includes(plain) ? true : no.includes(plain) ? false : refuse('flag')
    }
    case 'day': {
      const plain = typeof value === 'string' ? value.trim().slice(0, 10) : ''
      return isDay(plain) ? plain : refuse('day')
    }
    case 'texts': {
      if (!Array.isArray(value)) return refuse('text')
      if (value.length > field.most) return refuse('most', { max: field.most })
      return value.map((one: unknown, i) =>
        readOne({ kind: 'text', max: field.max }, one, `${path}.${i}`, errors, ignored),
      )
    }
    case 'object':
      return isObject(value) ? readObject(field.of, value, `${path}.`, errors, ignored) : refuse('text')
    case 'list': {
      if (!Array.isArray(value)) return refuse('text')
      if (value.length > (field.most ?? mostRows)) return refuse('most', { max: field.most ?? mostRows })
      return value.map((one, i) => readObject(field.of, one, `${path}.${i}.`, errors, ignored))
    }
  }
}
