import { allEvents } from '#kit/describe/event.ts'
import { allImplementations } from '#kit/server/contract/implement.ts'
import { plainSchema, type JsonSchema } from '#kit/server/openapi/schemas.ts'
import { isChosen } from '../schedule.ts'

/** A schema and all it may be instead, where it may be several things. */
const branchesOf = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(branchesOf),
]

const isOf = ({ type }: JsonSchema, kind: string): boolean =>
  type === kind || (Array.isArray(type) && type.includes(kind))

/** What says nothing about its values may hold anything. */
const isAnything = ({
  type,
  properties,
  items,
  anyOf,
  oneOf,
  allOf,
  enum: words,
  const: only,
}: JsonSchema): boolean =>
  !type && !properties && !items && !anyOf && !oneOf && !allOf && !words && only === undefined

/** Whether values of this schema can be held against words: a text, a number, a flag, or several of them. */
const isPlain = (schema: JsonSchema): boolean =>
  branchesOf(schema).some(
    (one) =>
      isAnything(one) ||
      one.enum !== undefined ||
      one.const !== undefined ||
      ['string', 'number', 'integer', 'boolean'].some((kind) => isOf(one, kind)) ||
      (isOf(one, 'array') && (one.items === undefined || isPlain(one.items))),
  )

const inside = (schema: JsonSchema, name: string): JsonSchema[] =>
  branchesOf(schema).flatMap((one) => {
    if (one.properties && Object.hasOwn(one.properties, name)) return [one.properties[name]!]
    if (isAnything(one) || one.additionalProperties === true) return [{}]
    return typeof one.additionalProperties === 'object' ? [one.additionalProperties] : []
  })

/** Whether the thing that a schema describes has such a field, as `passes` reads it: 'type', 'own.<id>'. */
export function hasField(schema: JsonSchema, path: string): boolean {
  const [name, inner] = path.split(/\.(.*)/) as [string, string?]
  const found = inside(schema, name)
  return (inner === undefined ? found : found.flatMap((one) => inside(one, inner))).some(isPlain)
}

const known = new Map<string, JsonSchema>()

/** The schema of the thing that a call answers. */
function thingOf(see: string): JsonSchema {
  const there = known.get(see)
  if (there) return there
  const endpoint = allImplementations().find((one) => one.endpoint.name === see)!.endpoint
  const made = plainSchema(endpoint.output, 'output')
  known.set(see, made)
  return made
}

/**
 * A field that no chosen event sends, of those that were named; undefined when each is sent by at least one.
 */
export function unknownField(names: readonly string[], events: readonly string[]): string | undefined {
  const sees = new Set(
    [...allEvents().values()].filter(({ name }) => isChosen(name, events)).map(({ see }) => see),
  )
  const things = [...sees].map(thingOf)
  return names.find((name) => !things.some((thing) => hasField(thing, name)))
}
