import { paymentMeans, type PaymentMeans } from '#domain/documents/kinds.ts'

/** In the order of use, where a business has not said its own. */
export const usualMeans: readonly PaymentMeans[] = [
  'transfer',
  'cheque',
  'cash',
  'paymentApp',
  'card',
  'withheldTax',
  'payPal',
  'other',
]
export const cardBrands = ['visa', 'mastercard', 'isracard', 'amex', 'diners'] as const

/** The word of a card's brand; what is no brand we know stays as it was written. */
export const brandWord = (brand: string, say: (key: string) => string): string => {
  const known = cardBrands.find((one) => one === brand.trim().toLowerCase())
  return known ? say(`documents.money.brand.${known}`) : brand
}

/** The means of payment a business offers, in its own order; all of them when it said nothing. */
export function meansOffered(receiptMeans: string): readonly PaymentMeans[] {
  const said = receiptMeans.split(',').filter((one): one is PaymentMeans => one in paymentMeans)
  return said.length ? said : usualMeans
}

/** Known names, each once. */
export const isMeansList = (text: string): boolean => {
  const names = text.split(',')
  return names.every((one) => one in paymentMeans) && new Set(names).size === names.length
}
