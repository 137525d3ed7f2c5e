import { postTaxInvoice } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

export const taxInvoice = defineDocumentType({
  name: 'taxInvoice',
  series: 'taxInvoice',
  parts: ['customer', 'dates', 'lines', 'deliverTo', 'discount', 'notes'],
  mayNeedAllocation: true,
  follows: ['priceQuote', 'order', 'deliveryNote', 'paymentRequest'],
  cancelledBy: 'creditInvoice',
  posts: (amounts, accounts) => [
    { postings: postTaxInvoice(amounts, { ...accounts, customer: accounts.party }) },
  ],
})
