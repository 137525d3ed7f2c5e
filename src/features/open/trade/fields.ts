/**
 * Fields of the calls that programs of this market know: declared once, read by the door, explained by the
 * guides. Such programs send a number as text, a flag as 0, a name in other letters (`CurrencyId`,
 * `CurrencyID`): what can only mean one thing is taken.
 */
interface Base {
  /** It must be sent. */
  need?: true
  /** Other names under which programs send it. */
  also?: readonly string[]
  /** What it is when it is not sent. */
  start?: string | number | boolean
  /** `trade.fields.<word>` says what it means; its own name when absent. */
  word?: string
}
export interface TextKind extends Base {
  kind: 'text'
  max: number
}
export interface NumberKind extends Base {
  /** whole: a whole number. decimal: kept as it was written, up to four places. */
  kind: 'whole' | 'decimal'
  least?: number
  most?: number
  choices?: readonly number[]
  /** What lies beyond the bounds becomes the bound: the sizes and numbers of pages. */
  clamp?: true
  /** Amounts that shops compute with floats have any number of places; the reader rounds them. */
  anyPlaces?: boolean
}
export interface FlagKind extends Base {
  kind: 'flag'
  /** An order, which programs also write as `asc` and `desc`. */
  order?: true
}
/** 'yyyy-MM-dd', with or without a time behind it, which is left out. */
export interface DayKind extends Base {
  kind: 'day'
}
/** A list of bare texts. */
export interface TextsKind extends Base {
  kind: 'texts'
  max: number
  most: number
}
export interface ManyKind extends Base {
  kind: 'list' | 'object'
  of: TradeFields
  most?: number
}
export type TradeField = TextKind | NumberKind | FlagKind | DayKind | TextsKind | ManyKind
export interface TradeFields {
  readonly [name: string]: TradeField
}

type One<F> = F extends { kind: 'text' | 'day' | 'decimal' }
  ? string
  : F extends { kind: 'whole' }
    ? number
    : F extends { kind: 'flag' }
      ? boolean
      : F extends { kind: 'texts' }
        ? string[]
        : F extends { kind: 'object'; of: infer O }
          ? Read<O>
          : F extends { kind: 'list'; of: infer O }
            ? Read<O>[]
            : never
/** What comes of reading fields. */
export type Read<F> = {
  [K in keyof F]: F[K] extends { need: true } | { start: string | number | boolean }
    ? One<F[K]>
    : One<F[K]> | undefined
}

export const text = <const M extends Partial<TextKind>>(more: M): M & { kind: 'text'; max: number } => ({
  kind: 'text',
  max: 200,
  ...more,
})
export const whole = <const M extends Omit<NumberKind, 'kind'>>(more: M): M & { kind: 'whole' } => ({
  kind: 'whole',
  ...more,
})
export const decimal = <const M extends Omit<NumberKind, 'kind'>>(more: M): M & { kind: 'decimal' } => ({
  kind: 'decimal',
  ...more,
})
export const flag = <const M extends Omit<FlagKind, 'kind'>>(more: M): M & { kind: 'flag' } => ({
  kind: 'flag',
  ...more,
})
export const day = <const M extends Base>(more: M): M & { kind: 'day' } => ({ kind: 'day', ...more })
export const texts = <const M extends Base & { max: number; most: number }>(
  more: M,
): M & { kind: 'texts' } => ({ kind: 'texts', ...more })
export const object = <const O extends TradeFields, const M extends Base>(
  of: O,
  more: M,
): M & { kind: 'object'; of: O } => ({
  kind: 'object',
  of,
  ...more,
})
export const list = <const O extends TradeFields, const M extends Base & { most?: number }>(
  of: O,
  more: M,
): M & { kind: 'list'; of: O } => ({
  kind: 'list',
  of,
  ...more,
})
