import { postReceipt, postTaxInvoiceReceipt } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Money received. Where no VAT is charged no invoice precedes it, and the receipt is the income. */
export const receipt = defineDocumentType({
  name: 'receipt',
  series: 'receipt',
  parts: ['customer', 'closes', 'lines', 'payments', 'notes'],
  linesOptional: true,
  mayNeedAllocation: false,
  follows: ['taxInvoice', 'paymentRequest', 'priceQuote', 'order', 'deliveryNote'],
  cancelledByItself: true,
  posts: (amounts, accounts, isIncome) => {
    const named = { ...accounts, customer: accounts.party }
    if (!isIncome) return [{ postings: postReceipt(amounts.payments, named) }]
    const { invoice, receipt: money } = postTaxInvoiceReceipt(amounts, named)
    return [{ postings: invoice }, { kind: 'receipt', postings: money }]
  },
})
