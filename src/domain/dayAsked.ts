import { isDay } from './day.ts'

/** A day that somebody searches for, as it is written in Israel or by a computer: 5.3.2026, 05/03/26, 2026-03-05. */
export function dayAsked(text: string): string | undefined {
  const [, d, m, y] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$/.exec(text.trim()) ?? []
  const day =
    d === undefined
      ? text.trim()
      : `${y!.length === 2 ? `20${y}` : y}-${m!.padStart(2, '0')}-${d.padStart(2, '0')}`
  return isDay(day) ? day : undefined
}
