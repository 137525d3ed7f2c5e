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
  if (made.allOf) made.allOf = made.allOf.map((one) => tidy(one, io))
  if (made.prefixItems) {
    // Generators and linters know arrays of one kind of item; the length says the rest.
    const items = new Map(made.prefixItems.map((one) => [JSON.stringify(one), tidy(one, io)]))
    made.minItems = made.maxItems = made.prefixItems.length
    made.items = items.size === 1 ? [...items.values()][0]! : { anyOf: [...items.values()] }
    delete made.prefixItems
  }
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

/** A list of values as long as this is written once, under a name. */
const longEnum = 160

/** What tells the variants of a value apart in their names: the constant that each one has. */
const variantName = (schema: JsonSchema, at: number): string => {
  const told = Object.values(schema.properties ?? {}).find(
    (one) => typeof one.const === 'string' || (one.enum?.length === 1 && typeof one.enum[0] === 'string'),
  )
  return told ? pascal(String(told.const ?? told.enum![0])) : `Variant${'ABCDEFGHIJKLMNOP'.charAt(at)}`
}

interface Named {
  schema: JsonSchema
  /** The tag of the calls it belongs to. */
  group: string
  isAnswer: boolean
  /** Calls point at it themselves. */
  isWhole: boolean
  /** Its place has the name of another schema: where it is written out, generators would give both one name. */
  isRenamed: boolean
}

/** Whether a text says no more than the name beside it: `dueDate`, "Due date". */
export const isSaidByName = (text: string, name: string): boolean =>
  text.toLowerCase().replace(/[^a-z\d]/g, '') === name.toLowerCase()

/** Fields that every page of a list has, written once. */
const pageFields = ['nextCursor', 'nextSince', 'total', 'pages', 'page', 'size']

/** A field as it is, for comparison: its name, its schema and whether it is always there. */
const fieldKey = ({ required = [] }: JsonSchema, [name, schema]: [string, JsonSchema]): string =>
  `${name}${required.includes(name) ? '!' : '?'}${JSON.stringify(schema)}`

/**
 * The named schemas of a document. An object is written once, under the name of the call that has it first; what is
 * exactly the same elsewhere points there. Fields are written where they are, so that no schema is named for its place.
 */
export class SchemaBook {
  private readonly byText = new Map<string, string>()
  private readonly named = new Map<string, Named>()

  /** `wanted`: names that inputs and answers of calls will have, which nothing inside them takes. */
  constructor(private readonly wanted: ReadonlySet<string> = new Set()) {}

  /** Lays a schema in, and every object inside it; answers what points at it. `names`: the first that is free is its name. */
  lay(schema: JsonSchema, names: readonly string[], group: string, isAnswer: boolean): JsonSchema {
    const inner = this.inside(schema, names[0]!, group, isAnswer)
    return isNamed(inner) ? refTo(this.nameOf(inner, names, group, isAnswer, true)) : inner
  }

  private part(schema: JsonSchema, name: string, group: string, isAnswer: boolean): JsonSchema {
    const inner = this.inside(schema, name, group, isAnswer)
    return isNamed(inner) ? refTo(this.nameOf(inner, [name], group, isAnswer, false)) : inner
  }

  private inside(schema: JsonSchema, name: string, group: string, isAnswer: boolean): JsonSchema {
    const made: JsonSchema = { ...schema }
    const part = (one: JsonSchema, inner: string) => this.part(one, inner, group, isAnswer)
    if (made.properties)
      made.properties = Object.fromEntries(
        Object.entries(made.properties).map(([key, inner]) => [key, part(inner, `${name}${pascal(key)}`)]),
      )
    if (made.items) made.items = part(made.items, name.endsWith('s') ? singular(name) : `${name}Item`)
    if (typeof made.additionalProperties === 'object')
      made.additionalProperties = part(made.additionalProperties, `${name}Value`)
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
      if (made[key]) {
        const all = made[key]
        made[key] = all.map((one, i) =>
          part(one, all.filter(isNamed).length > 1 ? `${name}${variantName(one, i)}` : name),
        )
      }
    return made
  }

