import { addDays, type Day } from '../day.ts'

/*
 * The nine days of rest of Jewish holidays that the Law of Government and Law Ordinance, section 18A, keeps
 * as days of rest in Israel: the Hebrew calendar is the one that the language's own dates know, so no table
 * has to be kept up.
 */

const hebrew = new Intl.DateTimeFormat('en-u-ca-hebrew-nu-latn', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
})

const restDays: Readonly<Record<string, string>> = {
  'Tishri 1': 'roshHashana',
  'Tishri 2': 'roshHashana',
  'Tishri 10': 'yomKippur',
  'Tishri 15': 'sukkot',
  'Tishri 22': 'shminiAtzeret',
  'Nisan 15': 'pesach',
  'Nisan 21': 'pesach',
  'Sivan 6': 'shavuot',
}

/**
 * The name of the day of rest that a day is; undefined on others. Independence Day, a day of rest by a separate law,
 * moves and is handled separately.
 */
export function holidayOn(day: Day): string | undefined {
  const parts = hebrew.formatToParts(new Date(`${day}T12:00:00Z`))
  const of = (type: 'day' | 'month') => parts.find((part) => part.type === type)?.value ?? ''
  return (
    restDays[`${of('month')} ${of('day')}`] ??
    (day === independenceDay(day.slice(0, 4)) ? 'independence' : undefined)
  )
}

const known = new Map<string, Day>()

/**
 * The fifth of Iyar, moved so that neither it nor the day before meets the Sabbath: from Friday and Saturday
 * back to Thursday, from Monday on to Tuesday (Independence Day Law, 1949, as amended in 2004).
 */
function independenceDay(year: string): Day {
  let found = known.get(year)
  if (!found) {
    for (let day = `${year}-04-10`; day <= `${year}-05-20`; day = addDays(day, 1)) {
      const parts = hebrew.formatToParts(new Date(`${day}T12:00:00Z`))
      if (
        parts.some(({ type, value }) => type === 'month' && value === 'Iyar') &&
        parts.some(({ type, value }) => type === 'day' && value === '5')
      ) {
        const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
        found = addDays(day, weekday === 5 ? -1 : weekday === 6 ? -2 : weekday === 1 ? 1 : 0)
        break
      }
    }
    known.set(year, (found ??= ''))
  }
  return found
}
