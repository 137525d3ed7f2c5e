/** A calendar day as text, 'YYYY-MM-DD', in the civil calendar of Asia/Jerusalem. Days compare as text. */
export type Day = string

/** A stretch of whole days, both ends included. */
export interface Period {
  readonly from: Day
  readonly to: Day
}

const MILLISECONDS_OF_DAY = 86_400_000

/** True for a day that exists: '2025-02-30' and '2025-2-3' are not days. Years 1000 to 9999. */
export function isDay(text: string): text is Day {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return day >= 1 && day <= daysIn(year, month)
}

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Of a month from 1; 0 where there is no such month. */
function daysIn(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && isLeap ? 29 : (lengths[month - 1] ?? 0)
}

/**
 * Reads what people write for a day: '2025-12-31', '31/12/2025', '1.2.25', '3-4-2025', '31122025', '311225';
 * and without a year, '31/12' or '3112', in the year of the reference day. Day before month, as in Israel.
 * Two digits of a year mean 1980 to 2079. Undefined when it is not a day, or when the year is missing and
 * there is no reference.
 */
export function parseDay(text: string, reference?: Day): Day | undefined {
  const plain = text
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\s]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
  if (/^\d{4}-\d{2}-\d{2}$/.test(plain)) return isDay(plain) ? plain : undefined
  const found =
    /^(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d{2}))?$/.exec(plain)?.toSpliced(2, 1) ??
    /^(\d{2})(\d{2})(\d{4}|\d{2})?$/.exec(plain)
  if (!found) return undefined
  const [, day = '', month = '', year] = found
  const fullYear =
    year === undefined
      ? reference && String(yearOf(reference))
      : year.length === 4
        ? year
        : centuryOf(year) + year
  const candidate = `${fullYear ?? ''}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDay(candidate) ? candidate : undefined
}

function centuryOf(twoDigits: string): string {
  return Number(twoDigits) < 80 ? '20' : '19'
}

export function addDays(day: Day, days: number): Day {
  return fromNumber(toNumber(day) + days)
}

/**
 * The same day of a later month; the last day of that month when it is shorter (31 January + 1 = 28
 * February).
 */
export function addMonths(day: Day, months: number): Day {
  const first = Date.UTC(yearOf(day), monthOf(day) - 1 + months, 1)
  const last = endOfMonth(new Date(first).toISOString().slice(0, 10))
  return last.slice(0, 8) + (day.slice(8) < last.slice(8) ? day.slice(8) : last.slice(8))
}

export function startOfMonth(day: Day): Day {
  return `${assertDay(day).slice(0, 8)}01`
}

export function endOfMonth(day: Day): Day {
  return fromNumber(Date.UTC(yearOf(day), monthOf(day), 0) / MILLISECONDS_OF_DAY)
}

/** How many days later `to` is than `from`; negative when it is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return toNumber(to) - toNumber(from)
}

/** How many calendar months later, without regard to the day of the month: 31 January to 1 February is 1. */
export function monthsBetween(from: Day, to: Day): number {
  return (yearOf(to) - yearOf(from)) * 12 + monthOf(to) - monthOf(from)
}

/** For sorting: negative, zero or positive. */
export function compareDays(left: Day, right: Day): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** 1 to 12. */
export function monthOf(day: Day): number {
  return Number(assertDay(day).slice(5, 7))
}

export function yearOf(day: Day): number {
  return Number(assertDay(day).slice(0, 4))
}

/** 0 is Sunday, the first day of the week here, 6 is Saturday. */
export function weekday(day: Day): number {
  return (((toNumber(day) + 4) % 7) + 7) % 7
}

/** The day and the 24-hour time 'HH:MM' that a clock on a wall in Jerusalem shows at that moment. */
export function momentInJerusalem(moment: Date): { day: Day; time: string } {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of (jerusalem ??= clockInJerusalem()).formatToParts(moment)) parts[type] = value
  return { day: `${parts.year}-${parts.month}-${parts.day}`, time: `${parts.hour}:${parts.minute}` }
}

/**
 * The calendar day in Jerusalem at that moment: just before midnight in London it is already tomorrow here.
 */
export function dayInJerusalem(moment: Date): Day {
  return momentInJerusalem(moment).day
}

/**
 * The moment a clock in Jerusalem shows this whole hour, whichever side of the change of clocks; of an hour
 * that is skipped, the moment after it.
 */
export function momentAt(day: Day, hour: number): Date {
  const at = (offset: number) =>
    new Date(Date.parse(`${assertDay(day)}T00:00:00Z`) + (hour - offset) * 3_600_000)
  return momentInJerusalem(at(3)).time.startsWith(String(hour).padStart(2, '0')) ? at(3) : at(2)
}

let jerusalem: Intl.DateTimeFormat | undefined
/** Made when it is first asked: a page that shows no day does not wait for it. */
const clockInJerusalem = () =>
  new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', {
    timeZone: 'Asia/Jerusalem',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })

export function monthPeriod(day: Day): Period {
  return monthsAround(day, 1)
}

/** A VAT period: one month, or two beginning with an odd month (January-February and so on). */
export function vatPeriod(day: Day, months: 1 | 2): Period {
  return monthsAround(day, months)
}

export function quarterPeriod(day: Day): Period {
  return monthsAround(day, 3)
}

export function yearPeriod(day: Day): Period {
  return monthsAround(day, 12)
}

export function isInside(day: Day, period: Period): boolean {
  return day >= period.from && day <= period.to
}

function monthsAround(day: Day, length: number): Period {
  const from = addMonths(startOfMonth(day), -((monthOf(day) - 1) % length))
  return { from, to: endOfMonth(addMonths(from, length - 1)) }
}

function assertDay(day: Day): Day {
  if (!isDay(day)) throw new RangeError(`not a day: ${String(day)}`)
  return day
}

function toNumber(day: Day): number {
  return Date.parse(`${assertDay(day)}T00:00:00Z`) / MILLISECONDS_OF_DAY
}

function fromNumber(number: number): Day {
  return assertDay(new Date(number * MILLISECONDS_OF_DAY).toISOString().slice(0, 10))
}
