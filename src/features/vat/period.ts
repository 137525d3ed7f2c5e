import { addDays, vatPeriod, type Period } from '../../domain/day.ts'
import { getCompany } from '../companies/endpoints.ts'

/** The settings of the business say how many months its VAT period has. */
export const vatPeriodOfBusiness = getCompany

/** The VAT period of a month 'YYYY-MM'; without one the last that is over. */
export function periodOfMonth(month: string | undefined, today: string, months: 1 | 2): Period {
  if (month) return vatPeriod(`${month}-01`, months)
  return vatPeriod(addDays(vatPeriod(today, months).from, -1), months)
}

/** How the authority names a period: its last month. */
export const monthName = (period: Period): string => period.to.slice(0, 7)
