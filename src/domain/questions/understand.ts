import {
  addMonths,
  endOfMonth,
  monthOf,
  parseDay,
  quarterPeriod,
  yearOf,
  yearPeriod,
  type Day,
  type Period,
} from '../day.ts'
import { fold } from '../fold.ts'
import { readUnsigned } from '../numberText.ts'
import { typeFacts } from '../documents/facts.ts'
import type { DocumentTypeName } from '../documents/kinds.ts'
import {
  dimensionNamed,
  factNamed,
  isAdditive,
  limits,
  periodOf,
  type AskedPeriod,
  type DimensionName,
  type FactName,
  type Filter,
  type PeriodUnit,
  type Question,
} from './model.ts'
import type { Meaning } from './meaning.ts'
import { formsOf, phrases } from './vocabulary.ts'

/** A stretch of what was said. */
export interface Stretch {
  from: number
  to: number
  text: string
}

export type Why = 'unknown' | 'noRecord' | 'severalRecords' | 'notHere' | 'notYours' | 'second'
export type Unread = Stretch & { why: Why }

/** A name beside a word for its kind, or between quotes; the code that knows the records looks it up. */
export type Named = Stretch & { name: string; dimension: DimensionName | null }

export interface Understood {
  question: Question
  named: Named[]
  unread: Unread[]
  /** Whether anything was understood at all. */
  any: boolean
}

export interface Token extends Stretch {
  kind: 'word' | 'number' | 'quoted' | 'day' | 'month'
  folded: string
  /** Hebrew letters written before a figure or a quote. */
  prefix: string
  /** Of a number in hundredths of ten-thousandths: exact digits and places. */
  digits?: bigint
  places?: number
  isMoney?: boolean
  hasCommas?: boolean
  day?: Day
  hasYear?: boolean
}

const quotes =
  /^([והלבמשכ]{0,2})(?:"([^"]{1,80})"|“([^”]{1,80})”|„([^“”]{1,80})[“”]|״([^״]{1,80})״|«([^»]{1,80})»|'([^']{2,80})')(?=$|[\s,.;:?!)])/
const date =
  /^([והלבמשכ]{0,2})-?(\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})|\d{1,2}[./]\d{1,2})(?![\d./])/
const monthOfYear = /^([והלבמשכ]{0,2})-?(\d{1,2})[./-](\d{4})(?!\d)/
const figure = /^([והלבמשכ]{0,2})-?(?:([₪$])\s?)?(\d[\d,]*(?:\.\d+)?)(₪)?(?!\d)/
/** The short words that French joins to the next by an apostrophe. */
const elided = /^(?:qu|[cdjlmnst])['’](?=\p{L})/iu
const word = /^(?:[qQ][1-4](?!\p{L}|\d)|\p{L}[\p{L}\p{M}'"׳״’`]*|[<>]=?|&|-)/u

/** Cuts what was said into words, figures, days and names between quotes, each with its place. */
export function tokensOf(said: string, today: Day): Token[] {
  const tokens: Token[] = []
  let at = 0
  const put = (length: number, token: Omit<Token, 'from' | 'to' | 'text'>): void => {
    tokens.push({ ...token, from: at, to: at + length, text: said.slice(at, at + length) })
    at += length
  }
  while (at < said.length) {
    const rest = said.slice(at)
    // Inside a word nothing begins.
    const quoted = quotes.exec(rest)
    if (quoted) {
      const name = quoted.slice(2).find((part) => part !== undefined)!
      put(quoted[0].length, { kind: 'quoted', folded: name, prefix: quoted[1]! })
      continue
    }
    const month = monthOfYear.exec(rest)
    if (month && Number(month[2]) >= 1 && Number(month[2]) <= 12) {
      put(month[0].length, {
        kind: 'month',
        folded: '',
        prefix: month[1]!,
        day: `${month[3]!}-${month[2]!.padStart(2, '0')}-01`,
      })
      continue
    }
    const dated = date.exec(rest)
    const day = dated ? parseDay(dated[2]!, today) : undefined
    // 12.50 is a figure: a day without a year has a month to be.
    if (dated && day && day >= '1900' && day < '3000') {
      put(dated[0].length, {
        kind: 'day',
        folded: '',
        prefix: dated[1]!,
        day,
        hasYear: dated[2]!.split(/[./-]/).length > 2,
      })
      continue
    }
    // What is written as a day and is none is no day, no sum and no year.
    const noDay = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?!\d)/.exec(rest)
    if (noDay) {
      put(noDay[0].length, { kind: 'number', folded: '', prefix: '' })
      continue
    }
    const number = figure.exec(rest)
    if (number) {
      const read = readUnsigned(number[3]!.replace(/,$/, ''))
      const length = number[3]!.endsWith(',') ? number[0].length - 1 : number[0].length
      put(length, {
        kind: 'number',
        folded: '',
        prefix: number[1]!,
        ...(read ? { digits: read.digits, places: read.places } : {}),
        isMoney: !!(number[2] || number[4]),
        hasCommas: number[3]!.includes(','),
      })
      continue
    }
    const short = elided.exec(rest)
    if (short && !/\p{L}/u.test(said[at - 1] ?? '')) {
      put(short[0].length, { kind: 'word', folded: fold(short[0]), prefix: '' })
      continue
    }
    const found = word.exec(rest)
    if (found) {
      // A quote at the end of a word belongs to the text around it.
      const text =
        found[0].length > 1
          ? found[0].replace(/['"׳״’`]+$/, (end) => (/^[׳']$/.test(end) ? end : ''))
          : found[0]
      put(text.length, {
        kind: 'word',
        folded: text.length === 1 && !/\p{L}/u.test(text) ? text : fold(text),
        prefix: '',
      })
      continue
    }
    at++
  }
  return tokens
}

/** One or several tokens with the one meaning they have together; none when nobody knows them. */
export interface Part extends Stretch {
  meaning: Meaning | undefined
  token: Token
  prefix: string
}

export function partsOf(said: string, tokens: readonly Token[]): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at]!
    const found = token.kind === 'word' ? longest(tokens, at) : undefined
    const length = found?.length ?? 1
    const last = tokens[at + length - 1]!
    parts.push({
      from: token.from,
      to: last.to,
      text: said.slice(token.from, last.to),
      meaning: found?.meaning,
      token,
      prefix: found?.prefix ?? token.prefix,
    })
    at += length
  }
  return parts
}

