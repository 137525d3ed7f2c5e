import { monthOf, yearOf, type Day } from '../day.ts'
import { formatDay } from '../format.ts'

export type Language = 'he' | 'en' | 'ar' | 'ru' | 'fr'

/** What the words of a line may know of the charge they are printed on. */
export interface Turned {
  no: number
  from: Day
  to: Day
  /** How many charges there are in all; null when there is no end. */
  of: number | null
}

/** The words that are filled in, as people write them; each language has its own beside the English ones. */
export const marks = ['month', 'year', 'from', 'to', 'n', 'm', 'nextMonth'] as const
export type Mark = (typeof marks)[number]

const inHebrew: Readonly<Record<string, Mark>> = {
  חודש: 'month',
  שנה: 'year',
  מ: 'from',
  מיום: 'from',
  עד: 'to',
  'עד יום': 'to',
  מספר: 'n',
  מתוך: 'm',
  'חודש הבא': 'nextMonth',
}

const months = new Map<Language, Intl.DateTimeFormat>()
function monthName(day: Day, language: Language): string {
  let names = months.get(language)
  if (!names) {
    names = new Intl.DateTimeFormat(language === 'ar' ? 'ar-u-nu-latn' : language, {
      month: 'long',
      timeZone: 'UTC',
    })
    months.set(language, names)
  }
  return names.format(new Date(`${day}T00:00:00Z`))
}

const nextMonthOf = (day: Day): Day => {
  const [year, month] = [yearOf(day), monthOf(day)]
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}

/**
 * Fills {month} {year} {from} {to} {n} {m} of a text, also within one pair of braces: {from}-{to}, {n of m}. Their
 * Hebrew names are understood beside the English ones. Of an order without an end {m} is nothing, and so is the text
 * before it: "payment {n of m}" is "payment 3". Unknown names stay.
 */
export function fillWords(text: string, { no, from, to, of }: Turned, language: Language): string {
  const values: Record<Mark, string> = {
    month: monthName(from, language),
    nextMonth: monthName(nextMonthOf(from), language),
    year: String(yearOf(from)),
    from: formatDay(from),
    to: formatDay(to),
    n: String(no),
    m: of === null ? '' : String(of),
  }
  const valueOf = (word: string): string | undefined => {
    const mark = (marks as readonly string[]).includes(word) ? (word as Mark) : inHebrew[word]
    return mark && values[mark]
  }
  return text
    .replace(/\{([^{}]{1,40})\}/g, (whole, inside: string) => {
      const plain = valueOf(inside.trim())
      if (plain !== undefined) return plain
      const pair = /^(\S+)(\s*[-–/]\s*|\s+\S{1,6}\s+)(\S+)$/.exec(inside.trim())
      const [, first = '', between = '', last = ''] = pair ?? []
      const [one, other] = [valueOf(first), valueOf(last)]
      if (one === undefined || other === undefined) return whole
      return other === '' ? one : `${one}${between}${other}`
    })
    .replace(/ {2,}/g, ' ')
    .trim()
}
