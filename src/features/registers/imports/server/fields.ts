import { can } from '#kit/describe/session.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import type { Field, Fields } from '#kit/fields/field.ts'
import { schemaOf } from '#kit/fields/schema.ts'
import type { Ctx } from '#kit/server/context.ts'
import {
  allGroupedImports,
  groupedImportNamed,
  type GroupedImport,
} from '#kit/server/described/groupedImports.ts'
import { allServed, servedFor, type MoreInput, type ServedResource } from '#kit/server/described/resources.ts'
import { languages, say, wordsOf } from '#kit/server/words.ts'
import type { ImportField } from '../endpoints.ts'
import { currencyWords, languageWords, valueWords } from './synonyms.ts'

/**
 * A field of a register as a file may bring it: described, or one that only the business knows (`own:<id>`).
 */
export interface Target {
  name: string
  title: string
  field: Field
  /** Its heads in all languages. */
  heads: string[]
  put?: MoreInput['put']
  schema: ReturnType<typeof schemaOf>
}

const takes = (source: ServedResource): boolean =>
  (!source.verbs || (source.verbs.includes('create') && source.verbs.includes('change'))) &&
  source.resource.form.length > 0

/** A register whose rows are records, or one with a separate command that creates a record from several rows. */
export type Importable = ServedResource & Partial<GroupedImport>

/** What makes records of several rows; nothing where each row is a record. */
export const grouped = (source: Importable): GroupedImport | undefined =>
  source.make ? (source as GroupedImport) : undefined

/** The registers this caller may bring in from files. */
export const importables = (ctx: Ctx): Importable[] =>
  [...allServed().filter(takes), ...allGroupedImports()].filter(
    ({ resource }) => can(ctx.caller, resource.allow.change) && can(ctx.caller, resource.allow.see),
  )

/** What serves a register, when this caller may change it; with `make` what is made of several rows. */
export function importableNamed(ctx: Ctx, name: string): Importable {
  const source: Importable | undefined = groupedImportNamed(name) ?? servedFor(ctx, name)
  if (!source || !takes(source)) throw fail('imports.notImportable')
  const { see, change } = source.resource.allow
  const lacking = [change, see].find((rule) => !can(ctx.caller, rule))
  if (lacking !== undefined) throw forbidden({ rule: lacking })
  return source
}

/** Every field a file may fill, in the order of the form. */
export async function targetsOf(ctx: Ctx, source: ServedResource): Promise<Target[]> {
  const { resource } = source
  const fields = resource.fields as Fields
  const ordered = [
    ...new Set([...resource.form.flatMap((section) => section.fields as string[]), ...Object.keys(fields)]),
  ]
  const described = ordered.flatMap((name): Target[] => {
    const field = fields[name]
    if (!field || field.computed || field.kind === 'own') return []
    const key = `${resource.name}.fields.${name}`
    return [
      {
        name,
        title: say(ctx.caller.language, key),
        field,
        heads: [
          name,
          ...languages.flatMap((language) => [
            wordsOf(language)[key],
            wordsOf(language)[`${resource.name}.columns.${name}`],
          ]),
        ].flatMap((word) => (word ? [word] : [])),
        schema: schemaOf(field),
      },
    ]
  })
  const more = (await source.moreInputs?.(ctx)) ?? []
  return [
    ...described,
    ...more.map(({ key, title, field, put }): Target => ({
      name: `own:${key}`,
      title,
      field,
      heads: [title],
      put,
      schema: schemaOf(field),
    })),
  ]
}

/** Words for each stored value of a field with few values, in the caller's language first. */
export function choicesOf(
  resource: string,
  name: string,
  field: Field,
): { value: string; words: string[] }[] {
  if (field.kind === 'language')
    return Object.entries(languageWords).map(([value, words]) => ({ value, words: [...words] }))
  if (field.kind === 'currency')
    return Object.entries(currencyWords).map(([value, words]) => ({ value, words: [...words] }))
  if (field.kind !== 'choice') return []
  const base = field.words ?? `${resource}.${name}`
  return (field.of ?? []).map((value) => ({
    value,
    words: [
      value,
      ...languages.flatMap((language) => wordsOf(language)[`${base}.${value}`] ?? []),
      ...(valueWords[name]?.[value] ?? []),
    ],
  }))
}

export const fieldsFor = (ctx: Ctx, source: ServedResource, targets: Target[]): ImportField[] =>
  targets.map(({ name, title, field }) => {
    const base = field.words ?? `${source.resource.name}.${name}`
    const choices =
      field.kind === 'choice' && !name.startsWith('own:')
        ? (field.of ?? []).map((value) => say(ctx.caller.language, `${base}.${value}`))
        : undefined
    return {
      name,
      title,
      kind: field.kind,
      need: field.need === true && field.start === undefined,
      unique: ((source.resource.unique ?? []) as string[]).includes(name),
      ...(choices ? { choices } : {}),
    }
  })

/** Figures, marks and remarks tell nothing about which record it is. */
const telling = new Set(['text', 'choice', 'ref', 'quantity', 'day', 'taxId'])

/**
 * How a record is known again: by a field no two may share; where it has none, by its name (and whose it is);
 * and where its name is worked out or none, by all that tells it from others.
 */
export function identityOf(source: ServedResource): { unique: string[]; together: string[] } {
  const { resource } = source
  if (source.rowsAreNew) return { unique: [], together: [] }
  const fields = resource.fields as Fields
  const unique = (resource.unique ?? []) as string[]
  const title = resource.title as string
  const own = Object.keys(fields).filter((name) => !fields[name]!.computed)
  const parents = own.filter((name) => fields[name]!.kind === 'ref' && fields[name]!.need)
  const isNamed = own.includes(title) && fields[title]!.kind === 'text'
  return {
    unique,
    together: isNamed ? [...parents, title] : own.filter((name) => telling.has(fields[name]!.kind)),
  }
}

/** The fields by which a person may have records known, one at a time. */
export function keyFields(source: Importable): string[] {
  if (source.make) return []
  const { unique, together } = identityOf(source)
  const title = source.resource.title as string
  return [...new Set([...unique, ...(together.includes(title) ? [title] : [])])]
}
