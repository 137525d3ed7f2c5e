import { describe, expect, test } from 'vitest'
import { businessKinds, mayIssue, paymentMeans, type BusinessKind, type PaymentMeans } from './kinds.ts'
import { neededDocument, type MoneyReceived } from './needed.ts'

const kinds = Object.keys(businessKinds) as BusinessKind[]
const means = Object.keys(paymentMeans) as PaymentMeans[]
const always = (kind: BusinessKind) => [{ from: '2000-01-01', kind }]
const asked = (more: Partial<MoneyReceived>): MoneyReceived => ({
  kinds: always('licensedDealer'),
  day: '2026-11-29',
  for: 'sale',
  pays: 'nothing',
  means: ['card'],
  ...more,
})

/*
 * Written out by hand from the rules, a line for each kind of business, purpose and what is paid. Whether the money came
 * by card, cash, cheque or transfer changes nothing.
 */
const table: [
  BusinessKind,
  MoneyReceived['for'],
  MoneyReceived['pays'],
  document: string,
  because: string,
][] = [
  ['licensedDealer', 'sale', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['licensedDealer', 'sale', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['licensedDealer', 'sale', 'invoice', 'receipt', 'paysInvoice'],
  ['licensedDealer', 'donation', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['licensedDealer', 'donation', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['licensedDealer', 'deposit', 'nothing', 'depositReceipt', 'deposit'],
  ['licensedDealer', 'deposit', 'request', 'depositReceipt', 'deposit'],
  ['partnership', 'sale', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['partnership', 'sale', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['partnership', 'sale', 'invoice', 'receipt', 'paysInvoice'],
  ['partnership', 'donation', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['partnership', 'donation', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['partnership', 'deposit', 'nothing', 'depositReceipt', 'deposit'],
  ['partnership', 'deposit', 'request', 'depositReceipt', 'deposit'],
  ['company', 'sale', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['company', 'sale', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['company', 'sale', 'invoice', 'receipt', 'paysInvoice'],
  ['company', 'donation', 'nothing', 'taxInvoiceReceipt', 'chargesVat'],
  ['company', 'donation', 'request', 'taxInvoiceReceipt', 'chargesVat'],
  ['company', 'deposit', 'nothing', 'depositReceipt', 'deposit'],
  ['company', 'deposit', 'request', 'depositReceipt', 'deposit'],
  ['exemptDealer', 'sale', 'nothing', 'receipt', 'chargesNoVat'],
  ['exemptDealer', 'sale', 'request', 'receipt', 'chargesNoVat'],
  ['exemptDealer', 'sale', 'invoice', 'receipt', 'paysInvoice'],
  ['exemptDealer', 'donation', 'nothing', 'receipt', 'chargesNoVat'],
  ['exemptDealer', 'donation', 'request', 'receipt', 'chargesNoVat'],
  ['exemptDealer', 'deposit', 'nothing', 'depositReceipt', 'deposit'],
  ['exemptDealer', 'deposit', 'request', 'depositReceipt', 'deposit'],
  ['nonProfit', 'sale', 'nothing', 'receipt', 'chargesNoVat'],
  ['nonProfit', 'sale', 'request', 'receipt', 'chargesNoVat'],
  ['nonProfit', 'sale', 'invoice', 'receipt', 'paysInvoice'],
  ['nonProfit', 'donation', 'nothing', 'donationReceipt', 'donation'],
  ['nonProfit', 'donation', 'request', 'donationReceipt', 'donation'],
  ['nonProfit', 'deposit', 'nothing', 'depositReceipt', 'deposit'],
  ['nonProfit', 'deposit', 'request', 'depositReceipt', 'deposit'],
]

describe('the document that money needs', () => {
  test.each(table)('%s, %s, paying %s: %s', (kind, purpose, pays, document, because) => {
    for (const one of means) {
      const needed = neededDocument(asked({ kinds: always(kind), for: purpose, pays, means: [one] }))
      if (one === 'withheldTax' && pays !== 'invoice') expect(needed).toBeUndefined()
      else expect(needed).toEqual({ document, because })
    }
  })

  test('the table has every kind, purpose and what is paid, but a deposit or donation that pays an invoice', () => {
    const lines = table.map(([kind, purpose, pays]) => `${kind} ${purpose} ${pays}`)
    const all = kinds.flatMap((kind) => [
      ...(['nothing', 'request', 'invoice'] as const).map((pays) => `${kind} sale ${pays}`),
      ...(['donation', 'deposit'] as const).flatMap((purpose) => [
        `${kind} ${purpose} nothing`,
        `${kind} ${purpose} request`,
      ]),
    ])
    expect(lines.toSorted()).toEqual(all.toSorted())
  })

  test('is one that the business may issue', () => {
    for (const [kind, purpose, pays] of table)
      expect(
        mayIssue(kind, neededDocument(asked({ kinds: always(kind), for: purpose, pays }))!.document),
      ).toBe(true)
  })

  test('tax that was withheld beside money changes nothing', () => {
    expect(neededDocument(asked({ means: ['withheldTax', 'transfer'] }))?.document).toBe('taxInvoiceReceipt')
    expect(neededDocument(asked({ means: ['withheldTax', 'withheldTax'] }))).toBeUndefined()
  })

  test('the kind of the day of the money counts', () => {
    const became = [
      { from: '2024-03-01', kind: 'exemptDealer' },
      { from: '2026-07-01', kind: 'licensedDealer' },
    ] as const
    const on = (day: string) => neededDocument(asked({ kinds: became, day }))?.document
    expect(on('2026-06-30')).toBe('receipt')
    expect(on('2026-07-01')).toBe('taxInvoiceReceipt')
    expect(on('2020-01-01')).toBe('receipt')
  })

  test('what cannot be is refused', () => {
    expect(() => neededDocument(asked({ means: [] }))).toThrow(RangeError)
    expect(() => neededDocument(asked({ kinds: [] }))).toThrow(RangeError)
    expect(() => neededDocument(asked({ for: 'deposit', pays: 'invoice' }))).toThrow(RangeError)
    expect(() => neededDocument(asked({ for: 'donation', pays: 'invoice' }))).toThrow(RangeError)
  })
})
