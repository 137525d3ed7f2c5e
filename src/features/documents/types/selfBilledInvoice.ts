import { postSelfBilledInvoice } from '../../../domain/ledger/posting.ts'
import { defineDocumentType } from '../../../kit/describe/documentType.ts'

/** Written by the buyer in the supplier's stead: what the buyer owes, seen from the buyer's books. */
export const selfBilledInvoice = defineDocumentType({
  name: 'selfBilledInvoice',
  series: 'selfBilledInvoice',
  parts: ['supplier', 'dates', 'lines', 'discount', 'notes'],
  debt: 0,
  mayNeedAllocation: true,
  follows: ['purchaseOrder', 'goodsReceived'],
  posts: (amounts, accounts) => [{ postings: postSelfBilledInvoice(amounts, { ...accounts, supplier: accounts.party }) }],
})
