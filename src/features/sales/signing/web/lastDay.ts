import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'

/** A document expires at midnight: people see the day before it. */
export const lastDay = (expiresAt: string): string =>
  formatDay(dayInJerusalem(new Date(new Date(expiresAt).getTime() - 1)))
