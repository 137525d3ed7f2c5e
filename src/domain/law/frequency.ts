import { addDays, vatPeriod, type Day, type Period } from '../day.ts'

/** How many months a VAT period has, from a day on. */
export interface VatFrequency {
  from: Day
  months: 1 | 2
}

/** Before anything was ever reported. */
export const sinceEver: Day = '1900-01-01'

/**
 * The VAT period of a day by the frequency that held on it. `frequencies` in their order. A period ends where
 * another frequency begins: the person who goes over to two months in the middle of such a pair has one month left
 * of it.
 */
export function vatPeriodAmong(frequencies: readonly VatFrequency[], day: Day): Period {
  const at = Math.max(
    frequencies.findLastIndex(({ from }) => from <= day),
    0,
  )
  const { from: since, months } = frequencies[at]!
  const next = frequencies[at + 1]
  const { from, to } = vatPeriod(day, months)
  return {
    from: at > 0 && from < since ? since : from,
    to: next && to >= next.from ? addDays(next.from, -1) : to,
  }
}

/**
 * The days that are open in the VAT: those of the running period, and of the one before as long as it waits
 * for its report, which was not made and whose day has not passed. Back into them a paper may be dated where
 * a business allows it.
 */
export function openVatPeriod(
  today: Day,
  vatPeriodOn: (day: Day) => Period,
  vatDueOn: (to: Day) => Day,
  reported: readonly Period[],
): Period {
  const running = vatPeriodOn(today)
  const before = vatPeriodOn(addDays(running.from, -1))
  const waits =
    today <= vatDueOn(before.to) && !reported.some(({ from, to }) => from <= before.to && before.to <= to)
  return waits ? { from: before.from, to: running.to } : running
}
