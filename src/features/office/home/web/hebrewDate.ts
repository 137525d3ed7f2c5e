import type { Day } from '#domain/day.ts'
import type { Language } from '#kit/web/words/words.tsx'

const letters: readonly (readonly [number, string])[] = [
  [400, 'ת'],
  [300, 'ש'],
  [200, 'ר'],
  [100, 'ק'],
  [90, 'צ'],
  [80, 'פ'],
  [70, 'ע'],
  [60, 'ס'],
  [50, 'נ'],
  [40, 'מ'],
  [30, 'ל'],
  [20, 'כ'],
  [10, 'י'],
  [9, 'ט'],
  [8, 'ח'],
  [7, 'ז'],
  [6, 'ו'],
  [5, 'ה'],
  [4, 'ד'],
  [3, 'ג'],
  [2, 'ב'],
  [1, 'א'],
]

/**
 * A number in Hebrew letters, as days and years are written: 15 is ט״ו, 787 is תשפ״ז, 5 is ה׳. Below a
 * thousand.
 */
export function inLetters(number: number): string {
  let left = number
  let text = ''
  for (const [value, letter] of letters)
    while (left >= value) {
      // 15 and 16 are written 9 + 6 and 9 + 7.
      if (left === 15 || left === 16) {
        text += `ט${left === 15 ? 'ו' : 'ז'}`
        left = 0
        break
      }
      text += letter
      left -= value
    }
  return text.length === 1 ? `${text}׳` : `${text.slice(0, -1)}״${text.slice(-1)}`
}

/**
 * The day by the Hebrew calendar, from the browser's own tables: in letters in Hebrew, in figures elsewhere.
 */
export function hebrewDate(day: Day, lang: Language): string {
  const locale = lang === 'ar' ? 'ar-u-ca-hebrew-nu-latn' : `${lang}-u-ca-hebrew`
  const parts = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).formatToParts(new Date(`${day}T12:00:00Z`))
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  if (lang !== 'he') return [of('day'), of('month'), of('year')].join(' ')
  const month = of('month').replace(/^ב/, '')
  return `${inLetters(Number(of('day')))} ב${month} ${inLetters(Number(of('year')) % 1000)}`
}
