import { typeFacts } from './facts.ts'
import type { DocumentTypeName, PaymentMeans } from './kinds.ts'

/**
 * Documents that a customer gets by electronic means only with consent: receipts, invoices, tax invoices and credit
 * notes (bookkeeping rules, section 18b). A quote, an order or a delivery note may be sent like any other message.
 */
export const wantsConsent = (type: DocumentTypeName | undefined): boolean =>
  type !== undefined && (typeFacts(type).isInvoiceOrCredit || typeFacts(type).isReceipt)

/**
 * What a receipt may be for whose signature is secured but not certified (section 18b): a card, a crossed
 * cheque, a transfer. Tax withheld is no money that came.
 */
const plainMeans: ReadonlySet<PaymentMeans> = new Set(['card', 'cheque', 'transfer', 'withheldTax'])

/** Whether the rules let this receipt go by electronic means only with a certified signature. */
export const wantsCertified = (type: DocumentTypeName | undefined, means: readonly PaymentMeans[]): boolean =>
  type !== undefined && typeFacts(type).isReceipt && means.some((one) => !plainMeans.has(one))