function longest(
  tokens: readonly Token[],
  at: number,
): { meaning: Meaning; length: number; prefix: string } | undefined {
  let best: { meaning: Meaning; length: number; prefix: string } | undefined
  for (const { word: first, prefix } of formsOf(tokens[at]!.folded))
    for (const { words, meaning } of phrases.get(first) ?? []) {
      // Small words are themselves and nothing that begins with another letter: a name must not be taken for
      // one.
      if (
        prefix &&
        (['noise', 'and', 'until', 'times'].includes(meaning.is) || (meaning.is === 'by' && prefix !== 'ו'))
      )
        continue
      const fits = (some: readonly string[]) =>
        some.every(
          (one, n) =>
            n === 0 ||
            (tokens[at + n]?.kind === 'word' &&
              formsOf(tokens[at + n]!.folded).some(
                // What is left of a word without its prefix is no word of two letters.
                (form) => form.word === one && (form.prefix === '' || one.length > 2),
              )),
        )
      if (fits(words)) {
        if (!best || words.length > best.length) best = { meaning, length: words.length, prefix }
        continue
      }
      // 'יותר מ-5,000', 'יותר מאלף': the last letter is written onto what follows.
      const letter = words.at(-1)!
      const follows = tokens[at + words.length - 1]
      const hasLetter =
        follows?.kind === 'word'
          ? formsOf(follows.folded).some((form) => form.prefix === letter)
          : follows?.prefix === letter
      if (
        words.length > 1 &&
        letter.length === 1 &&
        hasLetter &&
        fits(words.slice(0, -1)) &&
        (!best || words.length - 1 > best.length)
      )
        best = { meaning, length: words.length - 1, prefix }
    }
  return best
}

/**
 * A period as it was said, with the stretch of the calendar it is, so that two of them can stand side by
 * side.
 */
interface Said {
  asked: AskedPeriod
  unit?: PeriodUnit
  next: number
}

export class Reader {
  readonly parts: Part[]
  private readonly today: Day
  constructor(parts: Part[], today: Day) {
    this.parts = parts
    this.today = today
  }

  is(at: number, ...kinds: Meaning['is'][]): boolean {
    const meaning = this.parts[at]?.meaning
    return meaning !== undefined && kinds.includes(meaning.is)
  }

  meaning<K extends Meaning['is']>(at: number, kind: K): Extract<Meaning, { is: K }> | undefined {
    const meaning = this.parts[at]?.meaning
    return meaning?.is === kind ? (meaning as Extract<Meaning, { is: K }>) : undefined
  }

  unit(at: number): PeriodUnit | undefined {
    return this.meaning(at, 'unit')?.unit
  }

  /** The next place that is no small word. */
  after(at: number): number {
    while (this.is(at, 'noise')) at++
    return at
  }

  /** A small whole number: how many. */
  whole(at: number): number | undefined {
    const named = this.meaning(at, 'number')
    if (named) return named.n
    const token = this.parts[at]?.token
    if (token?.kind !== 'number' || token.places !== 0 || token.isMoney || token.hasCommas) return undefined
    const n = Number(token.digits)
    return n >= 1 && n <= limits.top ? n : undefined
  }

  /** A year of four digits that is no sum. */
  year(at: number): number | undefined {
    const token = this.parts[at]?.token
    if (
      token?.kind !== 'number' ||
      token.places !== 0 ||
      token.isMoney ||
      token.hasCommas ||
      this.parts[at]!.meaning
    )
      return undefined
    const n = Number(token.digits)
    return n >= 1990 && n <= 2079 ? n : undefined
  }

  /** A sum or a quantity: whole parts of a hundredth or of a ten-thousandth. */
  sum(at: number, places: 2 | 4): { value: number; next: number } | undefined {
    const token = this.parts[at]?.token
    const named = this.meaning(at, 'number')
    const times = this.meaning(at + 1, 'times')
    if (this.is(at, 'times')) return { value: this.meaning(at, 'times')!.n * 10 ** places, next: at + 1 }
    if (!named && (token?.kind !== 'number' || token.digits === undefined)) return undefined
    const digits = (named ? BigInt(named.n) : token!.digits!) * BigInt(times?.n ?? 1) * 10n ** BigInt(places)
    const below = 10n ** BigInt(named ? 0 : token!.places!)
    if (digits % below !== 0n) return undefined
    const value = Number(digits / below)
    return Number.isSafeInteger(value) && value <= 10 ** 15
      ? { value, next: at + (times ? 2 : 1) }
      : undefined
  }

