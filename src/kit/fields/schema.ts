import { isCurrency } from '#domain/currencies.ts'
import { z } from 'zod'
import { cleanText } from '#domain/cleanText.ts'
import { isDay } from '#domain/day.ts'
import { languageById, languageIds } from '#domain/languages.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { isTaxId } from '#domain/taxId.ts'
import type { Field, Fields } from './field.ts'

/** Messages of refused values are word keys: errors.fields.<code>. */
const code = (name: string) => ({ error: `fields.${name}` })

const decimal = z
  .union([z.string().max(24), z.number()])
  .transform(String)
  .refine((v) => parseDecimal4(v) !== undefined, code('decimal'))

/**
 * Text as people type it, ends trimmed. What nobody can see is out already: the door of the calls cleans
 * every text alike.
 */
const plain = (max: number) =>
  z
    .string(code('text'))
    .max(max, code('tooLong'))
    .transform((v) => cleanText(v).trim())

/** The raw body of a call that declares `upload`: a Blob or bytes to give, bytes to take. */
export const bytesValue = z
  .custom<Blob | Uint8Array>((v) => v instanceof Uint8Array, code('need'))
  .transform((v) => v as Uint8Array)

/** A body of whatever type as it came, with its headers. */
export interface RawBody {
  bytes: Uint8Array
  headers: Readonly<Record<string, string>>
}
export const rawValue = z
  .custom<RawBody | undefined>((v) => (v as RawBody | undefined)?.bytes instanceof Uint8Array, code('need'))
  .transform((v) => v as RawBody)

/** A body that was laid on the disk while the call lasts. */
export interface FileOnDisk {
  path: string
  size: number
  sha256: string
}
/** The raw body of a call that declares `upload` with `toFile`: a Blob or bytes to give, a file to take. */
export const fileValue = z
  .custom<Blob | Uint8Array | FileOnDisk>(
    (v) => typeof (v as FileOnDisk | undefined)?.path === 'string',
    code('need'),
  )
  .transform((v) => v as FileOnDisk)

/**
 * Far enough from the ends of the calendar that any reckoning with the day (a year more, the month's end, the
 * day after) stays in it.
 */
const isNear = (day: string): boolean => day >= '1900-01-01' && day <= '2999-12-31'
export const dayValue = z
  .string()
  .refine(isDay, { ...code('day'), abort: true })
  .refine(isNear, code('dayFar'))
  .meta({ format: 'date' })
/** 'YYYY-MM', in the same years. */
export const monthValue = z.string().regex(/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/, code('choice'))
export const emailValue = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, code('tooLong'))
  .pipe(z.email(code('email')))
export const phoneValue = z
  .string()
  .trim()
  .max(25, code('tooLong'))
  .regex(/^[+*]?[\d\s().-]{3,24}$/, code('phone'))
export const taxIdValue = z
  .string()
  .trim()
  .max(12)
  .refine(isTaxId, code('taxId'))
  .transform((v) => v.replace(/\D/g, '').padStart(9, '0'))
export const moneyValue = z.number().int(code('money')).safe(code('money'))
export const languageValue = z.enum(['he', 'en', 'ar', 'ru', 'fr'], code('choice'))
/** A language on its way in: by its code, or by the number that programs of other products know it under. */
export const languageInput = z.union(
  [
    languageValue,
    z
      .literal(Object.values(languageIds))
      .transform((id): z.output<typeof languageValue> => languageById(id)!),
  ],
  code('choice'),
)
export const currencyValue = z
  .string()
  .regex(/^[A-Z]{3}$/, code('currency'))
  .refine(isCurrency, code('currency'))

/** One of its words, or the number that stands for it. */
function choiceOf({ of = [], ids }: Field): z.ZodType {
  const word = z.enum(of as [string, ...string[]], code('choice'))
  if (!ids) return word
  const byId = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
  return z.union([word, z.literal([...byId.keys()]).transform((id) => byId.get(id)!)], code('choice'))
}

/** The schema one value must meet on its way into the server. */
export function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return plain(field.max ?? 200)
    case 'longText':
      return plain(field.max ?? 4000)
    case 'email':
      return emailValue
    case 'phone':
      return phoneValue
    case 'taxId':
      return taxIdValue
    case 'money':
      return moneyValue
    case 'price':
    case 'quantity':
      return decimal
    case 'percent':
    case 'number':
      return z.number().int(code('number')).safe(code('number'))
    case 'day':
      return dayValue
    case 'moment':
      return z.iso.datetime({ offset: true, ...code('moment') })
    case 'choice':
      return choiceOf(field)
    case 'flag':
      return z.boolean(code('flag'))
    case 'ref':
      return z.uuid(code('ref'))
    case 'language':
      return languageInput
    case 'currency':
      return currencyValue
    case 'tags':
      return z
        .array(
          plain(40).refine((v) => v !== '', code('need')),
          code('text'),
        )
        .max(20, code('tooMany'))
        .transform((given) => [...new Set(given)])
    case 'own':
      return z.record(z.uuid(), z.union([plain(2000), z.number(), z.boolean(), z.null()]))
    case 'color':
      return z
        .string()
        .toLowerCase()
        .regex(/^#[0-9a-f]{6}$/, code('color'))
  }
}

/** What may be sent to make a record: needed fields must be there and not empty, the others may be null. */
export function inputOf(fields: Fields, mode: 'create' | 'change'): z.ZodObject {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field.computed) continue
    const one = schemaOf(field)
    const value = field.need
      ? one.refine((v) => v !== '', code('need'))
      : z.preprocess((v) => (v === '' ? null : v), one.nullable())
    shape[name] = mode === 'create' && field.need && field.start === undefined ? value : value.optional()
  }
  return z.strictObject(shape)
}

/** What an answer holds for a field that has a value. */
export function answerOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'flag':
      return z.boolean()
    case 'money':
    case 'percent':
    case 'number':
      return z.number().int()
    case 'tags':
      return z.array(z.string())
    case 'own':
      return z.record(z.string(), z.any())
    default:
      return z.string()
  }
}

/** What an answer holds for one record: its fields, and what its description declares besides them. */
export function outputOf({
  fields,
  extra = {},
}: {
  fields: Fields
  extra?: Readonly<Record<string, z.ZodType>>
}): z.ZodObject {
  const shape: Record<string, z.ZodType> = { id: z.uuid() }
  for (const [name, field] of Object.entries(fields)) {
    shape[name] = answerOf(field).nullable()
    if (field.kind === 'ref') shape[`${name}Name`] = z.string().nullable()
  }
  return z.object({
    ...shape,
    ...extra,
    archivedAt: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
}
