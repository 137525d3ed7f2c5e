import {
  addDays,
  addMonths,
  dayInJerusalem,
  endOfMonth,
  momentAt,
  monthPeriod,
  quarterPeriod,
  startOfMonth,
  weekday,
  yearOf,
  yearPeriod,
  type Day,
  type Period,
} from '#domain/day.ts'

/** How often a report is sent automatically. */
export const rhythms = ['day', 'week', 'month', 'vat'] as const

export interface Rhythm {
  every: (typeof rhythms)[number]
  /** Of a week: 0 is Sunday. */
  weekday: number
  /** Of a month: 1 to 28, or 31 for its last day whatever its length. */
  monthDay: number
  /** So many days before the VAT return is due. */
  daysBefore: number
  /** On the clock in Jerusalem. */
  hour: number
}

/**
 * The period of a scheduled report, counted from the day it is sent; `own` are the fixed days it was set with.
 */
export const spans = [
  'yesterday',
  'lastWeek',
  'thisMonth',
  'lastMonth',
  'lastQuarter',
  'thisVat',
  'lastVat',
  'thisYear',
  'lastYear',
  'own',
] as const
export type Span = (typeof spans)[number]

/** What each rhythm usually tells of. */
export const usualSpan: Record<Rhythm['every'], Span> = {
  day: 'yesterday',
  week: 'lastWeek',
  month: 'lastMonth',
  vat: 'lastVat',
}

/** The VAT period a day is in, as the business reports. */
export type PeriodOn = (day: Day) => Period

/** By when the VAT of a period that ends on a day is reported. */
export type DueOn = (to: Day) => Day

/** The days on which a rhythm rings, from a day on, in their order. */
export function* ringing(
  from: Day,
  { every, weekday: wanted, monthDay, daysBefore }: Rhythm,
  periodOn: PeriodOn,
  dueOn: DueOn,
): Generator<Day, never> {
  if (every === 'day') for (let day = from; ; day = addDays(day, 1)) yield day
  if (every === 'week')
    for (let day = addDays(from, (wanted - weekday(from) + 7) % 7); ; day = addDays(day, 7)) yield day
  if (every === 'month')
    for (let month = startOfMonth(from); ; month = addMonths(month, 1)) {
      const day = monthDay > 28 ? endOfMonth(month) : addDays(month, monthDay - 1)
      if (day >= from) yield day
    }
  // The period before the one this day is in may still be due.
  for (let period = periodOn(addDays(periodOn(from).from, -1)); ; period = periodOn(addDays(period.to, 1))) {
    const day = addDays(dueOn(period.to), -daysBefore)
    if (day >= from) yield day
  }
}

/** The first ringing after a moment. */
export function nextRing(
  now: Date,
  rhythm: Rhythm,
  periodOn: PeriodOn,
  dueOn: DueOn,
): { day: Day; at: Date } {
  for (const day of ringing(dayInJerusalem(now), rhythm, periodOn, dueOn)) {
    const at = momentAt(day, rhythm.hour)
    if (at > now) return { day, at }
  }
  throw new Error('a rhythm rings for ever')
}

/** The days a report tells of that leaves on `day`; undefined keeps those it was set with. */
export function daysOf(span: Span, day: Day, periodOn: PeriodOn): Period | undefined {
  switch (span) {
    case 'yesterday':
      return { from: addDays(day, -1), to: addDays(day, -1) }
    case 'lastWeek': {
      const sunday = addDays(day, -weekday(day) - 7)
      return { from: sunday, to: addDays(sunday, 6) }
    }
    case 'thisMonth':
      return { from: startOfMonth(day), to: day }
    case 'lastMonth':
      return monthPeriod(addMonths(startOfMonth(day), -1))
    case 'lastQuarter':
      return quarterPeriod(addDays(quarterPeriod(day).from, -1))
    case 'thisVat':
      return { from: periodOn(day).from, to: day }
    case 'lastVat':
      return periodOn(addDays(periodOn(day).from, -1))
    case 'thisYear':
      return { from: `${yearOf(day)}-01-01`, to: day }
    case 'lastYear':
      return yearPeriod(addMonths(startOfMonth(day), -12))
    case 'own':
      return undefined
  }
}