  private nameOf(
    schema: JsonSchema,
    names: readonly string[],
    group: string,
    isAnswer: boolean,
    isWhole: boolean,
  ): string {
    const text = JSON.stringify(schema)
    const there = this.byText.get(text)
    if (there) {
      if (isWhole) this.named.get(there)!.isWhole = true
      return there
    }
    const isDone = Object.keys(schema.properties!).join() === 'done'
    const isFree = (name: string) => !this.named.has(name) && (isWhole || !this.wanted.has(name))
    const name =
      [
        ...(isDone ? ['Done'] : []),
        ...names,
        ...['Part', 'Detail', 'Extra'].map((end) => `${names.at(-1)}${end}`),
      ].find(isFree) ?? this.numbered(names.at(-1)!)
    this.byText.set(text, name)
    this.named.set(name, { schema, group, isAnswer, isWhole, isRenamed: name !== names[0] })
    return name
  }

  private numbered(name: string): string {
    for (let n = 2; ; n++) if (!this.named.has(`${name}${n}`)) return `${name}${n}`
  }

  /** Writes an object that only one place uses at that place. */
  private inlined(): Map<string, Named> {
    const uses = new Map<string, number>()
    for (const { schema } of this.named.values())
      for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
        uses.set(name!, (uses.get(name!) ?? 0) + 1)
    const isInline = (name: string) => {
      const { isWhole, isRenamed } = this.named.get(name)!
      return uses.get(name) === 1 && !isWhole && !isRenamed
    }
    const filled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(filled)
      if (value === null || typeof value !== 'object') return value
      const name = '$ref' in value && String(value.$ref).split('/').at(-1)!
      if (name && isInline(name)) return filled(this.named.get(name)!.schema)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]))
    }
    return new Map(
      [...this.named]
        .filter(([name]) => !isInline(name))
        .map(([name, one]) => [name, { ...one, schema: filled(one.schema) as JsonSchema }]),
    )
  }

  /** An answer that has all fields of another one of its group, and more, points there for them. */
  private composed(named: Map<string, Named>): Map<string, Named> {
    const pages = [...named.values()].filter(
      ({ schema }) => schema.properties?.rows && schema.properties.nextCursor,
    )
    if (pages.length > 9 && !named.has('Page')) {
      // Of each field the form that most pages have; the few that differ keep their own.
      const shared = pageFields.flatMap((name) => {
        const forms = new Map<string, number>()
        for (const { schema } of pages)
          if (schema.properties![name]) {
            const form = JSON.stringify([schema.properties![name], schema.required?.includes(name) ?? false])
            forms.set(form, (forms.get(form) ?? 0) + 1)
          }
        const [form, uses = 0] = [...forms].toSorted(([, a], [, b]) => b - a)[0] ?? []
        return form && uses > pages.length / 2
          ? [[name, ...(JSON.parse(form) as [JsonSchema, boolean])] as const]
          : []
      })
      named.set('Page', {
        schema: {
          type: 'object',
          properties: Object.fromEntries(shared.map(([name, schema]) => [name, schema])),
          required: shared.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
        },
        group: '',
        isAnswer: true,
        isWhole: true,
        isRenamed: false,
      })
    }
    const all = [...named]
      .filter(
        ([, { schema, isAnswer }]) =>
          isAnswer && schema.properties && schema.additionalProperties === undefined,
      )
      .map(([name, one]) => ({
        name,
        ...one,
        fields: new Set(Object.entries(one.schema.properties!).map((field) => fieldKey(one.schema, field))),
      }))
    const made = new Map(named)
    for (const one of all) {
      const bases = all.filter(
        (base) =>
          base !== one &&
          (base.group === one.group || base.group === '') &&
          base.fields.size >= 3 &&
          base.fields.size < one.fields.size &&
          [...base.fields].every((field) => one.fields.has(field)),
      )
      const weight = ({ fields }: (typeof all)[number]) => [...fields].join('').length
      const base = bases.toSorted((a, b) => weight(b) - weight(a))[0]
      if (!base || weight(base) < 200) continue
      const inBase = new Set(Object.keys(base.schema.properties!))
      const { properties = {}, required = [], type, ...rest } = one.schema
      const left = required.filter((name) => !inBase.has(name))
      made.set(one.name, {
        ...named.get(one.name)!,
        schema: {
          ...rest,
          allOf: [
            refTo(base.name),
            {
              type,
              properties: Object.fromEntries(
                Object.entries(properties).filter(([name]) => !inBase.has(name)),
              ),
              ...(left.length ? { required: left } : {}),
            },
          ],
        },
      })
    }
    if (![...made.values()].some(({ schema }) => schema.allOf?.[0]?.$ref === refTo('Page').$ref))
      made.delete('Page')
    return made
  }

  /**
   * Everything that was laid in. What a field means is said once in the answers of a group, at the record that comes
   * first: its rows and copies carry the same field under the same name. A long list of values is written once too.
   */
  all(): Record<string, JsonSchema> {
    const named = this.composed(this.inlined())
    const said = new Set<string>()
    const lists = new Map<string, { name: string; count: number }>()
    const valuesOf = (schema: JsonSchema): string | undefined => {
      const text = schema.enum && JSON.stringify(schema.enum)
      return text && text.length >= longEnum ? text : undefined
    }
    const walk = (
      schema: JsonSchema,
      name: string,
      visit: (one: JsonSchema, name: string) => JsonSchema,
    ): JsonSchema => {
      const made = visit({ ...schema }, name)
      if (made.$ref) return made
      if (made.properties)
        made.properties = Object.fromEntries(
          Object.entries(made.properties).map(([key, inner]) => [key, walk(inner, key, visit)]),
        )
      if (made.items) made.items = walk(made.items, singular(name), visit)
      if (typeof made.additionalProperties === 'object')
        made.additionalProperties = walk(made.additionalProperties, name, visit)
      for (const key of ['anyOf', 'oneOf', 'allOf'] as const)
        if (made[key]) made[key] = made[key].map((one) => walk(one, name, visit))
      return made
    }
    for (const [title, { schema }] of named)
      walk(schema, title, (one, name) => {
        const text = valuesOf(one)
        if (text) {
          const found = lists.get(text) ?? { name: pascal(name), count: 0 }
          found.count++
          lists.set(text, found)
        }
        return one
      })
    const enums: Record<string, JsonSchema> = {}
    const taken = new Set(named.keys())
    const nameOfList = new Map<string, string>()
    return {
      ...Object.fromEntries(
        [...named].map(([title, { schema, group, isAnswer }]) => [
          title,
          walk(schema, title, (one, name) => {
            const { description } = one
            if (description) {
              const key = `${isAnswer ? '' : `${group} `}${name} ${description}`
              if (said.has(key) || isSaidByName(description, name)) delete one.description
              said.add(key)
            }
            const text = valuesOf(one)
            if (!text || lists.get(text)!.count < 2) return one
            let list = nameOfList.get(text)
            if (!list) {
              const names = [pascal(name), `${pascal(name)}Value`, `${title}${pascal(name)}`]
              list = names.find((free) => !taken.has(free)) ?? this.numbered(`${title}${pascal(name)}`)
              taken.add(list)
              nameOfList.set(text, list)
              enums[list] = { type: one.type, enum: one.enum }
            }
            const { description: about } = one
            return { ...refTo(list), ...(about ? { description: about } : {}) }
          }),
        ]),
      ),
      ...enums,
    }
  }
}

/**
 * Names that generators would give twice: many call the type of a field after its schema and its name, so that
 * `Class.groupName` and `ClassGroup.name` are one. The longer of the two schemas gets another name; old names as keys.
 */
export function namesApart(schemas: Record<string, JsonSchema>): Map<string, string> {
  const owners = new Map<string, string>()
  const renamed = new Map<string, string>()
  for (const [title, schema] of Object.entries(schemas))
    for (const part of [schema, ...(schema.allOf ?? [])])
      for (const name of Object.keys(part.properties ?? {})) {
        const key = `${title}${pascal(name)}`
        const other = owners.get(key)
        if (other === undefined || other === title) owners.set(key, title)
        else {
          const longer = other.length > title.length ? other : title
          renamed.set(longer, `${longer}Record`)
        }
      }
  return renamed
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