  /** A figure that can be nothing but money. */
  isMoney(at: number): boolean {
    const token = this.parts[at]?.token
    return !!(
      token?.isMoney ||
      token?.hasCommas ||
      this.is(at + 1, 'times') ||
      ['שח', 'שקל', 'שקלים', 'nis', 'ils', 'shekels'].includes(this.parts[at + 1]?.token.folded ?? '')
    )
  }

  /** A month named without a year is the last one that has begun. */
  private yearOfMonth(month: number): number {
    return month <= monthOf(this.today) ? yearOf(this.today) : yearOf(this.today) - 1
  }

  private monthAt(at: number): { first: Day; next: number; hasYear: boolean } | undefined {
    const token = this.parts[at]?.token
    if (token?.kind === 'month') return { first: token.day!, next: at + 1, hasYear: true }
    const named = this.meaning(at, 'month')
    if (!named) return undefined
    const told = this.year(this.after(at + 1))
    const year = told ?? this.yearOfMonth(named.month)
    return {
      first: `${year}-${String(named.month).padStart(2, '0')}-01`,
      next: told === undefined ? at + 1 : this.after(at + 1) + 1,
      hasYear: told !== undefined,
    }
  }

  /** An end of a stretch of time: a day, a month, a year. */
  private endAt(
    at: number,
  ): { from: Day; to: Day; next: number; isMonth: boolean; hasYear: boolean } | undefined {
    const token = this.parts[at]?.token
    if (token?.kind === 'day')
      return {
        from: token.day!,
        to: token.day!,
        next: at + 1,
        isMonth: false,
        hasYear: token.hasYear ?? true,
      }
    const month = this.monthAt(at)
    if (month)
      return {
        from: month.first,
        to: endOfMonth(month.first),
        next: month.next,
        isMonth: true,
        hasYear: month.hasYear,
      }
    const year = this.year(at)
    if (year !== undefined)
      return { from: `${year}-01-01`, to: `${year}-12-31`, next: at + 1, isMonth: false, hasYear: true }
    const back = this.meaning(at, 'day')
    if (back) {
      const day = periodOf({ unit: 'day', from: back.back, to: back.back }, this.today).from
      return { from: day, to: day, next: at + 1, isMonth: false, hasYear: true }
    }
    return undefined
  }

  /**
   * From one end to another: 'from January to March', 'מ-1.1 עד 31.3', 'בין 1.1.26 ל-31.3.26', 'ינואר-מרץ'.
   */
  private stretch(start: number): Said | undefined {
    const isOpened = this.is(start, 'since', 'from', 'between')
    const at = isOpened ? this.after(start + 1) : start
    const first = this.endAt(at)
    if (!first) return undefined
    const joint = this.after(first.next)
    const joined =
      this.is(joint, 'until') || (this.is(start, 'between') && this.is(joint, 'and'))
        ? this.after(joint + 1)
        : this.is(start, 'between')
          ? joint
          : undefined
    const second = joined === undefined ? undefined : this.endAt(joined)
    if (second) {
      // 'November to February' goes over the end of a year; of two ends without a year the later one has
      // begun.
      let from = first.from
      if (first.isMonth && second.isMonth && !first.hasYear && from > second.from) from = addMonths(from, -12)
      if (first.isMonth && second.isMonth && !first.hasYear && second.hasYear) {
        from = `${yearOf(second.from)}${from.slice(4)}`
        if (from > second.from) from = addMonths(from, -12)
      }
      if (from > second.to) return undefined
      return { asked: { from, to: second.to }, next: second.next }
    }
    const opens = this.is(start, 'since') || /מ/.test(this.parts[start]?.prefix ?? '')
    if (
      opens &&
      first.from <= this.today &&
      (this.is(start, 'since') || this.parts[start]!.token.kind === 'day')
    )
      return { asked: { from: first.from, to: this.today }, next: first.next }
    return undefined
  }

  /** Any period that begins here. */
  period(at: number): Said | undefined {
    const { today } = this
    const ready = this.meaning(at, 'period')
    if (ready)
      return { asked: { unit: ready.unit, from: ready.from, to: ready.to }, unit: ready.unit, next: at + 1 }
    const stretch = this.stretch(at)
    if (stretch) return stretch
    const back = this.meaning(at, 'day')
    if (back) return { asked: { unit: 'day', from: back.back, to: back.back }, unit: 'day', next: at + 1 }
    if (this.is(at, 'toDate')) {
      const unit = this.unit(this.after(at + 1))
      if (unit) return { asked: { unit, from: 0, to: 0 }, unit, next: this.skipThis(this.after(at + 1) + 1) }
      const year = this.year(this.after(at + 1))
      return year === undefined
        ? undefined
        : { asked: { from: `${year}-01-01`, to: today }, next: this.after(at + 1) + 1 }
    }
    return this.calendar(at) ?? this.counted(at) ?? this.relative(at)
  }

  private skipThis(at: number): number {
    return this.is(at, 'this') ? at + 1 : at
  }

  private oneOf(unit: PeriodUnit, period: Period, next: number): Said {
    return { asked: period, unit, next }
  }

