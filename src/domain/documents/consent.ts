import type { DocumentTypeName } from './kinds.ts'

/**
 * Papers that a customer gets by electronic means only with his consent: receipts, invoices, tax invoices and credit notes (bookkeeping
 * rules, section 18b). A quote, an order or a delivery note is a letter like any other.
 */
const types: ReadonlySet<DocumentTypeName> = new Set(['taxInvoice', 'taxInvoiceReceipt', 'creditInvoice', 'receipt', 'donationReceipt'])

export const wantsConsent = (type: DocumentTypeName | undefined): boolean => type !== undefined && types.has(type)
