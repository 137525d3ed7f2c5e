import { addDays, type Day, type Period } from '#domain/day.ts'
import type { ReturnFigures } from '#domain/vat/papers.ts'
import { listVatFrequencies } from '#features/base/companies/endpoints.ts'

/** The business says how many months its VAT period has, from which day on. */
export const vatPeriodOfBusiness = listVatFrequencies

/** The VAT period of a month 'YYYY-MM'; without one the last that is over. */
export function periodOfMonth(month: string | undefined, today: Day, periodOn: (day: Day) => Period): Period {
  if (month) return periodOn(`${month}-01`)
  return periodOn(addDays(periodOn(today).from, -1))
}

/** How the authority names a period: its last month. */
export const monthName = (period: Period): string => period.to.slice(0, 7)

/** Months of the periods beside it. */
export const neighbours = (period: Period): { before: string; after: string } => ({
  before: addDays(period.from, -1).slice(0, 7),
  after: addDays(period.to, 1).slice(0, 7),
})

/** The documents behind a figure of a return; of a kind of record of the detailed report, those that it names. */
export const opensFigure = (
  name: keyof ReturnFigures | null,
  { from, to }: Period,
  record?: string,
): string =>
  `/invoice/reportvatpapers?from=${from}&to=${to}${name && name !== 'toPay' ? `&line=${name}` : ''}${record ? `&record=${record}` : ''}`
