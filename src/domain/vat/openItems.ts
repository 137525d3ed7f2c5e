import { includedRate, timesFraction, type Agorot } from '../money.ts'
import type { Day } from '../day.ts'
import { vatRateOn } from './rates.ts'

/*
 * Unpaid invoices that a business on cash basis brings from the books before: the VAT that nobody has
 * reported yet is in their sum, and falls due as they are paid.
 */

/**
 * So many agorot may a paper's VAT be from that of its sum: it was rounded once for each way prices stand on
 * it.
 */
const slack: Agorot = 5

/**
 * The most VAT that a sum may hold: what the standard rate of its day gives, and an agora that another
 * program may have rounded up.
 */
export const mostVatIn = (total: Agorot, day: Day): Agorot =>
  total > 0 ? includedRate(total, vatRateOn(day)) + 1 : 0

/**
 * How a sum with so much VAT in it was sold: what the VAT does not explain at the rate of its day was sold
 * without VAT.
 */
export function soldWith(
  total: Agorot,
  vat: Agorot,
  day: Day,
): { taxable: Agorot; untaxed: Agorot; vat: Agorot } {
  const rate = vatRateOn(day)
  const net = total - vat
  if (includedRate(total, rate) - vat <= slack) return { taxable: net, untaxed: 0, vat }
  const taxable = Math.min(net, timesFraction(vat, 10_000, rate, 'halfAwayFromZero'))
  return { taxable, untaxed: net - taxable, vat }
}
