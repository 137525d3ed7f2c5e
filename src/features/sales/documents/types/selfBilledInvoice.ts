import { defineDocumentType } from '#kit/describe/documentType.ts'

/**
 * Written by the buyer in the supplier's stead. It posts nothing itself: the bill that comes with it does.
 */
export const selfBilledInvoice = defineDocumentType({
  name: 'selfBilledInvoice',
  series: 'selfBilledInvoice',
  parts: ['supplier', 'dates', 'lines', 'discount', 'notes'],
  isBill: true,
  mayNeedAllocation: true,
  follows: ['purchaseOrder', 'goodsReceived'],
})
