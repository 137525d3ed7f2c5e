import { addDays, addMonths, weekday, type Day } from '../day.ts'

export const reminderRhythms = ['week', 'fortnight', 'month'] as const
export type ReminderRhythm = (typeof reminderRhythms)[number]

/** Neighbours are not written to on a Friday or a Saturday: what falls there goes on Sunday. */
export function letterDay(day: Day): Day {
  const rest = weekday(day)
  return rest === 5 ? addDays(day, 2) : rest === 6 ? addDays(day, 1) : day
}

/**
 * The first day after `after` on which letters go, counted from the day that was set; months from it, so that
 * the 31st stays the 31st.
 */
export function nextReminder(every: ReminderRhythm, from: Day, after: Day): Day {
  for (let n = 0; ; n++) {
    const day = letterDay(
      every === 'month' ? addMonths(from, n) : addDays(from, n * (every === 'week' ? 7 : 14)),
    )
    if (day > after) return day
  }
}
