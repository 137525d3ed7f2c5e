import type { Day } from '../day.ts'

/** How many hours are ordinary work, and what is paid above them: as it stood from a day on. */
export interface HoursRules {
  from: Day
  /** A whole week of ordinary work, in minutes. */
  weekMinutes: number
  /** An ordinary day of a five-day week, of which one is an hour shorter, and of a six-day week. */
  fiveDayMinutes: number
  sixDayMinutes: number
  /** An ordinary day of night work, and on the eve of the rest day. */
  nightMinutes: number
  restEveMinutes: number
  /** A minor's day and week, which no overtime follows. */
  minorDayMinutes: number
  minorWeekMinutes: number
  /** Overtime hours of a day paid by the first rate; those above them by the second. */
  firstOvertimeMinutes: number
  /** In hundredths of the ordinary wage. */
  firstRate: number
  secondRate: number
  /** What work on the rest day is paid above that. */
  restAddition: number
  /** A night shift has so many minutes between these hours of the night. */
  nightLeastMinutes: number
  nightFromHour: number
  nightToHour: number
}

/**
 * The Hours of Work and Rest Law, 1951: sections 2 and 3 (a day of work, a week), 16 (wage of overtime: 125 %
 * for the first two hours of a day, 150 % for those after), 17 (work in the weekly rest: one and a half
 * times), 1 ('night work': two hours of it between 22 and 6). The week of 42 hours is by the extension order
 * on the shortening of the week of work, from 1 April 2018; before it, 43 hours by the agreement of 2000. Of
 * minors: the Youth Labour Law, 1953, section 20 (eight hours a day, forty a week).
 */
export const hoursRules: readonly HoursRules[] = [
  {
    from: '2000-07-01',
    weekMinutes: 43 * 60,
    fiveDayMinutes: 8 * 60 + 36,
    sixDayMinutes: 8 * 60,
    nightMinutes: 7 * 60,
    restEveMinutes: 7 * 60,
    minorDayMinutes: 8 * 60,
    minorWeekMinutes: 40 * 60,
    firstOvertimeMinutes: 120,
    firstRate: 125,
    secondRate: 150,
    restAddition: 50,
    nightLeastMinutes: 120,
    nightFromHour: 22,
    nightToHour: 6,
  },
  {
    from: '2018-04-01',
    weekMinutes: 42 * 60,
    fiveDayMinutes: 8 * 60 + 36,
    sixDayMinutes: 8 * 60,
    nightMinutes: 7 * 60,
    restEveMinutes: 7 * 60,
    minorDayMinutes: 8 * 60,
    minorWeekMinutes: 40 * 60,
    firstOvertimeMinutes: 120,
    firstRate: 125,
    secondRate: 150,
    restAddition: 50,
    nightLeastMinutes: 120,
    nightFromHour: 22,
    nightToHour: 6,
  },
]

export const rulesOn = (day: Day): HoursRules =>
  hoursRules.findLast(({ from }) => from <= day) ?? hoursRules[0]!
