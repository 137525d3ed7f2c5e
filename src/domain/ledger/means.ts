import type { PaymentMeans } from '../documents/kinds.ts'
import type { SystemAccount } from './chart.ts'

/** Where money by each means lands in the books. */
export const accountOfMeans: Readonly<Record<PaymentMeans, SystemAccount>> = {
  cash: 'cash',
  cheque: 'cheques',
  transfer: 'bank',
  card: 'cardClearing',
  paymentApp: 'bank',
  payPal: 'cardClearing',
  withheldTax: 'withheldByCustomers',
  other: 'bank',
}
