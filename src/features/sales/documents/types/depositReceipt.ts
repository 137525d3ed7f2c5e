import { postDeposit } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

/** Money held for its owner. It has a separate account, because it closes no debt and is no income. */
export const depositReceipt = defineDocumentType({
  name: 'depositReceipt',
  series: 'depositReceipt',
  parts: ['customer', 'payments', 'notes'],
  linesOptional: true,
  mayNeedAllocation: false,
  follows: [],
  cancelledByItself: true,
  posts: (amounts, accounts) => [{ postings: postDeposit(amounts.payments, accounts.trustDeposits) }],
})
