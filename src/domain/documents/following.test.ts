import { describe, expect, test } from 'vitest'
import { leftFor, leftOpen, type Taken } from './following.ts'
import type { DocumentTypeName } from './kinds.ts'

const ten = 100_000
const of = (quantity: number) => quantity * 10_000

const cases: readonly (readonly [
  why: string,
  source: DocumentTypeName,
  taken: Taken,
  follower: DocumentTypeName,
  left: number,
])[] = [
  ['asking does not supply', 'order', { paymentRequest: ten }, 'deliveryNote', 10],
  ['nor does it keep a quote from being ordered', 'priceQuote', { paymentRequest: ten }, 'order', 10],
  ['a quote is not asked for twice', 'priceQuote', { paymentRequest: of(4) }, 'paymentRequest', 6],
  ['an ordered quote is not ordered again', 'priceQuote', { order: of(7) }, 'order', 3],
  ['an ordered quote may be asked money for', 'priceQuote', { order: ten }, 'paymentRequest', 10],
  ['an invoiced quote is asked for no more', 'priceQuote', { taxInvoice: ten }, 'paymentRequest', 0],
  [
    'delivery and invoice of an order are one supply',
    'order',
    { deliveryNote: of(4), taxInvoiceReceipt: of(3) },
    'taxInvoice',
    3,
  ],
  ['what came back is not charged', 'deliveryNote', { returnNote: of(3) }, 'taxInvoice', 7],
  ['what was charged may come back', 'deliveryNote', { taxInvoice: ten }, 'returnNote', 10],
  [
    'charged and come back leaves nothing to charge',
    'deliveryNote',
    { taxInvoice: ten, returnNote: of(3) },
    'taxInvoice',
    0,
  ],
  ['what came back does not come back twice', 'deliveryNote', { returnNote: of(3) }, 'returnNote', 7],
  [
    'a request of a delivery stands for its invoice',
    'deliveryNote',
    { paymentRequest: ten },
    'taxInvoice',
    0,
  ],
  ['an invoice may be delivered after', 'taxInvoice', { deliveryNote: ten }, 'creditInvoice', 10],
  ['what was credited is not delivered', 'taxInvoice', { creditInvoice: of(2) }, 'deliveryNote', 8],
  [
    'goods that came are not billed twice',
    'goodsReceived',
    { selfBilledInvoice: of(10) },
    'selfBilledInvoice',
    0,
  ],
  ['a kind the table does not know counts itself', 'receipt', { receipt: of(1) }, 'receipt', 9],
]

describe('what is left for a follower', () => {
  test.each(cases)('%s', (_, source, taken, follower, left) =>
    expect(leftFor(source, follower, ten, taken)).toBe(of(left)),
  )

  test('of a line that takes away it is the line itself', () =>
    expect(leftFor('order', 'taxInvoice', -ten, {})).toBe(-ten))
})

describe('what keeps a source open', () => {
  test.each([
    ['priceQuote', { paymentRequest: ten }, 0],
    ['priceQuote', { order: of(4) }, 6],
    ['order', { paymentRequest: ten }, 10],
    ['order', { taxInvoice: ten }, 0],
    ['deliveryNote', { paymentRequest: of(6), returnNote: of(1) }, 3],
    ['returnNote', {}, 10],
  ] as const)('%s after %j: %d', (source, taken, left) => expect(leftOpen(source, ten, taken)).toBe(of(left)))
})