  /**
   * A stretch that has a name in the calendar: October, 10/2025, 2025, the third quarter, the first half of
   * 2025.
   */
  private calendar(at: number): Said | undefined {
    const token = this.parts[at]?.token
    if (token?.kind === 'day') return this.oneOf('day', { from: token.day!, to: token.day! }, at + 1)
    // 'בחודש אוקטובר', 'the month of October'
    const start = this.unit(at) === 'month' && this.monthAt(this.after(at + 1)) ? this.after(at + 1) : at
    const month = this.monthAt(start)
    if (month) return this.oneOf('month', { from: month.first, to: endOfMonth(month.first) }, month.next)
    const yearAt = this.unit(at) === 'year' ? this.after(at + 1) : at
    const year = this.year(yearAt)
    if (year !== undefined) return this.oneOf('year', yearPeriod(`${year}-01-01`), yearAt + 1)
    // 'רבעון שלישי', 'Q3', 'third quarter', 'quarter 3', with or without a year.
    const isQuarter = this.unit(at) === 'quarter'
    const isHalf = this.is(at, 'half')
    const number = isQuarter || isHalf ? this.after(at + 1) : at
    const n =
      this.meaning(number, 'ordinal')?.n ??
      (isQuarter && (this.whole(number) ?? 9) <= 4 ? this.whole(number) : undefined)
    if (n === undefined) return undefined
    let next = number + 1
    const isQ = /^q/i.test(this.parts[number]!.text)
    if (!isQuarter && !isHalf && !isQ) {
      const what = this.after(next)
      if (this.unit(what) !== 'quarter' && !this.is(what, 'half')) return undefined
      next = what + 1
    }
    const halves = isHalf || this.is(next - 1, 'half')
    if (halves && n > 2) return undefined
    const lastMonth = halves ? n * 6 : n * 3
    const firstMonth = halves ? lastMonth - 5 : lastMonth - 2
    const yearPlace =
      this.unit(this.after(next)) === 'year' ? this.after(this.after(next) + 1) : this.after(next)
    const told = this.year(yearPlace)
    const from: Day = `${told ?? this.yearOfMonth(firstMonth)}-${String(firstMonth).padStart(2, '0')}-01`
    if (told !== undefined) next = yearPlace + 1
    const period = halves ? { from, to: endOfMonth(addMonths(from, 5)) } : quarterPeriod(from)
    return halves ? { asked: period, next } : this.oneOf('quarter', period, next)
  }

  /** Several whole ones before this: 'last 6 months', '30 הימים האחרונים'; days count from today back. */
  private counted(at: number): Said | undefined {
    const several = (count: number, unit: PeriodUnit, next: number): Said =>
      count > 600
        ? { asked: { unit, from: 0, to: 0 }, next }
        : { asked: unit === 'day' ? { unit, from: 1 - count, to: 0 } : { unit, from: -count, to: -1 }, next }
    if (this.is(at, 'last')) {
      const count = this.whole(at + 1)
      const unit = count === undefined ? undefined : this.unit(at + 2)
      return count !== undefined && unit ? several(count, unit, at + 3) : undefined
    }
    const count = this.whole(at)
    const unit = count === undefined ? undefined : this.unit(at + 1)
    return count !== undefined && unit && this.is(at + 2, 'last') ? several(count, unit, at + 3) : undefined
  }

  /** This one or the one before: 'last quarter', 'ברבעון האחרון', 'השנה', 'החודש הנוכחי'. */
  private relative(at: number): Said | undefined {
    const one = (unit: PeriodUnit, back: number, next: number): Said => ({
      asked: { unit, from: back, to: back },
      unit,
      next,
    })
    if (this.is(at, 'this', 'last')) {
      const unit = this.unit(at + 1)
      return unit ? one(unit, this.is(at, 'last') ? -1 : 0, at + 2) : undefined
    }
    const unit = this.unit(at)
    if (!unit) return undefined
    if (this.is(at + 1, 'last')) return one(unit, -1, at + 2)
    if (this.is(at + 1, 'this')) return one(unit, 0, at + 2)
    // 'השנה', 'החודש', 'ברבעון': with the article, this one.
    return /[הב]/.test(this.parts[at]!.prefix) ? one(unit, 0, at + 1) : undefined
  }
}

const timeOf: Record<PeriodUnit, DimensionName> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
}

/**
 * Reads what was said into a question. Every word is either understood or told back; nothing is made up for
 * one.
 */
