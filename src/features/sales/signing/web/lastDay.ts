import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'

/** A paper ends at midnight: people are told the day before it. */
export const lastDay = (expiresAt: string): string =>
  formatDay(dayInJerusalem(new Date(new Date(expiresAt).getTime() - 1)))
