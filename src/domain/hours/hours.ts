import { addDays, addMonths, dayInJerusalem, momentAt, weekday, type Day } from '../day.ts'
import { holidayOn } from './holidays.ts'
import { rulesOn, type HoursRules } from './rules.ts'

/** A stretch of work between two moments, in milliseconds of the clock that knows no summer time. */
export interface Stretch {
  start: number
  end: number
}

/** What was agreed with a worker, from a day on; the hours of a day are by what was agreed on that day. */
export interface WorkTerms {
  from: Day
  /**
   * Days of the worker's week, and which weekday of them is an hour shorter; six days: the eve of the rest day is
   * the short one.
   */
  days: 5 | 6
  shortDay: number
  /** The weekly rest: 6 Saturday, 5 Friday, 0 Sunday. */
  restDay: 0 | 5 | 6
  /** Ordinary minutes of a day where less than the law was agreed; by the law without. */
  dayMinutes: number | null
  /** Overtime is paid from the hours agreed; an agreed global pay leaves it out. */
  overtime: boolean
  /** The birthday, of a worker who is a minor or was one. */
  born?: Day | null
}

/**
 * Minutes by what they are paid, in hundredths of the wage: 100 ordinary, 125 and 150 overtime, 150, 175 and
 * 200 in the weekly rest and on holidays.
 */
export type ByRate = Readonly<Record<number, number>>

export interface WorkedDay {
  day: Day
  minutes: number
  byRate: ByRate
  /** How many minutes of the day are ordinary, and why. */
  ordinary: number
  rule: 'fiveDays' | 'shortDay' | 'sixDays' | 'restEve' | 'night' | 'agreed' | 'week' | 'minor'
  isNight: boolean
  holiday: string | undefined
  /**
   * Only for a minor: minutes above what the law allows. No overtime rate covers them, for minors have none; what is
   * owed for them is no amount of this table.
   */
  above?: number
}

const minute = 60_000

/**
 * Work is counted in whole minutes of the clock: a stretch begins and ends with the minute that was shown.
 */
const inMinutes = ({ start, end }: Stretch): Stretch => ({
  start: Math.floor(start / minute) * minute,
  end: Math.floor(end / minute) * minute,
})

export const termsOn = (terms: readonly WorkTerms[], day: Day): WorkTerms | undefined =>
  terms.findLast(({ from }) => from <= day)

/**
 * The hours of a worker's days, each stretch on the day it began (a night belongs to the day it began on), by
 * the law of that day. Minutes are real ones: of the night in which clocks go forward an hour is missing, of
 * the other there is one more.
 */
export function hoursOf(stretches: readonly Stretch[], terms: readonly WorkTerms[]): WorkedDay[] {
  const days = new Map<Day, Stretch[]>()
  for (const stretch of stretches.map(inMinutes).toSorted((a, b) => a.start - b.start)) {
    const day = dayInJerusalem(new Date(stretch.start))
    days.set(day, [...(days.get(day) ?? []), stretch])
  }
  const worked = [...days]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, of]) => dayOf(day, of, termsOn(terms, day) ?? usualTerms))
  return withWeeks(worked, terms)
}

export const usualTerms: WorkTerms = {
  from: '1900-01-01',
  days: 5,
  shortDay: 4,
  restDay: 6,
  dayMinutes: null,
  overtime: true,
}

/**
 * The length of an ordinary day and week of a worker, in minutes, as it is reported: the agreed day where there is
 * one, else that of the law on a day.
 */
export function ordinaryLength(
  terms: Pick<WorkTerms, 'days' | 'dayMinutes'>,
  on: Day,
): { day: number; week: number } {
  const { weekMinutes, fiveDayMinutes, sixDayMinutes } = rulesOn(on)
  const lawful = terms.days === 5 ? fiveDayMinutes : sixDayMinutes
  if (terms.dayMinutes === null) return { day: lawful, week: weekMinutes }
  const day = Math.min(terms.dayMinutes, lawful)
  return { day, week: Math.min(weekMinutes, day * terms.days) }
}

