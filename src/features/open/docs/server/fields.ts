import type { JsonSchema } from '#kit/server/openapi/schemas.ts'
import type { DocField } from '../endpoints.ts'

type Kind = DocField['kind']

const typesOf = ({ type }: JsonSchema): string[] => (Array.isArray(type) ? type : type ? [type] : [])

const byFormat: Record<string, Kind> = {
  uuid: 'id',
  date: 'day',
  'date-time': 'moment',
  email: 'email',
  uri: 'address',
  binary: 'file',
}

/** What a value is; its name says what its type cannot: amounts are agorot, shares are basis points. */
function kindOf(schema: JsonSchema, name: string): Kind {
  const branches = (schema.anyOf ?? schema.oneOf ?? []).filter(
    (one) => (!typesOf(one).includes('null') || typesOf(one).length > 1) && !isEmptyText(one),
  )
  if (branches.length) {
    const kinds = new Set(branches.flatMap(typesOf))
    if (branches.every((one) => one.const !== undefined || one.enum)) return 'choice'
    if (kinds.has('string') && (kinds.has('number') || kinds.has('integer'))) return 'decimal'
    return kindOf(branches[0]!, name)
  }
  if (schema.enum || schema.const !== undefined) return 'choice'
  if (schema.format && byFormat[schema.format]) return byFormat[schema.format]!
  const [type] = typesOf(schema).filter((one) => one !== 'null')
  if (/(Agorot|^agorot)$/.test(name) && type !== 'array' && type !== 'object') return 'agorot'
  switch (type) {
    case 'integer':
      return /(Bp|basisPoints)$/.test(name) ? 'basisPoints' : 'whole'
    case 'number':
      return /(Bp|basisPoints)$/.test(name) ? 'basisPoints' : 'number'
    case 'boolean':
      return 'yesNo'
    case 'array':
      return 'list'
    case 'object':
      return schema.properties ? 'object' : 'map'
    case 'string':
      if (/(^|[a-z])(price|quantity|Price|Quantity)$/.test(name)) return 'decimal'
      if (/(^date|Date|^day|Day|^from|^to|On)$/.test(name) && !schema.enum)
        return schema.pattern?.includes('(0[1-9]|1[0-2])$') ? 'month' : 'day'
      if (name.endsWith('At')) return 'moment'
      return 'text'
    default:
      return 'any'
  }
}

/** What may be left empty is of the kind of its other values. */
const isEmptyText = (schema: JsonSchema): boolean => schema.const === '' || schema.enum?.join() === ''

/** The words and numbers that a value is one of, however deep its alternatives are. */
const wordsIn = ({ enum: words = [], const: only, anyOf = [], oneOf = [] }: JsonSchema): unknown[] => [
  ...words,
  ...(only === undefined ? [] : [only]),
  ...[...anyOf, ...oneOf].flatMap(wordsIn),
]

const choicesOf = (schema: JsonSchema): DocField['choices'] => {
  const plain = wordsIn(schema).filter((one): one is string | number | boolean =>
    ['string', 'number', 'boolean'].includes(typeof one),
  )
  return plain.some((one) => one !== '') ? plain : undefined
}

const isNullable = (schema: JsonSchema): boolean =>
  typesOf(schema).includes('null') ||
  [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some((one) => typesOf(one).includes('null'))

/** Deeper is looked up in the answer itself. */
const deepest = 4
const mostFields = 400

/** Every field a schema has, as far down as a reader follows: 'lines[].unitPrice'. */
export function fieldsOf(schema: JsonSchema): DocField[] {
  const found: DocField[] = []
  walk(schema, '', 0, found)
  return found.slice(0, mostFields)
}

function walk(schema: JsonSchema, at: string, depth: number, found: DocField[]): void {
  if (depth > deepest) return
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const path = `${at}${name}`
    const kind = kindOf(inner, name)
    const one = branchOf(inner)
    const limits = one.properties || one.items ? inner : { ...one, ...inner }
    found.push({
      path,
      kind,
      ...(kind === 'list' && one.items ? { of: kindOf(one.items, name) } : {}),
      need: schema.required?.includes(name) ?? false,
      mayBeNull: isNullable(inner),
      meaning: inner.description ?? '',
      ...(choicesOf(kind === 'list' && one.items ? one.items : inner)
        ? { choices: choicesOf(kind === 'list' && one.items ? one.items : inner)! }
        : {}),
      ...(limits.minimum !== undefined ? { least: limits.minimum } : {}),
      ...(limits.maximum !== undefined ? { most: limits.maximum } : {}),
      ...(limits.maxLength !== undefined ? { longest: limits.maxLength } : {}),
      ...(one.maxItems !== undefined ? { mostRows: one.maxItems } : {}),
      ...(['string', 'number', 'boolean'].includes(typeof inner.default)
        ? { start: inner.default as string }
        : {}),
    })
    for (const branch of [one, ...(inner.anyOf ?? []).filter((other) => other !== one && other.properties)]) {
      if (branch.properties) walk(branch, `${path}.`, depth + 1, found)
      if (branch.items?.properties) walk(branch.items, `${path}[].`, depth + 1, found)
      else if (branch.items) walk(branchOf(branch.items), `${path}[].`, depth + 1, found)
      if (typeof branch.additionalProperties === 'object' && branch.additionalProperties.properties)
        walk(branch.additionalProperties, `${path}.*.`, depth + 1, found)
    }
  }
}

/** What a value is when it is there. */
const branchOf = (schema: JsonSchema): JsonSchema =>
  (schema.anyOf ?? schema.oneOf)?.find((one) => !typesOf(one).includes('null') && !isEmptyText(one)) ?? schema
