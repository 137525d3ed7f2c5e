/**
 * A field says what a value is: how it is parsed, stored, listed and exported. How it looks is in
 * kit/web/fields. The value type `T` is what travels in JSON: money is a whole number of agorot, a day is
 * 'YYYY-MM-DD'.
 */
export const fieldKinds = [
  'text',
  'longText',
  'email',
  'phone',
  'taxId',
  'money',
  'price',
  'quantity',
  'percent',
  'number',
  'day',
  'moment',
  'choice',
  'flag',
  'ref',
  'language',
  'currency',
  'color',
  'tags',
  'own',
] as const
export type FieldKind = (typeof fieldKinds)[number]

export interface FieldOptions {
  /** Must be given; everything else may be left empty. */
  need?: boolean
  /** Kept by the system (a balance, a count): shown, filtered and exported, never typed in. */
  computed?: boolean
  /** Longest text in characters. */
  max?: number
  /** The choices, as stored. */
  of?: readonly string[]
  /**
   * Numbers that programs of other products know the choices under; each may be sent in place of its word.
   */
  ids?: Readonly<Record<string, number>>
  /**
   * Where the words of the choices are, when not at `<resource>.<field>.<choice>` (`<report's
   * words>.<column>.<choice>`).
   */
  words?: string
  /** The resource a `ref` points to. */
  to?: string
  /** The column's name when it is not the field's name in snake case. */
  column?: string
  /** The value a new record starts with. */
  start?: string | number | boolean
  /** Money in the currency of the books, though its record has another currency. */
  inShekels?: boolean
  /** A right that seeing and setting it needs, besides the rights of its resource. */
  rule?: string
}

export interface Field<T = unknown, Need extends boolean = boolean> extends FieldOptions {
  kind: FieldKind
  need?: Need
  /** Carries the type only; there is no value at run time. */
  readonly type?: T
}

type Made<T, O extends FieldOptions | undefined> = Field<T, O extends { need: true } ? true : false> & {
  computed?: O extends { computed: true } ? true : false
}

const make =
  <T>(kind: FieldKind) =>
  <const O extends FieldOptions>(options?: O): Made<T, O> =>
    ({ kind, ...options }) as unknown as Made<T, O>

export const text = make<string>('text')
export const longText = make<string>('longText')
export const email = make<string>('email')
export const phone = make<string>('phone')
/** An Israeli identity, dealer or company number: nine digits with a check digit. */
export const taxId = make<string>('taxId')
/** Whole agorot. */
export const money = make<number>('money')
/** A unit price in units of the currency with up to four decimals, as text ('18.25'). */
export const price = make<string>('price')
/** An exact decimal with up to four places, as text ('12.3475'). @public */
export const quantity = make<string>('quantity')
/** Basis points: 1850 is 18.5%. */
export const percent = make<number>('percent')
/** A whole number. */
export const number = make<number>('number')
/** 'YYYY-MM-DD' in Asia/Jerusalem. */
export const day = make<string>('day')
/** ISO 8601 with zone. */
export const moment = make<string>('moment')
export const flag = make<boolean>('flag')
export const language = make<'he' | 'en' | 'ar' | 'ru' | 'fr'>('language')
/** ISO 4217. */
export const currency = make<string>('currency')
/** '#rrggbb'. */
export const color = make<string>('color')
/** A few short words of the business's own, kept as an array of texts. */
export const tags = make<string[]>('tags')
/** Values of fields that a business invents itself, by the id of the field; kept as one object. */
export const own = make<Record<string, string | number | boolean | null>>('own')

/** One of a few fixed words. */
export const choice = <const C extends readonly string[], const O extends FieldOptions>(
  of: C,
  options?: O,
): Made<C[number], O> => ({ kind: 'choice', of, ...options }) as unknown as Made<C[number], O>

/** The id of a record of another resource. */
export const ref = <const O extends FieldOptions>(to: string, options?: O): Made<string, O> =>
  ({ kind: 'ref', to, ...options }) as unknown as Made<string, O>

export type Fields = Record<string, Field<any, boolean>>

export type ValueOf<F> = F extends { readonly type?: infer T } ? Exclude<T, undefined> : never

/** `taxId` is kept in the column `tax_id`. */
export const columnOf = (name: string, field: Field): string =>
  field.column ?? name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** Kinds whose cells stand physically right and whose columns may be totalled. */
export const isAmount = (field: Field): boolean =>
  ['money', 'price', 'quantity', 'percent', 'number'].includes(field.kind)
