import { addDays, addMonths, daysBetween, endOfMonth, weekday, type Day } from '../day.ts'

/**
 * How a class comes back: every so many days, weeks (on days of the week, 0 is Sunday) or months (on the
 * first day's date).
 */
export interface Series {
  unit: 'day' | 'week' | 'month'
  every: number
  /** Of a week only; the first day's own where it is empty. */
  days: readonly number[]
  first: Day
  /** The last day on which it may be; for ever without it. */
  until: Day | null
  /** So many times; for ever without it. */
  count: number | null
}

/** Nothing comes back more often than this; a rule without an end is asked about in stretches. */
export const mostOccurrences = 2000

/**
 * The days of a series from a day to a day, both included. A day is a day of the wall: hours are added by
 * the person who knows the zone, so the night on which clocks change moves nothing. A month that lacks the date is
 * passed over (RFC 5545, 3.3.10). The first day counts only if the rule says it.
 */
export function occurrences(of: Series, from: Day, to: Day): Day[] {
  const found: Day[] = []
  let nth = 0
  const take = (day: Day): boolean => {
    if (day < of.first) return true
    if (
      (of.until !== null && day > of.until) ||
      day > to ||
      (of.count !== null && nth >= of.count) ||
      found.length >= mostOccurrences
    )
      return false
    nth++
    if (day >= from) found.push(day)
    return true
  }
  if (of.unit === 'month') {
    for (let n = 0; ; n += of.every) {
      const day = addMonths(of.first, n)
      if (day > to && endOfMonth(day) > to) break
      // A shorter month has no such date.
      if (day.slice(8) === of.first.slice(8) && !take(day)) break
    }
    return found
  }
  if (of.unit === 'day') {
    // Without a count nothing has to be counted from the beginning.
    const skipped =
      of.count === null && from > of.first ? Math.floor(daysBetween(of.first, from) / of.every) : 0
    for (let day = addDays(of.first, skipped * of.every); take(day); day = addDays(day, of.every));
    return found
  }
  const days = [...new Set(of.days.length ? of.days : [weekday(of.first)])].toSorted((a, b) => a - b)
  let week = addDays(of.first, -weekday(of.first))
  if (of.count === null && from > week)
    week = addDays(week, Math.floor(daysBetween(week, from) / (7 * of.every)) * 7 * of.every)
  for (; ; week = addDays(week, 7 * of.every))
    for (const day of days) if (!take(addDays(week, day))) return found
}

const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** The same rule as iCalendar writes it (RFC 5545, 3.3.10); weeks begin on Sunday. */
export function asRrule(of: Series): string {
  const parts = [
    `FREQ=${of.unit === 'day' ? 'DAILY' : of.unit === 'week' ? 'WEEKLY' : 'MONTHLY'}`,
    `INTERVAL=${of.every}`,
  ]
  if (of.unit === 'week')
    parts.push(
      `BYDAY=${(of.days.length ? [...of.days].toSorted((a, b) => a - b) : [weekday(of.first)]).map((day) => names[day]).join(',')}`,
      'WKST=SU',
    )
  if (of.count !== null) parts.push(`COUNT=${of.count}`)
  else if (of.until !== null) parts.push(`UNTIL=${of.until.replaceAll('-', '')}`)
  return parts.join(';')
}
