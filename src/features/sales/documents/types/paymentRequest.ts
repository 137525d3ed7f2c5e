import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Asks for money before an invoice: nothing is owed in the books, and whoever pays gets an invoice or a receipt. */
export const paymentRequest = defineDocumentType({
  name: 'paymentRequest',
  series: 'paymentRequest',
  parts: ['customer', 'dates', 'lines', 'deliverTo', 'discount', 'notes'],
  debt: 0,
  asks: true,
  mayNeedAllocation: false,
  follows: ['priceQuote', 'order', 'deliveryNote'],
})