export function understand(said: string, today: Day): Understood {
  const parts = partsOf(said, tokensOf(said.slice(0, 300), today))
  const reader = new Reader(parts, today)
  const unread: Unread[] = []
  const named: Named[] = []
  const leave = (at: number, why: Why, to = at): void => {
    const [from, end] = [parts[at]!.from, parts[to]!.to]
    unread.push({ from, to: end, text: said.slice(from, end), why })
  }
  let fact: { name: FactName; at: number } | undefined
  const types: DocumentTypeName[] = []
  let typesAt: number | undefined
  const told: { name: DimensionName; at: number }[] = []
  const measures: { names: readonly string[]; at: number }[] = []
  const amounts: {
    from?: number
    to?: number
    at: number
    end: number
    isQuantity: boolean
    ofGroup: boolean
    measure?: readonly string[]
  }[] = []
  const flags: { flag: string; not: boolean; at: number }[] = []
  const choices: { dimension: DimensionName; value: string; at: number }[] = []
  let period: { said: Said; at: number } | undefined
  let column: DimensionName | undefined
  let top: number | undefined
  let sort: Question['sort'] | undefined
  let shown: 'share' | 'running' | undefined
  let shownAt = 0
  let counts = false
  let spentAt: number | undefined
  /** What a comparison that comes now would be of. */
  let head: 'record' | 'group' = 'record'
  const put = (name: DimensionName, at: number): void => {
    if (!told.some((one) => one.name === name)) told.push({ name, at })
  }

  for (let at = 0; at < parts.length;) {
    const part = parts[at]!
    const { meaning } = part
    // A period, and what it is held against.
    const isPlainUnit =
      meaning?.is === 'unit' && !/[הב]/.test(part.prefix) && !reader.is(at + 1, 'last', 'this')
    const found = meaning?.is === 'over' || meaning?.is === 'under' ? undefined : reader.period(at)
    if (found && !(isPlainUnit && found.next === at + 1)) {
      const joint = reader.after(found.next)
      const other = reader.is(joint, 'vs', 'and')
        ? comparedTo(reader, found, reader.after(joint + 1))
        : undefined
      if (period) leave(at, 'second', found.next - 1)
      else if (other) {
        const both = besides(found, other, today)
        period = { said: both ?? found, at }
        if (both) column = timeOf[found.unit!]
        else leave(joint, 'second', other.next - 1)
      } else period = { said: found, at }
      at = other ? other.next : found.next
      continue
    }
    if (!meaning) {
      if (part.token.kind === 'quoted')
        named.push({ ...stretchOf(part), name: part.token.folded, dimension: null })
      else if (part.token.kind === 'number') {
        const next = topAt(reader, at)
        if (next) {
          top = reader.whole(at)
          put(next.dimension, next.at)
          sort = next.small ? 'least' : 'most'
          head = 'group'
          at = next.next
          continue
        }
        // 'לפי לקוח, 5 הגדולים'
        const isFew = told.length > 0 && reader.whole(at) !== undefined && reader.is(at + 1, 'big', 'small')
        if (isFew) {
          top = reader.whole(at)
          sort = reader.is(at + 1, 'small') ? 'least' : 'most'
          at += 2
          continue
        }
        leave(at, 'unknown')
      } else leave(at, 'unknown')
      at++
      continue
    }
    switch (meaning.is) {
      case 'from':
        // 'From customers' says no more than 'of'; 'from January' may mean that month or all since.
        if (reader.period(reader.after(at + 1)) && !reader.is(reader.after(at + 1), 'this', 'last', 'unit'))
          leave(at, 'unknown')
        at++
        break
      case 'new':
        if (
          reader.meaning(reader.after(at + 1), 'dimension')?.dimension === 'customer' ||
          told.some((one) => one.name === 'customer') ||
          fact?.name === 'customers'
        ) {
          fact ??= { name: 'customers', at }
          if (fact.name !== 'customers') leave(at, 'notHere')
        } else leave(at, 'unknown')
        at++
        break
      case 'spent':
        spentAt ??= at
        at++
        break
      case 'owing':
      case 'owed':
        if (meaning.is === 'owing') put('customer', at)
        else measures.push({ names: ['open'], at })
        flags.push({ flag: 'unpaid', not: false, at })
        at++
        break
      case 'noise':
      case 'and':
        at++
        break
      case 'fact':
        if (fact && fact.name !== meaning.fact) leave(at, 'second')
        else fact ??= { name: meaning.fact, at }
        head = 'record'
        at++
        break
      case 'types':
        types.push(...meaning.types.filter((one) => !types.includes(one)))
        typesAt ??= at
        head = 'record'
        at++
        break
      case 'by':
        at = readBy(at)
        break
      case 'every':
        put(timeOf[meaning.unit], at)
        at++
        break
      case 'howMuch':
      case 'count': {
        const next = reader.after(at + 1)
        const thing = reader.meaning(next, 'dimension')
        if (thing) {
          measures.push({ names: countOf[thing.dimension] ?? [], at: next })
          if (!fact && thing.dimension === 'customer') fact = { name: 'customers', at: next }
          if (!fact && thing.dimension === 'item') fact = { name: 'items', at: next }
          counts = true
          at = next + 1
        } else {
          // 'How much income' asks for a sum, 'how many invoices' for a number.
          const isNumber =
            meaning.is === 'count' ||
            reader.is(next, 'types') ||
            reader.meaning(next, 'fact')?.fact === 'documents'
          if (isNumber) {
            measures.push({ names: ['count'], at })
            counts = true
          }
          at++
        }
        break
      }
      case 'average':
        measures.push({ names: ['average', 'price'], at })
        at++
        break
      case 'most':
        measures.push({ names: ['most'], at })
        at++
        break
      case 'measure':
        if (
          reader.is(reader.after(at + 1), 'over', 'under', 'between') &&
          reader.sum(reader.after(reader.after(at + 1) + 1), 2)
        ) {
          at = readAmount(reader.after(at + 1), meaning.names)
          break
        }
        if (!measures.some((one) => one.names === meaning.names)) measures.push({ names: meaning.names, at })
        at++
        break
      case 'share':
      case 'running':
        shown = meaning.is
        shownAt = at
        at++
        break
      case 'over':
      case 'under':
      case 'between':
        at = readAmount(at)
        break
      case 'until':
        // 'Up to 5,000' with its sign, its commas or its thousands; a bare 15 or 2025 might be a day or a
        // year.
        at = part.text === '-' ? at + 1 : reader.isMoney(at + 1) ? readAmount(at) : left(at)
        break
      case 'flag':
        flags.push({ flag: meaning.flag, not: !!meaning.not, at })
        at++
        break
      case 'choice':
        choices.push({ dimension: meaning.dimension, value: meaning.value, at })
        at++
        break
      case 'top':
      case 'big':
      case 'small': {
        const next = topAt(reader, at)
        if (next) {
          if (next.count !== undefined) top = next.count
          put(next.dimension, next.at)
          head = 'group'
          sort = next.small ? 'least' : 'most'
          at = next.next
        } else if (told.length && reader.whole(at + 1) !== undefined && reader.unit(at + 2) === undefined) {
          // 'By customer, top 5'
          top = reader.whole(at + 1)
          sort = meaning.is === 'small' ? 'least' : 'most'
          at += 2
        } else if (told.length && meaning.is !== 'top') {
          sort = meaning.is === 'small' ? 'least' : 'most'
          at++
        } else at = left(at)
        break
      }
      case 'number': {
        const next = topAt(reader, at)
        if (next) {
          top = meaning.n
          put(next.dimension, next.at)
          head = 'group'
          sort = next.small ? 'least' : 'most'
          at = next.next
        } else at = left(at)
        break
      }
      case 'dimension':
        at = readDimension(at, meaning)
        break
      case 'unit':
        // 'Income per customer, month': told by it only where something says so.
        at = left(at)
        break
      default:
        at = left(at)
    }
  }

  function left(at: number): number {
    leave(at, 'unknown')
    return at + 1
  }

  /** 'By customer and month', 'לפי לקוח וחודש'; by a figure it is the order and not the rows. */
  function readBy(start: number): number {
    let at = reader.after(start + 1)
    let any = false
    // 'Payments by credit card': of that means.
    if (reader.is(at, 'choice')) return at
    for (;;) {
      const dimension = reader.meaning(at, 'dimension')?.dimension
      const unit = reader.unit(at)
      const every = reader.meaning(at, 'every')?.unit
      const figure = reader.meaning(at, 'measure')
      if (dimension) put(dimension, at)
      else if (unit ?? every) put(timeOf[(unit ?? every)!], at)
      else if (figure) measures.unshift({ names: figure.names, at })
      else if (reader.is(at, 'count')) {
        measures.unshift({ names: ['count'], at })
      } else if (reader.meaning(at, 'fact') && !fact) fact = { name: reader.meaning(at, 'fact')!.fact, at }
      else {
        if (!any) leave(start, 'unknown')
        return any ? at : start + 1
      }
      any = true
      head = 'record'
      const after = reader.after(at + 1)
      const more = reader.is(after, 'and')
        ? reader.after(after + 1)
        : /ו/.test(parts[after]?.prefix ?? '')
          ? after
          : undefined
      if (more === undefined || !reader.is(more, 'dimension', 'unit', 'every')) return at + 1
      at = more
    }
  }

  /** Over, under, between: of one record; a sum of many records is no condition that can be asked. */
  function readAmount(at: number, of?: readonly string[]): number {
    const isQuantity = of?.includes('quantity') ?? false
    const places = isQuantity ? 4 : 2
    const isBetween = reader.is(at, 'between')
    const first = reader.sum(reader.after(at + 1), places)
    if (!first) return left(at)
    // 'Over 60 days' is an age, and no amount.
    if (reader.unit(first.next)) {
      leave(at, 'unknown', first.next)
      return first.next + 1
    }
    const base = { at, isQuantity, ofGroup: head === 'group', ...(of ? { measure: of } : {}) }
    if (!isBetween) {
      amounts.push({
        ...base,
        end: first.next - 1,
        ...(reader.is(at, 'over') ? { from: first.value } : { to: first.value }),
      })
      return afterCurrency(first.next)
    }
    const joint = reader.after(afterCurrency(first.next))
    const second = reader.sum(reader.is(joint, 'and', 'until') ? reader.after(joint + 1) : joint, places)
    if (!second || second.value < first.value) return left(at)
    amounts.push({ ...base, end: second.next - 1, from: first.value, to: second.value })
    return afterCurrency(second.next)
  }

  function afterCurrency(at: number): number {
    return reader.is(at, 'noise') ? at + 1 : at
  }

  /** A word for a sort of records: told by it, or, with a name behind it, of that one. */
  function readDimension(at: number, { dimension, one }: { dimension: DimensionName; one?: true }): number {
    let next = at + 1
    if (one && dimensionNamed(dimension).kind !== 'choice') {
      while (parts[next] && !parts[next]!.meaning && ['word', 'quoted'].includes(parts[next]!.token.kind))
        next++
      if (next > at + 1) {
        const [from, to] = [parts[at + 1]!.from, parts[next - 1]!.to]
        const quoted = next === at + 2 && parts[at + 1]!.token.kind === 'quoted'
        named.push({
          from,
          to,
          text: said.slice(from, to),
          name: quoted ? parts[at + 1]!.token.folded : said.slice(from, to),
          dimension,
        })
        return next
      }
    }
    const big = reader.after(at + 1)
    const isFromThem = /מ/.test(parts[at]!.prefix) && !reader.is(big, 'big', 'small')
    if (isFromThem && !one) return at + 1
    put(dimension, at)
    head = 'group'
    if (reader.is(big, 'big', 'small') && !reader.is(big + 1, 'over')) {
      // 'The best customer' is one.
      if (one) top ??= 1
      sort = reader.is(big, 'small') ? 'least' : 'most'
      return big + 1
    }
    return at + 1
  }

  if (spentAt !== undefined && types.length === 0 && fact?.name !== 'documents')
    fact ??= { name: 'expenses', at: spentAt }
  // What is asked about: as said, or the only fact that has all that was said.
  const chosen = chooseFact()
  const known = factNamed(chosen)
  for (const one of told) {
    // What expenses are sorted by is called so too; a month of years side by side is no month of one.
    if (one.name === 'category' && chosen === 'expenses') one.name = 'expenseType'
    if (one.name === 'month' && column === 'year') one.name = 'monthOfYear'
  }
  const has = (name: DimensionName) => known.dimensions.includes(name)
  const filters: Filter[] = []
  if (period) {
    if (known.dated) filters.push({ kind: 'period', period: period.said.asked })
    else leave(period.at, 'notHere')
  }
  if (types.length && typesAt !== undefined) {
    if (has('type')) filters.push({ kind: 'is', dimension: 'type', values: types })
    else leave(typesAt, 'notHere')
  }
  for (const { dimension, value, at } of choices) {
    const same = filters.find((one) => one.kind === 'is' && one.dimension === dimension)
    if (!has(dimension)) leave(at, 'notHere')
    else if (same?.kind === 'is') same.values.push(...(same.values.includes(value) ? [] : [value]))
    else filters.push({ kind: 'is', dimension, values: [value] })
  }
  for (const { flag, not, at } of flags)
    if (!known.flags.includes(flag) || (types.length && !types.some((one) => isOwed(one))))
      leave(at, 'notHere')
    else if (!filters.some((one) => one.kind === 'flag' && one.flag === flag))
      filters.push({ kind: 'flag', flag, ...(not ? { not } : {}) })
    else leave(at, 'second')
  for (const { at, end, isQuantity, ofGroup, measure, ...ends } of amounts) {
    const asked = measure?.find((name) => Object.hasOwn(known.amounts, name))
    const name = asked ?? (measure || isQuantity ? undefined : firstAmount[chosen])
    if (!name || ofGroup || (known.amounts[name] === 'quantity') !== isQuantity) leave(at, 'notHere', end)
    else if (filters.some((one) => one.kind === 'amount' && one.amount === name)) leave(at, 'second', end)
    else filters.push({ kind: 'amount', amount: name, ...ends })
  }
  const asked: Question['measures'] = []
  for (const { names, at } of measures) {
    const name = names.find((one) => Object.hasOwn(known.measures, one))
    if (!name) leave(at, 'notHere')
    else if (!asked.some((one) => one.name === name) && asked.length < limits.measures)
      asked.push({ name, as: 'value' })
  }
  if (asked.length === 0)
    asked.push(
      ...(flags.some(({ flag, not }) => !not && flag !== 'approved') && Object.hasOwn(known.measures, 'open')
        ? ['open', 'count']
        : known.first.measures
      ).map((name) => ({ name, as: 'value' as const })),
    )
  if (shown) {
    const first = asked.find(({ name }) => isAdditive(known.measures[name]!))
    if (first && asked.length < limits.measures)
      asked.splice(asked.indexOf(first) + 1, 0, { name: first.name, as: shown })
    else leave(shownAt, 'notHere')
  }
  const own: DimensionName | undefined =
    chosen === 'customers' ? 'customer' : chosen === 'items' ? 'item' : undefined
  const dims = told.filter(({ name, at }, n) => {
    if (told.findIndex((other) => other.name === name) !== n) return false
    if (has(name)) return name !== column
    // 'Customers by city': they are what is asked about themselves.
    if (name !== own) leave(at, 'notHere')
    return false
  })
  const rows = dims.map(({ name }) => name)
  const timed = rows.filter((name) => dimensionNamed(name).kind === 'time')
  if (!column && rows.length > 1 && timed.length === 1) {
    column = timed[0]!
    rows.splice(rows.indexOf(column), 1)
  }
  for (const { name, at } of dims.filter((one) => rows.indexOf(one.name) >= limits.rows)) {
    leave(at, 'second')
    rows.splice(rows.indexOf(name), 1)
  }
  // Papers are asked for as a list of whose they are; a number of them is a number.
  if (rows.length === 0 && !column && chosen === 'documents' && types.length && !counts) rows.push('customer')
  const isOrdered = rows.length > 0 && ['time', 'choice'].includes(dimensionNamed(rows[0]!).kind)
  const isAny =
    fact !== undefined ||
    types.length > 0 ||
    told.length > 0 ||
    measures.length > 0 ||
    flags.length > 0 ||
    choices.length > 0
  return {
    question: {
      fact: chosen,
      rows,
      column: column && has(column) ? column : null,
      measures: asked,
      filters,
      sort: sort ?? (isOrdered || rows.length === 0 ? 'own' : 'most'),
      top: top !== undefined && rows.length > 0 ? { most: top, others: true } : null,
    },
    named,
    unread: unread.sort((a, b) => a.from - b.from),
    any: isAny,
  }

  function chooseFact(): FactName {
    const wantsAll = (name: FactName): boolean => {
      const one = factNamed(name)
      return (
        told.every((dimension) => one.dimensions.includes(dimension.name)) &&
        measures.every(({ names }) => names.some((measure) => Object.hasOwn(one.measures, measure))) &&
        flags.every(({ flag }) => one.flags.includes(flag)) &&
        choices.every(({ dimension }) => one.dimensions.includes(dimension)) &&
        named.every(({ dimension }) => dimension === null || one.dimensions.includes(dimension)) &&
        (types.length === 0 || one.dimensions.includes('type'))
      )
    }
    const isOfSales = types.every((one) => typeFacts(one).isInvoiceOrCredit)
    if (fact) {
      // Items and quantities are dimensions of the lines of what was sold.
      if (
        (fact.name === 'income' || (fact.name === 'documents' && isOfSales)) &&
        !wantsAll(fact.name) &&
        wantsAll('lines')
      )
        return 'lines'
      return fact.name
    }
    if (types.length) {
      if (wantsAll('documents')) return 'documents'
      return isOfSales && wantsAll('lines') ? 'lines' : wantsAll('payments') ? 'payments' : 'documents'
    }
    const plural =
      told.length === 1 && !measures.length && !flags.length && top === undefined && !sort
        ? told[0]!.name
        : undefined
    if (plural === 'customer' && !period && !choices.length) return 'customers'
    if (told.some(({ name }) => name === 'customer') && wantsOnly('customers', 'customer')) return 'customers'
    if (told.some(({ name }) => name === 'item') && wantsOnly('items', 'item')) return 'items'
    if (flags.length) return wantsAll('documents') ? 'documents' : 'expenses'
    return inOrder.find(wantsAll) ?? 'income'
  }

  /** 'Customers by city': only dimensions of customers themselves. */
  function wantsOnly(fact: FactName, own: DimensionName): boolean {
    const { dimensions, measures: figures } = factNamed(fact)
    const others = told.filter(({ name }) => name !== own)
    return (
      others.length > 0 &&
      others.every(({ name }) => dimensions.includes(name) && dimensionNamed(name).kind !== 'time') &&
      measures.every(({ names }) => names.some((name) => Object.hasOwn(figures, name))) &&
      !period &&
      !flags.length &&
      top === undefined
    )
  }
}

