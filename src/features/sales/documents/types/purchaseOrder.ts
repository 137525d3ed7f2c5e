import { defineDocumentType } from '#kit/describe/documentType.ts'

/** What we ordered from a supplier. */
export const purchaseOrder = defineDocumentType({
  name: 'purchaseOrder',
  series: 'purchaseOrder',
  parts: ['supplier', 'dates', 'validUntil', 'lines', 'discount', 'notes'],
  promises: true,
  mayNeedAllocation: false,
  follows: [],
})
