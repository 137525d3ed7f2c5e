import type { LayoutField } from './layout.ts'

export type Values = Record<string, string | number>

const fits = /^[A-Z0-9]*$/

/**
 * One line without its end. RangeError when a value does not fit its field: such a file must not come to be.
 */
export function writeRecord(fields: readonly LayoutField[], values: Values): string {
  return fields.map((field) => writeField(field, values[field.name] ?? field.fixed ?? '')).join('')
}

function writeField({ name, length, kind, fixed }: LayoutField, value: string | number): string {
  const refuse = (): never => {
    throw new RangeError(`${name}: ${String(value)}`)
  }
  if (kind === 'fixed') return fixed!
  if (kind === 'amount' || kind === 'signed') {
    const amount = Number(value)
    if (!Number.isSafeInteger(amount) || (kind === 'amount' && amount < 0)) refuse()
    const digits = String(Math.abs(amount)).padStart(kind === 'signed' ? length - 1 : length, '0')
    const text = kind === 'signed' ? (amount < 0 ? '-' : '+') + digits : digits
    return text.length === length ? text : refuse()
  }
  const isDate = kind === 'day' || kind === 'period'
  const text = isDate ? String(value).replaceAll('-', '') : String(value)
  if (kind === 'sign') return text === '+' || text === '-' ? text : refuse()
  if (kind === 'group')
    return fits.test(text) && text.length <= length ? text.padStart(length, '0') : refuse()
  if (!/^\d*$/.test(text) || text.length > length || (isDate && text.length !== length)) refuse()
  return text.padStart(length, '0')
}

export interface ReadRecord {
  values: Values
  /** Names of fields that hold what may not stand there. */
  bad: string[]
}

/** The values of a line as they stand; what cannot be read keeps its text and is named. */
export function readRecord(fields: readonly LayoutField[], line: string): ReadRecord {
  const values: Values = {}
  const bad: string[] = []
  let at = 0
  for (const { name, length, kind, fixed } of fields) {
    const raw = line.slice(at, at + length)
    at += length
    values[name] = raw
    const wrong = () => void bad.push(name)
    if (kind === 'fixed') {
      if (raw !== fixed) wrong()
    } else if (kind === 'signed') {
      if (/^[+-]\d+$/.test(raw)) {
        const amount = Number(raw.slice(1))
        values[name] = raw.startsWith('-') ? -amount : amount
        if (raw.startsWith('-') && amount === 0) wrong()
      } else wrong()
    } else if (kind === 'amount' || kind === 'count') {
      if (/^\d+$/.test(raw)) values[name] = Number(raw)
      else wrong()
    } else if (kind === 'sign') {
      if (raw !== '+' && raw !== '-') wrong()
    } else if (kind === 'group') {
      if (!fits.test(raw)) wrong()
    } else if (/^\d+$/.test(raw)) {
      if (kind === 'day') values[name] = `${raw.slice(0, 4)}-${raw.slice(4, 6)}-${raw.slice(6)}`
      if (kind === 'period') values[name] = `${raw.slice(0, 4)}-${raw.slice(4)}`
    } else wrong()
  }
  return { values, bad }
}
