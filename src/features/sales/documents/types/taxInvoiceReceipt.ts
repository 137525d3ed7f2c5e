import { postTaxInvoiceReceipt } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

/** An invoice that is paid as it is written: nothing of it stays open. */
export const taxInvoiceReceipt = defineDocumentType({
  name: 'taxInvoiceReceipt',
  series: 'taxInvoiceReceipt',
  parts: ['customer', 'dates', 'lines', 'deliverTo', 'discount', 'payments', 'notes'],
  mayNeedAllocation: true,
  follows: ['priceQuote', 'order', 'deliveryNote', 'paymentRequest'],
  cancelledBy: 'creditInvoice',
  posts: (amounts, accounts) => {
    const { invoice, receipt } = postTaxInvoiceReceipt(amounts, { ...accounts, customer: accounts.party })
    return [{ postings: invoice }, { kind: 'receipt', postings: receipt }]
  },
})
