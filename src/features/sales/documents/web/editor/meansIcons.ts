import {
  Banknote,
  CreditCard,
  Landmark,
  Percent,
  Receipt,
  Smartphone,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { PaymentMeans } from '#domain/documents/kinds.ts'

/** Every means of payment has its picture. */
export const meansIcons: Readonly<Record<PaymentMeans, LucideIcon>> = {
  cash: Banknote,
  cheque: Receipt,
  transfer: Landmark,
  card: CreditCard,
  paymentApp: Smartphone,
  payPal: Wallet,
  withheldTax: Percent,
  other: Wallet,
}
