import { cleanText } from '#domain/cleanText.ts'
import { failField } from '#kit/describe/errors.ts'
import { mostDepth, mostNames } from './largeBodies.ts'

/**
 * An input as it is judged and kept, whether it stood in the path, the query or the body: one treatment at
 * the one door, so that no field needs to think of it. Refused is only what nests beyond reason.
 */
export function cleanInput(value: unknown, depth = 0, path = ''): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  if (depth > mostDepth) throw failField(path, 'fields.tooDeep')
  if (Array.isArray(value)) return value.map((one) => cleanInput(one, depth + 1, path))
  const proto: unknown = Object.getPrototypeOf(value)
  // What is more than data, such as a body laid on the disk, is ours.
  if (proto !== Object.prototype && proto !== null) return value
  const names = Object.keys(value)
  if (names.length > mostNames) throw failField(path, 'fields.tooMany')
  // A name such as '__proto__' is a name like any other here.
  return Object.fromEntries(
    names.map((key) => [
      cleanText(key),
      cleanInput((value as Record<string, unknown>)[key], depth + 1, path || key.slice(0, 60)),
    ]),
  )
}
