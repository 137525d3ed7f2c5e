import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Goods that came back. */
export const returnNote = defineDocumentType({
  name: 'returnNote',
  series: 'returnNote',
  parts: ['customer', 'dates', 'lines', 'notes'],
  mayNeedAllocation: false,
  follows: ['deliveryNote'],
})
