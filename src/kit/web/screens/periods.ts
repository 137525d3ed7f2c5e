import {
  addDays,
  addMonths,
  isDay,
  monthPeriod,
  startOfMonth,
  vatPeriod,
  yearOf,
  yearPeriod,
  type Day,
  type Period,
} from '../../../domain/day.ts'

/** A period people ask reports for. Its words are `kit.reports.periods.<key>`. */
export interface Preset {
  key: 'untilToday' | 'thisMonth' | 'lastMonth' | 'thisVat' | 'lastVat' | 'lastYear'
  period: Period
}

/** What a report shows until told otherwise: this year until today. */
export const firstPeriod = (today: Day): Period => ({ from: `${yearOf(today)}-01-01`, to: today })

/**
 * The offered periods, by today. A VAT period is of one month or two, as the business reports; where nobody knows, or no VAT is reported,
 * none is offered.
 */
export function presets(today: Day, vatMonths?: 1 | 2): Preset[] {
  const vat = vatMonths && vatPeriod(today, vatMonths)
  return [
    { key: 'untilToday', period: firstPeriod(today) },
    { key: 'thisMonth', period: monthPeriod(today) },
    { key: 'lastMonth', period: monthPeriod(addMonths(startOfMonth(today), -1)) },
    // With monthly reports a VAT period is a month, which stands there already.
    ...(vat && vatMonths === 2
      ? [
          { key: 'thisVat' as const, period: vat },
          { key: 'lastVat' as const, period: vatPeriod(addDays(vat.from, -1), vatMonths) },
        ]
      : []),
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

let vatMonths: (() => Promise<number | null>) | undefined

/** The feature that knows the business tells how many months its VAT period has. Asked when the periods are first opened. */
export function provideVatMonths(ask: () => Promise<number | null>): void {
  vatMonths = ask
}

export async function askVatMonths(): Promise<1 | 2 | null> {
  const months = await vatMonths?.()
  return months === 1 || months === 2 ? months : null
}