/** What can be paid or not; an open quote is another thing. */
const isOwed = (type: DocumentTypeName): boolean => typeFacts(type).isInvoiceOrCredit
const inOrder: readonly FactName[] = [
  'income',
  'lines',
  'expenses',
  'payments',
  'entries',
  'documents',
  'items',
  'customers',
]
const firstAmount: Record<FactName, string | undefined> = {
  income: 'total',
  documents: 'total',
  lines: 'net',
  payments: 'sum',
  expenses: 'total',
  // Either side might be meant.
  entries: undefined,
  items: 'price',
  customers: 'creditLimit',
}
const countOf: Partial<Record<DimensionName, readonly string[]>> = {
  customer: ['customers', 'count'],
  item: ['items', 'count'],
  supplier: ['suppliers'],
}

const stretchOf = ({ from, to, text }: Stretch): Stretch => ({ from, to, text })

/** 'Top 10 customers', '10 biggest customers', '10 הלקוחות הגדולים', 'עשרת הפריטים הנמכרים ביותר'. */
function topAt(
  reader: Reader,
  start: number,
): { dimension: DimensionName; at: number; count?: number; small: boolean; next: number } | undefined {
  let at = start
  let isTop = false
  let small = false
  let count: number | undefined
  for (let steps = 0; steps < 4; steps++) {
    if (reader.is(at, 'top', 'big', 'small')) {
      isTop = true
      small ||= reader.is(at, 'small')
      at++
    } else if (count === undefined && reader.whole(at) !== undefined) {
      count = reader.whole(at)
      at++
    } else if (reader.is(at, 'noise')) at++
    else break
  }
  const dimension = reader.meaning(at, 'dimension')?.dimension
  if (!dimension) return undefined
  const after = reader.after(at + 1)
  if (reader.is(after, 'big', 'small')) {
    isTop = true
    small ||= reader.is(after, 'small')
    return { dimension, at, ...(count === undefined ? {} : { count }), small, next: after + 1 }
  }
  return isTop ? { dimension, at, ...(count === undefined ? {} : { count }), small, next: at + 1 } : undefined
}

