import { normaliseTaxId } from '#domain/taxId.ts'
import { parseDay } from '#domain/day.ts'
import { fold } from '#domain/fold.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { hundredths, plainFigure } from '#domain/writtenFigure.ts'
import type { Params } from '#kit/describe/errors.ts'
import { unharmed } from '#kit/server/described/exports/table.ts'
import { choicesOf, type Target } from './fields.ts'
import { noWords, yesWords } from './synonyms.ts'

/** The value a cell means, or why it means none. `empty`: nothing was said, and what is there stays. */
export type Meaning =
  | { value: unknown }
  | { empty: true }
  | { code: string; params?: Params }
  | { refer: string }

const yes = new Set(yesWords.map(fold))
const no = new Set(noWords.map((word) => fold(word) || word))

/** Signs that steer direction are in many files of other programs and mean nothing here. */
const bare = (cell: string): string =>
  cell.replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '').trim()

/** A spreadsheet takes the leading zero off a telephone number: no Israeli number is without one. */
const withZero = (text: string): string =>
  /^(?:[23489]\d{7}|[57]\d{8})$/.test(text.replace(/[\s-]/g, '')) ? `0${text}` : text

/** Nothing, in the words of other programs. */
const nothing = new Set(['', 'null', 'n/a', '#n/a', 'none', 'nan', 'undefined'])

export function makeReader(resource: string, targets: Target[]): (target: Target, cell: string) => Meaning {
  const choices = new Map(
    targets.map((target) => [
      target.name,
      new Map(
        choicesOf(resource, target.name, target.field).flatMap(({ value, words }) =>
          words.map((word) => [fold(word) || word, value]),
        ),
      ),
    ]),
  )
  const said = (target: Target, value: unknown): Meaning => {
    const parsed = target.schema.safeParse(value)
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!
      const max = issue.code === 'too_big' ? { params: { max: Number(issue.maximum) } } : {}
      return {
        code: /^fields\.\w+$/.test(issue.message)
          ? issue.message
          : issue.code === 'too_big'
            ? 'fields.tooLong'
            : 'fields.text',
        ...max,
      }
    }
    return { value: parsed.data }
  }
  return (target, cell) => {
    if (cell.includes('\ufffd')) return { code: 'imports.unreadable' }
    // Our own exports put an apostrophe before what a spreadsheet could take for a formula.
    const text = unharmed(bare(cell))
    if (nothing.has(text.toLowerCase())) return { empty: true }
    const { field } = target
    switch (field.kind) {
      case 'text':
      case 'longText':
      case 'color':
        return said(target, unharmed(cell.trim()))
      case 'email':
        return said(target, text.replace(/^mailto:/i, '').replace(/^<|>$/g, ''))
      case 'phone':
        return said(target, withZero(text.replace(/[\u2010-\u2015]/g, '-')))
      case 'taxId':
        return /^[0\s-]+$/.test(text)
          ? { empty: true }
          : said(target, normaliseTaxId(text) ?? text.slice(0, 40))
      case 'money': {
        const figure = plainFigure(text)
        const value = figure === undefined ? undefined : hundredths(figure)
        return value === undefined ? { code: 'fields.money' } : said(target, value)
      }
      case 'price':
      case 'quantity': {
        const figure = plainFigure(text)
        const value = figure === undefined ? undefined : parseDecimal4(figure)
        return value === undefined ? { code: 'fields.decimal' } : said(target, toText(value))
      }
      case 'percent': {
        const figure = plainFigure(text.replace('%', ''))
        const value = figure === undefined ? undefined : hundredths(figure)
        return value === undefined ? { code: 'fields.number' } : said(target, value)
      }
      case 'number': {
        const figure = plainFigure(text)
        return figure === undefined || !/^-?\d+(\.0*)?$/.test(figure)
          ? { code: 'fields.number' }
          : said(target, Number(figure))
      }
      case 'day':
      case 'moment': {
        const day = parseDay(text.replace(/(\d)[T ]\d{1,2}:\d{2}(:\d{2})?.*$/, '$1'))
        if (!day) return { code: 'fields.day' }
        return said(target, field.kind === 'day' ? day : `${day}T00:00:00Z`)
      }
      case 'choice':
      case 'language':
      case 'currency': {
        const value =
          choices.get(target.name)?.get(fold(text) || text) ??
          (target.put ? (field.of ?? []).find((one) => fold(one) === fold(text)) : undefined)
        return said(target, value ?? (field.kind === 'currency' ? text.toUpperCase() : text))
      }
      case 'flag': {
        const word = fold(text) || text
        return yes.has(word) ? { value: true } : no.has(word) ? { value: false } : { code: 'imports.flag' }
      }
      case 'tags':
        return said(
          target,
          text
            .split(/[,;|]/)
            .map((tag) => tag.trim())
            .filter(Boolean),
        )
      case 'ref':
        return { refer: text.slice(0, 200) }
      default:
        return { code: 'fields.unknown', params: { keys: target.title } }
    }
  }
}
