import { isDay, parseDay, type Day } from '../day.ts'
import { asDigits, isNearly, skeleton } from './letters.ts'

const monthWords = [
  'ינואר january jan janvier январь января يناير',
  'פברואר february feb février февраль февраля فبراير شباط',
  'מרץ מרס march mar mars март марта مارس آذار',
  'אפריל april apr avril апрель апреля أبريل نيسان',
  'מאי may mai май мая مايو أيار',
  'יוני june jun juin июнь июня يونيو حزيران',
  'יולי july jul juillet июль июля يوليو تموز',
  'אוגוסט august aug août август августа أغسطس',
  'ספטמבר september sep sept septembre сентябрь сентября سبتمبر أيلول',
  'אוקטובר october oct octobre октябрь октября أكتوبر',
  'נובמבר november nov novembre ноябрь ноября نوفمبر',
  'דצמבר december dec décembre декабрь декабря ديسمبر',
].map((words) => words.split(' ').map(skeleton))

/** 1 to 12; also 'בנובמבר'. */
export function monthIn(word: string): number | undefined {
  const bare = skeleton(word)
  if (bare.length < 3) return undefined
  const candidates = word.startsWith('ב') && bare.length > 3 ? [bare, bare.slice(1)] : [bare]
  const found = monthWords.findIndex((names) =>
    names.some((name) => candidates.some((one) => isNearly(one, name))),
  )
  return found < 0 ? undefined : found + 1
}

/**
 * '20/11/2025', '1.2.25', '2025-11-20', and with letters that a machine saw in place of digits. Day before
 * month, as in Israel.
 */
export function readDay(text: string): Day | undefined {
  const plain = text.replace(/^[:.,("]+|[:.,)"]+$/g, '').replace(/[\u2212\u2013]/g, '-')
  if (!/^[\dOolI|]{1,4}([./-])[\dOolI|]{1,2}\1[\dOolI|]{1,4}$/.test(plain)) return undefined
  const digits = asDigits(plain)
  const iso = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(digits)
  if (iso) {
    const day = `${iso[1]}-${iso[3]!.padStart(2, '0')}-${iso[4]!.padStart(2, '0')}`
    return isDay(day) ? day : undefined
  }
  return parseDay(digits) ?? americanDay(digits)
}

/** '11/20/2025' can only be read one way. */
function americanDay(text: string): Day | undefined {
  const found = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text)
  return found && Number(found[3]) > 12 ? parseDay(`${found[3]}/${found[1]}/${found[4]}`) : undefined
}

/**
 * A day written over several words, with a month's name, beginning at the first: '20 בנובמבר 2025', 'November
 * 20, 2025'. How many words it took.
 */
export function readLongDay(words: readonly string[]): { day: Day; length: number } | undefined {
  const three = words.slice(0, 3).map((word) => word.replace(/[,.]/g, ''))
  if (three.length < 3) return undefined
  const number = (word: string | undefined) =>
    /^\d{1,2}(st|nd|rd|th|er)?$/.test(word ?? '') ? Number.parseInt(word!, 10) : undefined
  const year = /^(19|20)\d{2}$/.test(three[2]!) ? three[2]! : undefined
  const month = monthIn(three[1]!) ?? monthIn(three[0]!)
  const dayOfMonth = number(monthIn(three[1]!) === undefined ? three[1] : three[0])
  if (!year || !month || !dayOfMonth) return undefined
  const day = `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
  return isDay(day) ? { day, length: 3 } : undefined
}
