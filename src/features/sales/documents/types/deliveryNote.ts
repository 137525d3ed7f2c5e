import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Goods on their way to the customer; the invoice follows. */
export const deliveryNote = defineDocumentType({
  name: 'deliveryNote',
  series: 'deliveryNote',
  parts: ['customer', 'dates', 'lines', 'deliverTo', 'discount', 'notes'],
  delivers: true,
  mayNeedAllocation: false,
  follows: ['priceQuote', 'order', 'taxInvoice', 'taxInvoiceReceipt'],
})
