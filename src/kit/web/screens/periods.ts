import {
  addDays,
  addMonths,
  isDay,
  monthPeriod,
  startOfMonth,
  yearOf,
  yearPeriod,
  type Day,
  type Period,
} from '#domain/day.ts'

/** A period people ask reports for. Its words are `kit.reports.periods.<key>`. */
export interface Preset {
  key: 'untilToday' | 'thisMonth' | 'lastMonth' | 'thisVat' | 'lastVat' | 'lastYear'
  period: Period
}

/** What a report shows until told otherwise: this year until today. */
export const firstPeriod = (today: Day): Period => ({ from: `${yearOf(today)}-01-01`, to: today })

/** A VAT period of a month is there already. */
const isMonth = ({ from, to }: Period): boolean => from.slice(0, 7) === to.slice(0, 7)

/**
 * The offered periods, by today. A VAT period is of one month or two, as the business reported then; where
 * nobody knows, or no VAT is reported, none is offered.
 */
export function presets(today: Day, vatPeriodOn?: (day: Day) => Period): Preset[] {
  const vat = vatPeriodOn?.(today)
  return [
    { key: 'untilToday', period: firstPeriod(today) },
    { key: 'thisMonth', period: monthPeriod(today) },
    { key: 'lastMonth', period: monthPeriod(addMonths(startOfMonth(today), -1)) },
    ...(vat
      ? [
          { key: 'thisVat' as const, period: vat },
          { key: 'lastVat' as const, period: vatPeriodOn!(addDays(vat.from, -1)) },
        ]
      : []
    ).filter(({ period }) => !isMonth(period)),
    { key: 'lastYear', period: yearPeriod(addMonths(startOfMonth(today), -12)) },
  ]
}

/** The period of an address; broken or missing ends are those of the first period. */
export function periodIn(query: { from?: string | undefined; to?: string | undefined }, today: Day): Period {
  const first = firstPeriod(today)
  const from = query.from && isDay(query.from) ? query.from : undefined
  const to = query.to && isDay(query.to) ? query.to : undefined
  if (from && to) return from <= to ? { from, to } : first
  if (from) return { from, to: from > first.to ? from : first.to }
  if (to) return { from: `${yearOf(to)}-01-01`, to }
  return first
}

let vatPeriods: (() => Promise<(day: Day) => Period>) | undefined

/**
 * The feature that knows the business tells which VAT period a day is in. Asked when the periods are first
 * opened.
 */
export function provideVatPeriods(ask: () => Promise<(day: Day) => Period>): void {
  vatPeriods = ask
}

export const askVatPeriods = async (): Promise<((day: Day) => Period) | null> =>
  (await vatPeriods?.()) ?? null
