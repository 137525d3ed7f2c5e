import type { DocumentTypeName, PaymentMeans } from './kinds.ts'

/**
 * Papers that a customer gets by electronic means only with his consent: receipts, invoices, tax invoices and credit notes (bookkeeping
 * rules, section 18b). A quote, an order or a delivery note is a letter like any other.
 */
const types: ReadonlySet<DocumentTypeName> = new Set([
  'taxInvoice',
  'taxInvoiceReceipt',
  'creditInvoice',
  'receipt',
  'donationReceipt',
])

export const wantsConsent = (type: DocumentTypeName | undefined): boolean =>
  type !== undefined && types.has(type)

/** Receipts by electronic means, for whatever was paid. */
const receipts: ReadonlySet<DocumentTypeName> = new Set(['taxInvoiceReceipt', 'receipt', 'donationReceipt'])
/** What a receipt may be for whose signature is secured but not certified (section 18b): a card, a crossed cheque, a transfer. Tax withheld is no money that came. */
const plainMeans: ReadonlySet<PaymentMeans> = new Set(['card', 'cheque', 'transfer', 'withheldTax'])

/** Whether the rules let this receipt go by electronic means only with a certified signature. */
export const wantsCertified = (type: DocumentTypeName | undefined, means: readonly PaymentMeans[]): boolean =>
  type !== undefined && receipts.has(type) && means.some((one) => !plainMeans.has(one))
