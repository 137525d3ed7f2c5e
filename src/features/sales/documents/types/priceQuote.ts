import { defineDocumentType } from '#kit/describe/documentType.ts'

/** An offer. It binds nobody and moves nothing until it becomes something else. */
export const priceQuote = defineDocumentType({
  name: 'priceQuote',
  series: 'priceQuote',
  parts: ['customer', 'dates', 'validUntil', 'lines', 'deliverTo', 'discount', 'notes'],
  mayNeedAllocation: false,
  follows: [],
})
