import { addDays, addMonths, endOfMonth, isDay, startOfMonth, weekday, yearOf, type Day } from '../day.ts'
import { isBankDay } from '../bankDays.ts'
import { enteredOn, type LawSource } from './dated.ts'

/*
 * The days on which something is reported, duty by duty. One function answers for every screen, reminder and lock
 * (`npm run check` looks for others): what an operator entered, what the authority published, and where it has
 * published nothing yet the rule, which the answer says.
 */

/** Reported for a period, named by its last month. */
export const periodDuties = ['vat', 'detailedVat', 'advances', 'withholding'] as const
/** Reported for a year. */
export const yearDuties = [
  'exemptStatement',
  'smallStatement',
  'form6111',
  'annualReturn',
  'form856',
] as const
export type PeriodDuty = (typeof periodDuties)[number]
export type YearDuty = (typeof yearDuties)[number]
export type Duty = PeriodDuty | YearDuty
export const duties = [...periodDuties, ...yearDuties] as const

export const isYearDuty = (duty: Duty): duty is YearDuty => (yearDuties as readonly string[]).includes(duty)

/**
 * The day of the month after the period: VAT Law, sections 67 and 69a, and Income Tax Ordinance, sections 166 and 175,
 * as the Tax Authority has applied them to online reports.
 */
const dayOfMonth: Readonly<Record<PeriodDuty, number>> = {
  vat: 15,
  advances: 15,
  withholding: 16,
  detailedVat: 23,
}

/**
 * Month and day of the year after: an exempt dealer's statement of turnover (VAT Regulations, Registration), a small
 * business's statement of its year and its payment (Income Tax Regulations, Exemption from Filing a Return), the
 * annual return with form 6111 (Income Tax Ordinance, section 132; `isBody` decides between its two days) and form 856.
 */
const dayOfYear: Readonly<Record<YearDuty, string>> = {
  exemptStatement: '01-31',
  smallStatement: '03-31',
  form6111: '05-31',
  annualReturn: '05-31',
  form856: '04-30',
}
/** The annual return of a person who does not keep books by double entry. */
const singleEntryDay = '04-30'

/** Tax Authority, reporting days of tax year 2026, as professional pages list them. */
export const duesSource: LawSource = 'days2026'
export const duesChecked: Day = '2026-11-29'
/** The last month whose reporting days are published. */
export const duesPublishedTo = '2026-12'

type Published = Readonly<Partial<Record<PeriodDuty, Day>>>
const days = (plain: Day, withholding: Day, detailedVat: Day): Published => ({
  vat: plain,
  advances: plain,
  withholding,
  detailedVat,
})

const published: Readonly<Record<string, Published>> = {
  '2026-01': days('2026-02-16', '2026-02-16', '2026-02-23'),
  '2026-02': days('2026-03-16', '2026-03-16', '2026-03-26'),
  '2026-03': days('2026-04-27', '2026-04-27', '2026-04-27'),
  '2026-04': days('2026-05-18', '2026-05-18', '2026-05-26'),
  '2026-05': days('2026-06-15', '2026-06-16', '2026-06-23'),
  '2026-06': days('2026-07-15', '2026-07-16', '2026-07-27'),
  '2026-07': days('2026-08-17', '2026-08-17', '2026-08-24'),
  '2026-08': days('2026-09-24', '2026-09-24', '2026-09-24'),
  '2026-09': days('2026-10-19', '2026-10-19', '2026-10-26'),
  '2026-10': days('2026-11-16', '2026-11-16', '2026-11-23'),
  '2026-11': days('2026-12-15', '2026-12-16', '2026-12-23'),
  '2026-12': days('2027-01-18', '2027-01-18', '2027-01-26'),
}

/** What the authority moved (announcements of March 2025 and of 6 March 2026). */
const postponed: Readonly<Record<string, Readonly<Partial<Record<Duty, Day>>>>> = {
  '2026-02': { vat: '2026-03-26', advances: '2026-03-26', withholding: '2026-03-26' },
  '2024': { smallStatement: '2025-05-31' },
  '2025': { exemptStatement: '2026-04-30', smallStatement: '2026-05-31' },
}

/** Where a day comes from. `rule`: nothing is published for the period, and the rule is all there is. */
export type DueBasis = 'entered' | 'postponed' | 'published' | 'rule'
export interface Due {
  day: Day
  basis: DueBasis
}

/**
 * The director of the Tax Authority lets the day of a periodic report move from a weekly day of rest of any religion,
 * Friday to Sunday, to Monday; a day of rest moves it as well.
 */
function afterRest(day: Day): Day {
  let found = day
  while (!isBankDay(found) || weekday(found) === 0) found = addDays(found, 1)
  return found
}

/** What falls on the Sabbath moves to the day after it (Interpretation Law, section 10). */
const afterSabbath = (day: Day): Day => (weekday(day) === 6 ? addDays(day, 1) : day)

/** What an operator entered and what is in the tables, by the first day of what is reported. */
const setFor = (duty: Duty, first: Day, name: string): Due | undefined => {
  const entered = enteredOn(dueKey(duty), first)
  if (entered && isDay(entered.value)) return { day: entered.value, basis: 'entered' }
  const later = postponed[name]?.[duty]
  return later === undefined ? undefined : { day: later, basis: 'postponed' }
}

/** The key under which an operator enters the day of a duty. */
export const dueKey = (duty: Duty): string => `due.${duty}`

/** The day on which a period that ends on a day is reported. */
export function dueOfPeriod(duty: PeriodDuty, periodEnd: Day): Due {
  const month = startOfMonth(periodEnd)
  const name = month.slice(0, 7)
  const set = setFor(duty, month, name)
  if (set) return set
  const known = published[name]?.[duty]
  if (known) return { day: known, basis: 'published' }
  return { day: afterRest(addDays(addMonths(month, 1), dayOfMonth[duty] - 1)), basis: 'rule' }
}

/**
 * The day on which something of a year is reported.
 * @param isSingleEntry of a person whose books are not kept by double entry
 */
export function dueOfYear(duty: YearDuty, year: number, isSingleEntry = false): Due {
  const set = setFor(duty, `${year}-01-01`, String(year))
  if (set) return set
  const monthDay = duty === 'annualReturn' && isSingleEntry ? singleEntryDay : dayOfYear[duty]
  return { day: afterSabbath(`${year + 1}-${monthDay}`), basis: 'rule' }
}

/** The days that an entry of a duty covers: the month in which the period ends, or the year. */
export const coveredBy = (duty: Duty, name: string): { from: Day; to: Day } =>
  isYearDuty(duty)
    ? { from: `${name}-01-01`, to: `${name}-12-31` }
    : { from: `${name}-01`, to: endOfMonth(`${name}-01`) }

/** Whether a duty may be moved to a day: after what is reported, and within the year that follows it. */
export const isDueDay = (to: Day, day: Day): boolean =>
  day > to && day <= addMonths(to, 15) && yearOf(day) >= 2000

/** By whether a business reports its VAT in detail: by when each of its reports is due. `to` is the last day. */
export interface ReportingDays {
  readonly isDetailed: boolean
  readonly vat: (to: Day) => Day
  readonly advances: (to: Day) => Day
  readonly withholding: (to: Day) => Day
}
export const reportingDays = (isDetailed: boolean): ReportingDays => ({
  isDetailed,
  vat: (to) => dueOfPeriod(isDetailed ? 'detailedVat' : 'vat', to).day,
  advances: (to) => dueOfPeriod('advances', to).day,
  withholding: (to) => dueOfPeriod('withholding', to).day,
})
