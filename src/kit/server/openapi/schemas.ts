import { z } from 'zod'
import type { Endpoint } from '#kit/describe/endpoint.ts'
import { answerSchema } from '#kit/describe/answers.ts'
import { marksInput } from '#kit/fields/marks.ts'

/** A JSON Schema as it is in the document. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  description?: string
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  multipleOf?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
}

/** The schema of one side of a call, without what only repeats what the format or the type says already. */
export const plainSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema & {
    $schema?: string
  }
  return tidy(made, io)
}

/** What a call takes, with the marks of programs that the door takes for it. */
export function inputSchema({ input, marks, output, method, filters = [] }: Endpoint): JsonSchema {
  const plain = plainSchema(input, 'input')
  const made = filters.length
    ? {
        ...plain,
        properties: {
          ...Object.fromEntries(filters.map((name) => [name, { type: 'string', maxLength: 500 }])),
          ...plain.properties,
        },
      }
    : plain
  if (!marks) return made
  const own = plainSchema(marksInput, 'input').properties!
  const isList = method === 'GET' && output instanceof z.ZodObject && 'rows' in output.shape
  if (method === 'GET' && !isList) return made
  return {
    ...made,
    properties: {
      ...made.properties,
      ...(isList ? { externalId: { type: 'string', maxLength: 100 } } : own),
    },
  }
}

/** What a call answers, with the marks it tells programs. */
export const outputSchema = (endpoint: Endpoint): JsonSchema => plainSchema(answerSchema(endpoint), 'output')

/** Names of values that are whole numbers everywhere: agorot and hundredths of a percent. */
const isWhole = /(^a|A)gorot$|Bp$/

/** A whole number, also where it may be missing or is in a list. */
function whole(schema: JsonSchema): JsonSchema {
  const turned = (type: unknown) => (type === 'number' ? 'integer' : type)
  return {
    ...schema,
    ...(schema.type === undefined
      ? {}
      : { type: (Array.isArray(schema.type) ? schema.type.map(turned) : turned(schema.type)) as never }),
    ...(schema.items ? { items: whole(schema.items) } : {}),
    ...(schema.anyOf ? { anyOf: schema.anyOf.map(whole) } : {}),
  }
}

function tidy(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
  const made: JsonSchema = { ...schema }
  if (made.format) delete made.pattern
  if (made.maximum === Number.MAX_SAFE_INTEGER) delete made.maximum
  if (made.minimum === Number.MIN_SAFE_INTEGER) delete made.minimum
  // An answer may say more tomorrow: the person who reads it must bear that.
  if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties
  if (made.properties)
    made.properties = Object.fromEntries(
      Object.entries(made.properties).map(([name, inner]) => [
        name,
        isWhole.test(name) ? whole(tidy(inner, io)) : tidy(inner, io),
      ]),
    )
  if (made.items) made.items = tidy(made.items, io)
  if (typeof made.additionalProperties === 'object')
    made.additionalProperties = tidy(made.additionalProperties, io)
  if (made.propertyNames) delete made.propertyNames
  for (const key of ['prefixItems', 'allOf'] as const)
    if (made[key]) made[key] = made[key].map((one) => tidy(one, io))
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (!made[key]) continue
    made[key] = made[key].map((one) => tidy(one, io))
    const [first, second, ...more] = made[key]
    // 'this or nothing' is one type with null beside it.
    if (
      more.length === 0 &&
      first &&
      second?.type === 'null' &&
      typeof first.type === 'string' &&
      !first.enum &&
      first.const === undefined
    ) {
      delete made[key]
      const { description } = made
      Object.assign(made, first, { type: [first.type, 'null'] }, description ? { description } : {})
    }
  }
  return made
}

const isNamed = ({ properties }: JsonSchema): boolean => !!properties && Object.keys(properties).length > 0

const pascal = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** 'customers' -> 'Customer'; what has no plural stays. */
export const singular = (plural: string): string =>
  pascal(
    plural
      .replace(/ies$/, 'y')
      .replace(/(ss|x|ch|sh|tus)es$/, '$1')
      .replace(/(?<!s|u|i)s$/, ''),
  )

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/**
 * The named schemas of a document. An object is written once, under the name of the person who said it first; what
 * says exactly the same elsewhere points there.
 */
