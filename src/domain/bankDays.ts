import { CalendarDate, HebrewCalendar, toCalendar } from '@internationalized/date'
import { addDays, weekday, type Day } from './day.ts'

const hebrew = new HebrewCalendar()

/**
 * A day of the Hebrew calendar: the year, the month counted from Tishri as 1 (Adar of a leap year is two
 * months) and the day.
 */
function hebrewOf(day: Day): { month: number; date: number; isLeap: boolean } {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const found = toCalendar(new CalendarDate(year, month, date), hebrew)
  return { month: found.month, date: found.day, isLeap: (found.year * 7 + 1) % 19 < 7 }
}

/*
 * Days that are no business days of a bank besides Friday and Saturday: both days of the New Year, the eve of
 * the Day of Atonement and the day itself, the first and the eighth of Tabernacles, Purim, the first and the
 * seventh of Passover, Independence Day, Pentecost, the Ninth of Av (Bank of Israel, Proper Conduct of
 * Banking Business: "business day"). Two of them move by the day of the week.
 */
function isHoliday(day: Day): boolean {
  const { month, date, isLeap } = hebrewOf(day)
  // Tishri is 1; from Adar on a leap year counts one more.
  const late = isLeap ? 1 : 0
  if (month === 1) return [1, 2, 9, 10, 15, 22].includes(date)
  if (month === 6 + late) return date === 14
  if (month === 7 + late) return date === 15 || date === 21
  if (month === 8 + late) return isIndependence(day, date)
  if (month === 9 + late) return date === 6
  // The Ninth of Av that is a Saturday is kept on the Sunday after it.
  if (month === 11 + late) return date === 9 || (date === 10 && weekday(day) === 0)
  return false
}

/**
 * 5 Iyar; on Friday or Saturday the Thursday before, on Monday the day after (Independence Day Law, as
 * amended in 2004).
 */
function isIndependence(day: Day, date: number): boolean {
  const of = weekday(addDays(day, 5 - date))
  const moved = of === 5 ? 4 : of === 6 ? 3 : of === 1 ? 6 : 5
  return date === moved
}

/** Days that were asked about before: a run asks for the same few thousand times. */
const known = new Map<Day, boolean>()

/** Whether banks in Israel do business on a day. */
export function isBankDay(day: Day): boolean {
  const before = known.get(day)
  if (before !== undefined) return before
  const is = weekday(day) < 5 && !isHoliday(day)
  if (known.size > 20_000) known.clear()
  known.set(day, is)
  return is
}

export const shifts = ['none', 'next', 'previous'] as const
export type Shift = (typeof shifts)[number]

/** The day itself, or the nearest day of banks after or before it. */
export function shifted(day: Day, shift: Shift): Day {
  let found = day
  if (shift !== 'none') while (!isBankDay(found)) found = addDays(found, shift === 'next' ? 1 : -1)
  return found
}
