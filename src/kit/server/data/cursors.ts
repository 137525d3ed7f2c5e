import { z } from 'zod'
import { isDay, type Day } from '#domain/day.ts'
import { failField } from '#kit/describe/errors.ts'

/*
 * Where the next page of a list begins, as it went out with the page before. What comes back may be anything:
 * it is read here, and refused at its field.
 */

const refused = (field: string): Error => failField(field, 'fields.text')
const isId = (text: unknown): text is string => z.uuid().safeParse(text).success

/** Moments as they go out, in years that a timestamp holds. */
const isMoment = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d(:?\d\d)?)$/.test(text) &&
  isDay(text.slice(0, 10)) &&
  !Number.isNaN(Date.parse(text))

/**
 * The moment and the id of the last row, from the newest to the oldest; later than everything for the first
 * page.
 */
export function momentCursor(cursor: string | undefined, field = 'cursor'): [at: string, id: string] {
  if (cursor === undefined) return ['9999-01-01T00:00:00Z', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  const [at = '', id, ...more] = cursor.split('|')
  if (more.length || !isMoment(at) || !isId(id)) throw refused(field)
  return [at, id]
}

/** The text of a cursor that travels packed. */
export const packed = (text: string): string => Buffer.from(text).toString('base64url')
export const unpacked = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()

/** The day and the id of the last row. */
export function dayCursor(cursor: string, by: ' ' | '_', field = 'cursor'): [day: Day, id: string] {
  const [day = '', id, ...more] = cursor.split(by)
  if (more.length || !isDay(day) || !isId(id)) throw refused(field)
  return [day, id]
}

/** The day, the entry and the line where a page of a card ends. */
export function lineCursor(cursor: string, field: string): [day: Day, entryId: string, line: number] {
  let read: unknown
  try {
    read = JSON.parse(unpacked(cursor))
  } catch {
    throw refused(field)
  }
  const [day, entry, line] = Array.isArray(read) ? (read as unknown[]) : []
  if (
    typeof day !== 'string' ||
    !isDay(day) ||
    !isId(entry) ||
    typeof line !== 'number' ||
    !Number.isInteger(line) ||
    Math.abs(line) > 32_767
  )
    throw refused(field)
  return [day, entry, line]
}
