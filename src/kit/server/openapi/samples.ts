import { createHash } from 'node:crypto'
import { shifted } from '#domain/bankDays.ts'
import { addDays, dayInJerusalem, type Day } from '#domain/day.ts'
import { tables } from './meanings.ts'

/**
 * The id that a record of a test business has and that examples print: it follows from the name of the record, so that
 * every test business begins with the same ones.
 */
export function sampleId(record: string): string {
  const hash = createHash('sha256').update(record).digest('hex')
  return `0199f2a4-7c1e-7${hash.slice(0, 3)}-9${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** Names of records by the field that points to one: a field of a group of calls, or of any call. */
const recordOf = (tag: string, field: string): string | undefined => {
  const { fields } = tables().samples
  return fields[`${tag}.${field}`] ?? fields[field] ?? (field === 'id' || field === 'ids' ? tag : undefined)
}

/**
 * A value of an example with the ids and days of a test business: "@documents" is the id of that record, "@today+7" a day and
 * "@bankDay+7" the first day of banks from then on; `placeholder` becomes the id of the record that its field points to.
 */
export function withSamples(
  value: unknown,
  tag: string,
  { today = dayInJerusalem(new Date()), placeholder }: { today?: Day; placeholder?: string } = {},
  field = 'id',
): unknown {
  if (typeof value === 'string') {
    if (value === placeholder) return sampleId(recordOf(tag, field) ?? field.replace(/Ids?$/, ''))
    return value.includes('@') ? filled(value, today) : value
  }
  const of = { today, ...(placeholder ? { placeholder } : {}) }
  if (Array.isArray(value)) return value.map((one) => withSamples(one, tag, of, field))
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withSamples(inner, tag, of, name)]),
  )
}

const filled = (text: string, today: Day): string =>
  text
    .replace(/^@today([+-]\d+)?/, (_, by?: string) => addDays(today, Number(by ?? 0)))
    .replace(/^@bankDay([+-]\d+)?/, (_, by?: string) => shifted(addDays(today, Number(by ?? 0)), 'next'))
    .replace(/^@month/, () => today.slice(0, 7))
    .replace(/^@([a-z][\w.]*)/i, (_, record: string) => sampleId(record))