const adultYears = 18

/** Whether the Youth Labour Law applies on a day: until the eighteenth birthday. */
export const isMinorOn = ({ born }: Pick<WorkTerms, 'born'>, day: Day): boolean =>
  Boolean(born) && day < addMonths(born!, adultYears * 12)

/** Ordinary minutes of a day, and which rule says so; the shortest that fits. */
export function ordinaryOf(
  day: Day,
  terms: WorkTerms,
  isNight: boolean,
  rules: HoursRules = rulesOn(day),
): { minutes: number; rule: WorkedDay['rule'] } {
  const isEve = weekday(day) === (terms.restDay + 6) % 7 || holidayOn(addDays(day, 1)) !== undefined
  const all: { minutes: number; rule: WorkedDay['rule'] }[] = [
    ...(isMinorOn(terms, day) ? [{ minutes: rules.minorDayMinutes, rule: 'minor' as const }] : []),
    terms.days === 5
      ? weekday(day) === terms.shortDay
        ? { minutes: rules.fiveDayMinutes - 60, rule: 'shortDay' }
        : { minutes: rules.fiveDayMinutes, rule: 'fiveDays' }
      : { minutes: rules.sixDayMinutes, rule: 'sixDays' },
    ...(isNight ? [{ minutes: rules.nightMinutes, rule: 'night' as const }] : []),
    ...(isEve ? [{ minutes: rules.restEveMinutes, rule: 'restEve' as const }] : []),
    ...(terms.dayMinutes === null ? [] : [{ minutes: terms.dayMinutes, rule: 'agreed' as const }]),
  ]
  return all.reduce((least, one) => (one.minutes < least.minutes ? one : least))
}

/** Minutes of a stretch between two moments. */
const within = ({ start, end }: Stretch, from: number, to: number): number =>
  Math.max(0, Math.min(end, to) - Math.max(start, from)) / minute

function nightMinutes(stretches: readonly Stretch[], day: Day, rules: HoursRules): number {
  // The night before the day, and the one after it.
  const nights = [addDays(day, -1), day].map(
    (each) =>
      [
        momentAt(each, rules.nightFromHour).getTime(),
        momentAt(addDays(each, 1), rules.nightToHour).getTime(),
      ] as const,
  )
  return stretches.reduce(
    (all, stretch) => all + nights.reduce((sum, [from, to]) => sum + within(stretch, from, to), 0),
    0,
  )
}

function dayOf(day: Day, stretches: readonly Stretch[], agreed: WorkTerms): WorkedDay {
  const rules = rulesOn(day)
  const isMinor = isMinorOn(agreed, day)
  const terms = isMinor ? { ...agreed, overtime: false } : agreed
  const isNight = nightMinutes(stretches, day, rules) >= rules.nightLeastMinutes
  const { minutes: ordinary, rule } = ordinaryOf(day, terms, isNight, rules)
  const byRate: Record<number, number> = {}
  let done = 0
  for (const stretch of stretches)
    // A stretch goes through the day's levels in its order; what of it lies in the weekly rest is paid more,
    // minute by minute.
    for (const part of partsOf(stretch, terms)) {
      let left = (part.end - part.start) / minute
      while (left > 0) {
        const level = levelOf(done, ordinary, rules, terms.overtime)
        const some = Math.min(left, level.until - done)
        const rate = level.rate + (part.isRest ? rules.restAddition : 0)
        byRate[rate] = (byRate[rate] ?? 0) + some
        done += some
        left -= some
      }
    }
  // Fewer hours may be agreed; what the law forbids begins above its own.
  const above = isMinor
    ? { above: Math.max(0, done - ordinaryOf(day, { ...terms, dayMinutes: null }, isNight, rules).minutes) }
    : {}
  return { day, minutes: done, byRate, ordinary, rule, isNight, holiday: holidayOn(day), ...above }
}

