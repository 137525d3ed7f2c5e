import { postTaxInvoiceReceipt } from '#domain/ledger/posting.ts'
import { defineDocumentType } from '#kit/describe/documentType.ts'

/** A donation, for the credit of section 46. The giver owes nothing before and nothing after. */
export const donationReceipt = defineDocumentType({
  name: 'donationReceipt',
  series: 'donationReceipt',
  parts: ['customer', 'payments', 'notes'],
  linesOptional: true,
  mayNeedAllocation: false,
  area: 'donations',
  follows: [],
  cancelledByItself: true,
  posts: (amounts, accounts) => {
    const { invoice, receipt } = postTaxInvoiceReceipt(amounts, { ...accounts, customer: accounts.party })
    return [{ postings: invoice }, { kind: 'receipt', postings: receipt }]
  },
})
