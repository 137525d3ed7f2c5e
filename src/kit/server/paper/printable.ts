import { Failure, type FieldError } from '#kit/describe/errors.ts'
import { printableProblems } from './fonts.ts'

/**
 * An error at each text of `data`, however deep, with a character that no font of the paper has. Keys and places in
 * lists make the path of a field, as in the input of a call.
 */
export function unprintableIn(data: unknown, path = ''): FieldError[] {
  if (typeof data === 'string') {
    const characters = printableProblems(data)
    return characters.length
      ? [{ path, code: 'paper.unprintable', params: { characters: characters.slice(0, 5).join(' ') } }]
      : []
  }
  if (data === null || typeof data !== 'object' || data instanceof Uint8Array || data instanceof Date)
    return []
  return Object.entries(data).flatMap(([key, value]) => unprintableIn(value, path ? `${path}.${key}` : key))
}

/**
 * Refuses what a person is about to issue, sign or send for good where a character of it cannot be printed: the file
 * is sealed and could not be corrected. `fields` are shown whole: an error inside one is an error of the field.
 * Throws `kit.badInput` with `paper.unprintable` at each such field.
 */
export function refuseUnprintable(data: object, fields: readonly string[] = []): void {
  const errors = unprintableIn(data).map((one) => {
    const field = fields.find((name) => one.path.startsWith(`${name}.`))
    return field ? { ...one, path: field } : one
  })
  if (errors.length) throw new Failure('kit.badInput', {}, errors)
}