function levelOf(
  done: number,
  ordinary: number,
  rules: HoursRules,
  overtime: boolean,
): { rate: number; until: number } {
  if (!overtime || done < ordinary) return { rate: 100, until: overtime ? ordinary : Infinity }
  if (done < ordinary + rules.firstOvertimeMinutes)
    return { rate: rules.firstRate, until: ordinary + rules.firstOvertimeMinutes }
  return { rate: rules.secondRate, until: Infinity }
}

/**
 * A stretch cut at every midnight of Jerusalem: a shift over midnight may go into a day of rest or out of it.
 */
function partsOf({ start, end }: Stretch, terms: WorkTerms): (Stretch & { isRest: boolean })[] {
  const parts: (Stretch & { isRest: boolean })[] = []
  const first = Math.floor(start / minute) * minute
  const last = Math.floor(end / minute) * minute
  for (let at = first; at < last;) {
    const day = dayInJerusalem(new Date(at))
    const until = Math.min(end, momentAt(addDays(day, 1), 0).getTime())
    const isRest = weekday(day) === terms.restDay || holidayOn(day) !== undefined
    parts.push({ start: at, end: until, isRest })
    at = until
  }
  return parts
}

/**
 * What of the week's ordinary minutes lies above the week's hours is overtime of the last days in which it
 * was done: 125 % for two hours of each, 150 % above. Weeks begin on Sunday.
 */
function withWeeks(days: readonly WorkedDay[], terms: readonly WorkTerms[]): WorkedDay[] {
  const sums = new Map<Day, number>()
  return days.map((one) => {
    const own = termsOn(terms, one.day) ?? usualTerms
    const week = addDays(one.day, -weekday(one.day))
    const rules = rulesOn(one.day)
    const before = sums.get(week) ?? 0
    if (one.above !== undefined) {
      const allowed = one.minutes - one.above
      sums.set(week, before + allowed)
      const more = Math.max(0, Math.min(allowed, before + allowed - rules.minorWeekMinutes))
      return more === 0 ? one : { ...one, above: one.above + more, rule: 'week' as const }
    }
    const ordinary = one.byRate[100] ?? 0
    sums.set(week, before + ordinary)
    const above = own.overtime ? Math.max(0, Math.min(ordinary, before + ordinary - rules.weekMinutes)) : 0
    if (above === 0) return one
    const atFirst = one.byRate[rules.firstRate] ?? 0
    const first = Math.min(above, Math.max(0, rules.firstOvertimeMinutes - atFirst))
    const byRate: Record<number, number> = {
      ...one.byRate,
      100: ordinary - above,
      [rules.firstRate]: atFirst + first,
      [rules.secondRate]: (one.byRate[rules.secondRate] ?? 0) + above - first,
    }
    for (const rate of Object.keys(byRate)) if (byRate[Number(rate)] === 0) delete byRate[Number(rate)]
    return { ...one, byRate, rule: 'week' as const }
  })
}

/**
 * Minutes of work to pay for at the ordinary wage: 125 minutes' worth for 100 of the first overtime. Exact,
 * in hundredths of a minute.
 */
export const paidHundredths = (byRate: ByRate): number =>
  Object.entries(byRate).reduce((all, [rate, minutes]) => all + Number(rate) * minutes, 0)

/** Adds up minutes by rate over days. */
export function sumRates(days: readonly { byRate: ByRate }[]): ByRate {
  const all: Record<number, number> = {}
  for (const { byRate } of days)
    for (const [rate, minutes] of Object.entries(byRate))
      all[Number(rate)] = (all[Number(rate)] ?? 0) + minutes
  return all
}

/** 'HH:MM' of minutes; more than a day stays hours. */
export const clockText = (minutes: number): string =>
  `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