/** What a period is held against: another that is said whole, or 'last' alone. */
function comparedTo(reader: Reader, first: Said, at: number): Said | undefined {
  const other = reader.period(at)
  if (other) return other
  if (reader.is(at, 'last') && first.unit && 'unit' in first.asked)
    return {
      asked: { unit: first.unit, from: first.asked.from - 1, to: first.asked.to - 1 },
      unit: first.unit,
      next: at + 1,
    }
  return undefined
}

/** Two neighbours of one kind as one stretch; nothing when there is a gap between them. */
function besides(one: Said, other: Said, today: Day): Said | undefined {
  if (!one.unit || one.unit !== other.unit) return undefined
  const [a, b] = [periodOf(one.asked, today), periodOf(other.asked, today)]
  const [first, second] = a.from <= b.from ? [a, b] : [b, a]
  if (addOne(first.to) !== second.from) return undefined
  const isMoving = 'unit' in one.asked && 'unit' in other.asked
  return {
    asked: isMoving
      ? {
          unit: one.unit,
          from: Math.min((one.asked as { from: number }).from, (other.asked as { from: number }).from),
          to: Math.max((one.asked as { to: number }).to, (other.asked as { to: number }).to),
        }
      : { from: first.from, to: second.to },
    unit: one.unit,
    next: other.next,
  }
}

const addOne = (day: Day): Day => periodOf({ unit: 'day', from: 1, to: 1 }, day).from
