import { postCreditInvoice } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

// example: documentType
/** Its figures are positive, on paper and in the uniform file; the type turns their meaning round. */
export const creditInvoice = defineDocumentType({
  name: 'creditInvoice',
  series: 'creditInvoice',
  parts: ['original', 'lines', 'reason'],
  mayNeedAllocation: false,
  follows: ['taxInvoice', 'taxInvoiceReceipt'],
  posts: (amounts, accounts) => [
    { postings: postCreditInvoice(amounts, { ...accounts, customer: accounts.party }) },
  ],
})
// example end
