import { CalendarDate, DateFormatter, HebrewCalendar, toCalendar } from '@internationalized/date'
import { addDays, addMonths, endOfMonth, startOfMonth, weekday, type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import type { Language } from '#kit/web/words/words.tsx'

export const calendarViews = ['day', 'week', 'month', 'list'] as const
export type CalendarView = (typeof calendarViews)[number]

/** The days a view shows of a day: a week from Sunday, a month in whole weeks, four weeks as a list. */
export function daysOf(view: CalendarView, of: Day): { from: Day; to: Day; days: Day[] } {
  const sunday = addDays(of, -weekday(of))
  const first = addDays(startOfMonth(of), -weekday(startOfMonth(of)))
  const [from, to] =
    view === 'day'
      ? [of, of]
      : view === 'week'
        ? [sunday, addDays(sunday, 6)]
        : view === 'month'
          ? [first, addDays(endOfMonth(of), 6 - weekday(endOfMonth(of)))]
          : [of, addDays(of, 27)]
  const days: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return { from, to, days }
}

export const stepped = (view: CalendarView, of: Day, by: 1 | -1): Day =>
  view === 'day'
    ? addDays(of, by)
    : view === 'week'
      ? addDays(of, 7 * by)
      : view === 'month'
        ? addMonths(of, by)
        : addDays(of, 28 * by)

const dateOf = (day: Day): CalendarDate =>
  new CalendarDate(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8)))
const formatters = new Map<string, DateFormatter>()
const formatted = (lang: Language, day: Day, options: Intl.DateTimeFormatOptions, calendar = ''): string => {
  const key = `${lang}${calendar}${JSON.stringify(options)}`
  const locale = `${lang}-u-nu-latn${calendar ? `-ca-${calendar}` : ''}`
  if (!formatters.has(key)) formatters.set(key, new DateFormatter(locale, { ...options, timeZone: 'UTC' }))
  return formatters.get(key)!.format(new Date(`${day}T12:00:00Z`))
}

export const weekdayName = (lang: Language, day: Day, width: 'short' | 'long' = 'short'): string =>
  formatted(lang, day, { weekday: width })
export const monthName = (lang: Language, day: Day): string =>
  formatted(lang, day, { month: 'long', year: 'numeric' })
/** The same day in the Hebrew calendar; in Hebrew with its letters. */
export const hebrewDay = (lang: Language, day: Day): string => {
  const { day: date } = toCalendar(dateOf(day), new HebrewCalendar())
  const month = formatted(lang, day, { month: 'long' }, 'hebrew')
  return lang === 'he' ? `${letters(date)} ב${month}` : `${date} ${month}`
}

const ones = ['', 'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט']
const tens = ['', 'י', 'כ', 'ל']
/** A number up to thirty as Hebrew dates write it: fifteen and sixteen keep off the Name. */
function letters(n: number): string {
  const text = n === 15 ? 'טו' : n === 16 ? 'טז' : `${tens[Math.floor(n / 10)]}${ones[n % 10]}`
  return text.length > 1 ? `${text.slice(0, -1)}״${text.slice(-1)}` : `${text}׳`
}

export const rangeText = (
  view: CalendarView,
  lang: Language,
  { from, to }: { from: Day; to: Day },
  of: Day,
): string =>
  view === 'month'
    ? monthName(lang, of)
    : view === 'day'
      ? formatDay(of)
      : `${formatDay(from).slice(0, 5)} – ${formatDay(to)}`

export const minutesOf = (at: string): number => Number(at.slice(0, 2)) * 60 + Number(at.slice(3))
export const clockOf = (minute: number): string => {
  const inside = Math.max(0, Math.min(1439, minute))
  return `${String(Math.floor(inside / 60)).padStart(2, '0')}:${String(inside % 60).padStart(2, '0')}`
}
const wall = new Intl.DateTimeFormat('en-GB-u-nu-latn', {
  timeZone: 'Asia/Jerusalem',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** What a clock in Jerusalem shows at a moment, in minutes of its day, and that day. */
export function wallOf(moment: Date): { day: Day; minute: number } {
  const parts = wall.formatToParts(moment)
  const of = (type: string) => parts.find((one) => one.type === type)!.value
  return {
    day: `${of('year')}-${of('month')}-${of('day')}`,
    minute: Number(of('hour')) * 60 + Number(of('minute')),
  }
}

/** Side by side: those that meet share the width of their day. */
export function columnsOf<T extends { id: string; from: number; to: number }>(
  events: readonly T[],
): Map<string, { at: number; of: number }> {
  const found = new Map<string, { at: number; of: number }>()
  const sorted = events.toSorted((a, b) => a.from - b.from || b.to - a.to)
  let group: T[] = []
  let ends = -1
  const settle = () => {
    const lanes: number[] = []
    const at = group.map((one) => {
      const lane = lanes.findIndex((end) => end <= one.from)
      const place = lane < 0 ? lanes.length : lane
      lanes[place] = one.to
      return place
    })
    group.forEach((one, i) => found.set(one.id, { at: at[i]!, of: lanes.length }))
  }
  for (const one of sorted) {
    if (one.from >= ends && group.length) {
      settle()
      group = []
      ends = -1
    }
    group.push(one)
    ends = Math.max(ends, one.to)
  }
  if (group.length) settle()
  return found
}
