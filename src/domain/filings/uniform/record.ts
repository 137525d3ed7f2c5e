import { isDay, type Day } from '../../day.ts'
import { inCodePage } from './charset.ts'
import { layouts, type LayoutField, type RecordCode } from './layout.ts'

/**
 * What a record holds, by the names of its fields: amounts in whole hundredths (or ten-thousandths), days as
 * YYYY-MM-DD, times as hhmm.
 */
export type Values = Record<string, string | number | null | undefined>

/**
 * One record without the end of its line. Text that is too long is cut; RangeError for a number that does not
 * fit.
 */
export function writeRecord(code: RecordCode, values: Values): string {
  return layouts[code].fields
    .map((field) =>
      written(field, field.name === 'recordCode' && code !== 'SUMMARY' ? code : values[field.name]),
    )
    .join('')
}

function written({ name, length, kind }: LayoutField, value: string | number | null | undefined): string {
  const wrong = () => new RangeError(`${name}: ${value}`)
  if (kind === 'text')
    return inCodePage(String(value ?? ''))
      .trim()
      .slice(0, length)
      .trimEnd()
      .padEnd(length)
  if (kind === 'amount' || kind === 'amount4') {
    const amount = Number(value ?? 0)
    const digits = String(Math.abs(amount))
    if (!Number.isSafeInteger(amount) || digits.length > length - 1) throw wrong()
    return (amount < 0 ? '-' : '+') + digits.padStart(length - 1, '0')
  }
  let digits = String(value ?? '')
  if (kind === 'day') digits = digits.replaceAll('-', '')
  if (kind === 'time') digits = digits.replace(':', '')
  if (!/^\d*$/.test(digits) || digits.length > length) throw wrong()
  return digits.padStart(length, '0')
}

/** What is odd about a value in a file; the value is understood all the same, or taken as nothing. */
export type Oddity = 'notDigits' | 'notAmount' | 'point' | 'noSign' | 'blank' | 'notADay' | 'dayTurned'

export interface ReadValues {
  [name: string]: string | number
}

/**
 * The values of one record, read leniently: blanks for zeros, amounts without a sign, with a point or with
 * the sign behind, days turned round. `odd` hears of each.
 */
export function readRecord(
  code: RecordCode,
  line: string,
  odd?: (field: LayoutField, what: Oddity) => void,
): ReadValues {
  const values: ReadValues = {}
  for (const field of layouts[code].fields) values[field.name] = readField(field, line, odd)
  return values
}

/** One value of a record, without reading the others. */
export function fieldOf(code: RecordCode, line: string, name: string): string | number {
  return readField(layouts[code].byName.get(name)!, line)
}

function readField(
  field: LayoutField,
  line: string,
  odd?: (field: LayoutField, what: Oddity) => void,
): string | number {
  const raw = line.slice(field.at, field.at + field.length)
  const text = raw.trim()
  switch (field.kind) {
    case 'text':
      return text.replace(/!+$/, '').trim()
    case 'amount':
    case 'amount4':
      return readAmount(field, text, odd)
    case 'day': {
      if (/^0*$/.test(text)) {
        if (text === '' && field.need === 'M') odd?.(field, 'blank')
        return ''
      }
      const day = dayOf(text)
      if (!day) odd?.(field, 'notADay')
      else if (!isDay(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`)) odd?.(field, 'dayTurned')
      return day ?? ''
    }
    default:
      if (text === '') {
        if (field.need === 'M') odd?.(field, 'blank')
        return ''
      }
      if (!/^\d+$/.test(text)) odd?.(field, 'notDigits')
      return text
  }
}

function readAmount(
  field: LayoutField,
  text: string,
  odd?: (field: LayoutField, what: Oddity) => void,
): number {
  if (text === '') {
    if (field.need === 'M') odd?.(field, 'blank')
    return 0
  }
  const found = /^([+-]?)\s*(\d*)(?:\.(\d+))?\s*([+-]?)$/.exec(text)
  if (!found || (found[2] === '' && found[3] === undefined)) {
    odd?.(field, 'notAmount')
    return 0
  }
  const [, before, whole, part, behind] = found
  const sign = before || behind
  if (!sign) odd?.(field, 'noSign')
  const places = field.kind === 'amount4' ? 4 : 2
  if (part !== undefined) odd?.(field, 'point')
  const digits =
    part === undefined ? Number(whole) : Number(`${whole || '0'}${part.padEnd(places, '0').slice(0, places)}`)
  return sign === '-' && digits !== 0 ? -digits : digits
}

function dayOf(text: string): Day | undefined {
  if (!/^\d{8}$/.test(text)) return undefined
  const right = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  if (isDay(right) && text >= '1900') return right
  const turned = `${text.slice(4)}-${text.slice(2, 4)}-${text.slice(0, 2)}`
  return isDay(turned) ? turned : undefined
}
