import { describe, expect, test } from 'vitest'
import { languageById } from '../languages.ts'
import {
  businessKindById,
  businessKinds,
  documentStatusById,
  documentStatuses,
  documentTypeById,
  documentTypeNames,
  labelOf,
  documentTypes,
  documentTypesFor,
  mayIssue,
  paymentMeansById,
  vatKindById,
  type BusinessKind,
} from './kinds.ts'

test('ids that clients already store keep their meaning', () => {
  expect([1, 2, 3, 5, 6, 8, 9, 10, 11].map(documentTypeById)).toEqual([
    'priceQuote',
    'order',
    'deliveryNote',
    'paymentRequest',
    'receipt',
    'taxInvoice',
    'taxInvoiceReceipt',
    'creditInvoice',
    'donationReceipt',
  ])
  expect([359, 139, 606, 15, 282].map(languageById)).toEqual(['he', 'en', 'ru', 'ar', 'fr'])
  expect([1, 2, 3, 4].map(vatKindById)).toEqual(['beforeVat', 'includingVat', 'trustDeposit', 'withoutVat'])
  expect([1, 2, 3, 4].map(documentStatusById)).toEqual(['issued', 'draft', 'cancelled', 'closed'])
  expect([1, 5].map(businessKindById)).toEqual(['licensedDealer', 'exemptDealer'])
  expect([1, 7].map(paymentMeansById)).toEqual(['cash', 'withheldTax'])
})

test('an id nobody knows has no name', () => {
  expect(documentTypeById(0)).toBeUndefined()
  expect(documentTypeById(999)).toBeUndefined()
  expect(languageById(5)).toBeUndefined()
  expect(vatKindById(1.5)).toBeUndefined()
})

test('ids run from 1 without a gap, in the order of the table', () => {
  expect(documentTypeNames.length).toBeGreaterThanOrEqual(14)
  expect(documentTypeNames.map((name) => documentTypes[name].id)).toEqual(
    documentTypeNames.map((_, i) => i + 1),
  )
})

test('the states as the API numbers them, in the order of the numbers', () => {
  expect(Object.entries(documentStatuses).slice(0, 5)).toEqual([
    ['issued', 1],
    ['draft', 2],
    ['cancelled', 3],
    ['closed', 4],
    ['partlyClosed', 5],
  ])
})

test('the codes of the tax authority', () => {
  const codes = Object.fromEntries(documentTypeNames.map((name) => [name, documentTypes[name].uniformCode]))
  expect(codes).toMatchObject({
    taxInvoice: 305,
    taxInvoiceReceipt: 320,
    creditInvoice: 330,
    receipt: 400,
    donationReceipt: 405,
    paymentRequest: 300,
  })
  expect(codes.priceQuote).toBeUndefined()
})

test('documents whose date may not lie in the future', () => {
  expect(documentTypeNames.filter((name) => documentTypes[name].isTaxDocument)).toEqual([
    'receipt',
    'taxInvoice',
    'taxInvoiceReceipt',
    'creditInvoice',
    'donationReceipt',
    'selfBilledInvoice',
    'depositReceipt',
  ])
})

describe('what a kind of business may issue', () => {
  test.each(['licensedDealer', 'partnership', 'company'] as const)('a %s issues everything', (kind) => {
    expect(documentTypesFor(kind)).toEqual(documentTypeNames)
  })

  test('an exempt dealer: everything but what charges or credits VAT, and donation receipts', () => {
    const refused = documentTypeNames.filter((name) => !documentTypesFor('exemptDealer').includes(name))
    expect(refused).toEqual([
      'taxInvoice',
      'taxInvoiceReceipt',
      'creditInvoice',
      'donationReceipt',
      'selfBilledInvoice',
    ])
  })

  test('a non-profit also donation receipts, and nothing with VAT', () => {
    expect(mayIssue('nonProfit', 'donationReceipt')).toBe(true)
    expect(mayIssue('nonProfit', 'taxInvoice')).toBe(false)
    expect(mayIssue('nonProfit', 'creditInvoice')).toBe(false)
  })

  test('everybody may issue a receipt', () => {
    for (const kind of Object.keys(businessKinds) as BusinessKind[])
      expect(mayIssue(kind, 'receipt')).toBe(true)
  })
})

test.each([
  [5, 1, false, 'billingAccount'],
  [5, 4, false, 'billingAccount'],
  [5, 5, false, 'billingAccount'],
  [5, 6, false, 'billingAccount'],
  [5, 8, false, 'billingAccount'],
  [5, 0, true, null],
  [5, 2, false, null],
  [5, 3, false, null],
  [5, 7, false, null],
  [1, 0, true, 'priceQuoteRequest'],
  [1, 4, false, null],
  [8, 4, true, null],
])('type %s, sub-type %s, pro %s: %s', (type, subType, pro, label) =>
  expect(labelOf({ type, subType, pro })).toBe(label),
)
