import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Goods that came from a supplier, before his bill. */
export const goodsReceived = defineDocumentType({
  name: 'goodsReceived',
  series: 'goodsReceived',
  parts: ['supplier', 'dates', 'lines', 'notes'],
  mayNeedAllocation: false,
  follows: ['purchaseOrder'],
})
