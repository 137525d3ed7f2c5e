import { z } from 'zod'
import type { Day } from '#domain/day.ts'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { tables } from './meanings.ts'
import { withSamples } from './samples.ts'

type Schema = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  pattern?: string
  minLength?: number
  maxLength?: number
  default?: unknown
  required?: string[]
  minItems?: number
}

const uuid = '0199f2a4-7c1e-7b3a-9d52-4f6a8c0e1b27'

/** The value of a field of this name in an example; a plain one where its schema does not accept it. */
const byName: [RegExp, unknown][] = [
  [/taxId$/i, '514713288'],
  [/(^id|Id)$/, uuid],
  [/(email|Email)$/, 'office@example.com'],
  [/(phone|Phone|mobile)$/i, '03-5550123'],
  [/(^at|At)$/, '2026-11-24T09:30:00.000Z'],
  [/(^day|Day|^date|Date|Until|From|To)$/, '2026-11-24'],
  [/^currency$/i, 'ILS'],
  [/^month$/, '2026-10'],
  [/^language$/, 'he'],
  [/(^url|Url)$/, 'https://example.com/'],
  [/^(name|customerName|supplierName|title|subject|fullName|by)$/, 'Blue Fig Hosting'],
  [/^(number|supplierNumber)$/, 2291],
  [/vatAgorot$/i, 2_610],
  [/(netAgorot|subtotalAgorot)$/i, 14_500],
  [/Agorot$/, 17_110],
  [/(price|Price)$/, '145'],
  [/^(quantity|amount)$/, '1'],
  [/^type$/, 8],
]

/** An example of what a schema describes, made from the schema itself, so that it is never another. */
export const exampleOf = (schema: z.ZodType): unknown =>
  made(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as Schema, '', 0)

function made(schema: Schema, name: string, depth: number): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const branch = schema.anyOf ?? schema.oneOf
  if (branch) return made(branch.find((one) => one.type !== 'null') ?? branch[0]!, name, depth)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => made(one, name, depth)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  const guess = byName.find(([pattern]) => pattern.test(name))?.[1]
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, made(inner, key, depth + 1)]),
      )
    case 'array':
      return schema.prefixItems
        ? schema.prefixItems.map((one) => made(one, name, depth + 1))
        : schema.items && depth < 4
          ? [made(schema.items, name, depth + 1)]
          : []
    case 'boolean':
      return false
    case 'integer':
    case 'number':
      return within(schema, typeof guess === 'number' ? guess : 1)
    case 'string':
      return textOf(schema, guess)
    case undefined:
      return guess ?? null
    default:
      return null
  }
}

const within = (
  { minimum = -Infinity, maximum = Infinity, exclusiveMinimum }: Schema,
  guess: number,
): number =>
  Math.min(
    Math.max(guess, minimum, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1),
    maximum,
  )

const plain: Record<string, string> = {
  uuid,
  date: '2026-11-24',
  'date-time': '2026-11-24T09:30:00.000Z',
  email: 'office@example.com',
  uri: 'https://example.com/',
}

/** Texts for patterns that nothing plainer fits: times, months, digits of a code, versions, hosts, paths, long keys. */
const ofPatterns = [
  '10:00',
  '2026-10',
  '1234',
  '123456',
  '1.0.0',
  'example.com',
  '/invoice',
  'b3f0c61d9a7e4852b3f0c61d9a7e4852',
]

function textOf({ format, pattern, minLength = 0, maxLength = Infinity }: Schema, guess: unknown): string {
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
  const wanted = [
    typeof guess === 'number' ? String(guess) : guess,
    format ? plain[format] : undefined,
    'text',
    '1',
    '2026-11-24',
    '000',
    ...ofPatterns,
    '',
  ]
  return wanted.find((one): one is string => typeof one === 'string' && fits(one)) ?? 'text'
}

/**
 * What a program would send to a call on a day (today in Jerusalem by default): what somebody wrote, filled up with what
 * its schema asks for and nothing more.
 */
export function exampleFor(endpoint: Endpoint, today?: Day): Record<string, unknown> {
  const schema = schemaToSend(endpoint)
  const made = sent(schema, '', 0) as Record<string, unknown>
  const written = tables().examples[endpoint.name] as Record<string, unknown> | undefined
  const of = (example: Record<string, unknown>) =>
    withSamples(example, endpoint.name.split('.')[0]!, {
      placeholder: uuid,
      ...(today ? { today } : {}),
    }) as Record<string, unknown>
  if (!written) return of(mended(endpoint, made))
  const needed = (schema.required ?? []).filter((name) => !(name in written))
  return of({ ...Object.fromEntries(needed.map((name) => [name, made[name]])), ...written })
}

/** Values that rules take which no JSON schema tells of: a day, an address, digits of a number, a foreign currency. */
const ofRules = [
  '2026-11-24',
  'office@example.com',
  'USD',
  '123456789',
  '4580458045804580',
  'abcdefghijklmnopqrstuvwx23',
  uuid,
  ...ofPatterns,
]

/** An example whose texts its call takes: each one that is refused gives way to the first that is not. */
function mended({ input }: Endpoint, example: Record<string, unknown>): Record<string, unknown> {
  const issues = (of: unknown) => input.safeParse(of).error?.issues ?? []
  let best = example
  for (const { path } of issues(example)) {
    const at = path.join('.')
    for (const value of ofRules) {
      const tried = replaced(best, path, value)
      if (tried === undefined || issues(tried).some((one) => one.path.join('.') === at)) continue
      best = tried as Record<string, unknown>
      break
    }
  }
  return best
}

/** A copy with another text at a path; undefined where no text is there. */
function replaced(of: unknown, [name, ...rest]: readonly PropertyKey[], value: string): unknown {
  if (name === undefined) return typeof of === 'string' ? value : undefined
  if (of === null || typeof of !== 'object') return undefined
  const inner = replaced((of as Record<PropertyKey, unknown>)[name], rest, value)
  if (inner === undefined) return undefined
  return Array.isArray(of)
    ? of.map((one: unknown, at) => (at === name ? inner : one))
    : { ...of, [name]: inner }
}

const schemaToSend = ({ input }: Endpoint): Schema =>
  z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema

/** As `made`, with the needed fields alone; where none is needed, the first few that say something. */
function sent(schema: Schema, name: string, depth: number): unknown {
  const branch = schema.anyOf ?? schema.oneOf
  if (branch) return sent(branch.find((one) => one.type !== 'null') ?? branch[0]!, name, depth)
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'array' && schema.items)
    return (schema.minItems ?? 0) > 0 || depth < 2
      ? Array.from({ length: schema.minItems || 1 }, () => sent(schema.items!, name, depth + 1))
      : []
  if (type !== 'object' || !schema.properties) return made(schema, name, depth)
  const needed = new Set(schema.required ?? [])
  const all = Object.entries(schema.properties)
  const chosen = needed.size ? all.filter(([key]) => needed.has(key)) : depth === 0 ? all.slice(0, 1) : []
  return Object.fromEntries(chosen.map(([key, inner]) => [key, sent(inner, key, depth + 1)]))
}
