import { defineDocumentType } from '#kit/describe/documentType.ts'

/** What a customer ordered; what is left of it is what is still to be supplied. */
export const order = defineDocumentType({
  name: 'order',
  series: 'order',
  parts: ['customer', 'dates', 'validUntil', 'lines', 'deliverTo', 'discount', 'notes'],
  delivers: true,
  promises: true,
  mayNeedAllocation: false,
  follows: ['priceQuote'],
})
