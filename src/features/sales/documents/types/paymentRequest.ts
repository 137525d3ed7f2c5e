import { defineDocumentType } from '#kit/describe/documentType.ts'

/**
 * Asks for money before an invoice: nothing is owed in the books, and the person who pays gets an invoice or a
 * receipt.
 */
export const paymentRequest = defineDocumentType({
  name: 'paymentRequest',
  series: 'paymentRequest',
  parts: ['customer', 'dates', 'lines', 'deliverTo', 'discount', 'notes'],
  mayNeedAllocation: false,
  follows: ['priceQuote', 'order', 'deliveryNote'],
})
