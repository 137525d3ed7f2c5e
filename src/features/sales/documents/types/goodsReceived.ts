import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Goods that arrived from a supplier, before the supplier's bill. */
export const goodsReceived = defineDocumentType({
  name: 'goodsReceived',
  series: 'goodsReceived',
  parts: ['supplier', 'dates', 'lines', 'notes'],
  mayNeedAllocation: false,
  follows: ['purchaseOrder'],
})