export class SchemaBook {
  private readonly byText = new Map<string, string>()
  private readonly named = new Map<string, JsonSchema>()

  /** Lays a schema in, and every object inside it; answers what points at it. */
  lay(schema: JsonSchema, name: string): JsonSchema {
    const inner = this.inside(schema, name)
    return isNamed(inner) ? refTo(this.nameOf(inner, name)) : inner
  }

  private inside(schema: JsonSchema, name: string): JsonSchema {
    const made: JsonSchema = { ...schema }
    if (made.properties)
      made.properties = Object.fromEntries(
        Object.entries(made.properties).map(([key, inner]) => [
          key,
          this.lay(inner, `${name}${pascal(key)}`),
        ]),
      )
    if (made.items) made.items = this.lay(made.items, name.endsWith('s') ? singular(name) : `${name}Item`)
    if (typeof made.additionalProperties === 'object')
      made.additionalProperties = this.lay(made.additionalProperties, `${name}Value`)
    for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
      if (made[key])
        made[key] = made[key].map((one, i) =>
          this.lay(one, made[key]!.filter(isNamed).length > 1 ? `${name}${i + 1}` : name),
        )
    return made
  }

  private nameOf(schema: JsonSchema, wanted: string): string {
    const text = JSON.stringify(schema)
    const there = this.byText.get(text)
    if (there) return there
    let name = wanted
    for (let n = 2; this.named.has(name); n++) name = `${wanted}${n}`
    this.byText.set(text, name)
    this.named.set(name, schema)
    return name
  }

  /** Everything that was laid in; a field that is said alike in several places is written once too. */
  all(): Record<string, JsonSchema> {
    const counts = new Map<string, number>()
    const each = (visit: (schema: JsonSchema, name: string) => JsonSchema) =>
      Object.fromEntries(
        [...this.named].map(([title, schema]) => [
          title,
          {
            ...schema,
            properties: Object.fromEntries(
              Object.entries(schema.properties!).map(([name, one]) => [name, visit(one, name)]),
            ),
          },
        ]),
      )
    const keyOf = (schema: JsonSchema, name: string) => `${name} ${JSON.stringify(schema)}`
    each((one, name) => (counts.set(keyOf(one, name), (counts.get(keyOf(one, name)) ?? 0) + 1), one))
    const fields = new Map<string, string>()
    const shared = new Map<string, JsonSchema>()
    const made = each((one, name) => {
      const key = keyOf(one, name)
      if (counts.get(key)! < 2 || JSON.stringify(one).length < 70) return one
      let title = fields.get(key)
      if (!title) {
        title = `${pascal(name)}Field`
        for (let n = 2; shared.has(title) || this.named.has(title); n++) title = `${pascal(name)}Field${n}`
        fields.set(key, title)
        shared.set(title, one)
      }
      return refTo(title)
    })
    return { ...made, ...Object.fromEntries(shared) }
  }
}

/**
 * A schema with what it points at laid in, as deep as it goes once: what points back at itself stays a
 * pointer.
 */
export function resolved(
  schema: JsonSchema,
  named: Record<string, JsonSchema>,
  above: readonly string[] = [],
): JsonSchema {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)!
    if (above.includes(name) || !named[name]) return schema
    const { $ref: _, ...beside } = schema
    return { ...resolved(named[name], named, [...above, name]), ...beside }
  }
  const into = (one: JsonSchema) => resolved(one, named, above)
  const made: JsonSchema = { ...schema }
  if (made.properties)
    made.properties = Object.fromEntries(
      Object.entries(made.properties).map(([key, inner]) => [key, into(inner)]),
    )
  if (made.items) made.items = into(made.items)
  if (typeof made.additionalProperties === 'object')
    made.additionalProperties = into(made.additionalProperties)
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (made[key]) made[key] = made[key].map(into)
  return made
}
