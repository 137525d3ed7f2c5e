import { isDay, type Day } from '../../day.ts'
import { isTaxId } from '../../taxId.ts'
import type { LayoutField } from './layout.ts'

export type Values = Record<string, string>

export interface Problem {
  field: string
  code: 'tooLong' | 'notDigits' | 'checkDigit' | 'withholdingFile' | 'notADay' | 'notAscii' | 'unexpected'
}

/**
 * What is wrong with the values of a record before it is written or after it was read; days stand as
 * YYYY-MM-DD.
 */
export function problemsOf(fields: readonly LayoutField[], values: Values): Problem[] {
  return fields.flatMap(({ name, length, kind, fixed }): Problem[] => {
    const value = values[name] ?? fixed ?? ''
    const wrong = (code: Problem['code']): Problem[] => [{ field: name, code }]
    if (fixed !== undefined && value !== fixed) return wrong('unexpected')
    if (kind === 'day') return value === '' || isDay(value) ? [] : wrong('notADay')
    if (value.length > length) return wrong('tooLong')
    if (kind === 'digits' || kind === 'taxId' || kind === 'withholdingFile' || kind === 'flag') {
      if (!/^\d*$/.test(value)) return wrong('notDigits')
      if (kind === 'flag' && !/^[01]?$/.test(value)) return wrong('unexpected')
      if (kind === 'withholdingFile' && !/^9\d{8}$/.test(value)) return wrong('withholdingFile')
      if (kind === 'taxId' && !/^0*$/.test(value) && !isTaxId(value)) return wrong('checkDigit')
    }
    return []
  })
}

/**
 * One line without its end. RangeError when a value does not fit: the person who writes has asked `problemsOf`
 * before.
 */
export function writeRecord(fields: readonly LayoutField[], values: Values): string {
  const [first] = problemsOf(fields, values)
  if (first) throw new RangeError(`${first.field}: ${first.code}`)
  return fields
    .map(({ name, length, kind, fixed }) => {
      const value = values[name] ?? fixed ?? ''
      if (kind === 'day')
        return value === '' ? '0'.repeat(length) : value.slice(8) + value.slice(5, 7) + value.slice(0, 4)
      if (kind === 'text' || kind === 'blank') {
        if (!/^[\x20-\x7e]*$/.test(value)) throw new RangeError(`${name}: notAscii`)
        return value.padEnd(length)
      }
      return value.padStart(length, '0')
    })
    .join('')
}

/**
 * The values of a line; numbers keep their left zeros, days become YYYY-MM-DD or nothing, text loses its
 * blanks.
 */
export function readRecord(fields: readonly LayoutField[], line: string): Values {
  const values: Values = {}
  let at = 0
  for (const { name, length, kind } of fields) {
    const raw = line.slice(at, at + length)
    at += length
    values[name] = kind === 'day' ? (dayOf(raw) ?? (/^[0\s]*$/.test(raw) ? '' : raw)) : raw.trim()
  }
  return values
}

/** A year begins with 20, and no month is the twentieth: so the two ways of writing tell themselves apart. */
function dayOf(raw: string): Day | undefined {
  if (!/^\d{8}$/.test(raw)) return undefined
  const day =
    raw.startsWith('20') && Number(raw.slice(4, 6)) <= 12
      ? `${raw.slice(0, 4)}-${raw.slice(4, 6)}-${raw.slice(6)}`
      : `${raw.slice(4)}-${raw.slice(2, 4)}-${raw.slice(0, 2)}`
  return isDay(day) ? day : undefined
}
