import { addDays, weekday, type Day } from '#domain/day.ts'
import type { ReadRate } from './read.ts'

/** Around which rates made-up ones move. */
const around: Readonly<Record<string, number>> = {
  USD: 3.61,
  EUR: 4.12,
  GBP: 4.83,
  CHF: 4.4,
  JPY: 0.0243,
  CAD: 2.61,
  AUD: 2.35,
  JOD: 5.09,
}

/** In place of the bank of Israel: the same rates for the same days, Monday to Friday. */
export function simulatedRates(from: Day, to: Day): ReadRate[] {
  const rows: ReadRate[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (weekday(day) === 0 || weekday(day) === 6) continue
    const turn = Number(day.slice(8)) + 3 * Number(day.slice(5, 7))
    for (const [currency, rate] of Object.entries(around))
      rows.push({ currency, day, rate: (rate * (1 + Math.sin(turn / 4) / 100)).toFixed(4) })
  }
  return rows
}
