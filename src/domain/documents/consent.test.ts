import { expect, test } from 'vitest'
import { wantsCertified, wantsConsent } from './consent.ts'
import { documentTypeNames } from './kinds.ts'

test('consent is asked for what the rules name', () => {
  expect(documentTypeNames.filter(wantsConsent)).toEqual([
    'receipt',
    'taxInvoice',
    'taxInvoiceReceipt',
    'creditInvoice',
    'donationReceipt',
  ])
})

test.each([
  ['receipt', ['cash'], true],
  ['receipt', ['transfer', 'cash'], true],
  ['taxInvoiceReceipt', ['paymentApp'], true],
  ['donationReceipt', ['other'], true],
  ['receipt', ['card', 'cheque', 'transfer'], false],
  ['receipt', ['transfer', 'withheldTax'], false],
  ['taxInvoice', ['cash'], false],
  ['receipt', [], false],
] as const)('%s paid by %s wants a certified signature: %s', (type, means, wants) =>
  expect(wantsCertified(type, means)).toBe(wants),
)
