import { describe, expect, test } from 'vitest'
import type { DocumentTypeName } from './kinds.ts'
import { inProcessOrder, stepsOf, type DocumentStep, type StepFacts } from './steps.ts'

const said = (step: DocumentStep | undefined): string =>
  step === undefined ? '–' : 'type' in step ? `${step.do} ${step.type}` : step.do

const facts = (over: Partial<StepFacts> & Pick<StepFacts, 'type'>): StepFacts => ({
  status: 'issued',
  isSent: false,
  toPayAgorot: 0,
  next: [],
  maySend: true,
  mayBill: false,
  mayStart: true,
  ...over,
})

const afterInvoice: DocumentTypeName[] = ['deliveryNote', 'receipt']
const afterRequest: DocumentTypeName[] = ['receipt', 'taxInvoice', 'taxInvoiceReceipt']
const afterQuote: DocumentTypeName[] = [
  'receipt',
  'taxInvoiceReceipt',
  'taxInvoice',
  'paymentRequest',
  'deliveryNote',
  'order',
]

describe('the primary action and the one beside it', () => {
  test.each<[string, Partial<StepFacts> & Pick<StepFacts, 'type'>, string, string]>([
    ['issued', { type: 'taxInvoice', toPayAgorot: 100, next: afterInvoice }, 'send', 'receive receipt'],
    [
      'sent and open',
      { type: 'taxInvoice', isSent: true, toPayAgorot: 100, next: afterInvoice },
      'receive receipt',
      'sendAgain',
    ],
    [
      'partly paid',
      { type: 'taxInvoice', status: 'partlyClosed', isSent: true, toPayAgorot: 40, next: afterInvoice },
      'receive receipt',
      'sendAgain',
    ],
    [
      'paid',
      { type: 'taxInvoice', status: 'closed', isSent: true, next: afterInvoice },
      'another taxInvoice',
      'sendAgain',
    ],
    [
      'paid before it was sent',
      { type: 'taxInvoice', status: 'closed', next: afterInvoice },
      'send',
      'another taxInvoice',
    ],
    [
      'sent, and the person may not receive money',
      { type: 'taxInvoice', isSent: true, toPayAgorot: 100 },
      'another taxInvoice',
      'sendAgain',
    ],
    ['a receipt', { type: 'receipt', status: 'closed' }, 'send', 'another receipt'],
    [
      'a receipt that was sent',
      { type: 'receipt', status: 'closed', isSent: true },
      'another receipt',
      'sendAgain',
    ],
    [
      'a request of a licensed dealer',
      { type: 'paymentRequest', isSent: true, toPayAgorot: 100, next: afterRequest },
      'receive taxInvoiceReceipt',
      'sendAgain',
    ],
    [
      'a request of an exempt dealer',
      { type: 'paymentRequest', isSent: true, toPayAgorot: 100, next: ['receipt'] },
      'receive receipt',
      'sendAgain',
    ],
    ['a quote', { type: 'priceQuote', next: afterQuote }, 'send', 'make order'],
    [
      'a quote that was sent',
      { type: 'priceQuote', isSent: true, next: afterQuote },
      'make order',
      'make deliveryNote',
    ],
    [
      'a quote that became an order',
      { type: 'priceQuote', status: 'closed', isSent: true, next: afterQuote },
      'another priceQuote',
      'sendAgain',
    ],
    [
      'an order that was sent',
      { type: 'order', isSent: true, next: ['receipt', 'taxInvoice', 'deliveryNote'] },
      'make deliveryNote',
      'make taxInvoice',
    ],
    ['goods received', { type: 'goodsReceived', mayBill: true, next: ['selfBilledInvoice'] }, 'bill', 'send'],
    ['cancelled', { type: 'taxInvoice', status: 'cancelled', next: afterInvoice }, 'another taxInvoice', '–'],
    [
      'a credit that was sent',
      { type: 'creditInvoice', status: 'closed', isSent: true, mayStart: false },
      'sendAgain',
      '–',
    ],
    [
      'nothing is allowed',
      { type: 'taxInvoice', toPayAgorot: 100, maySend: false, mayStart: false },
      '–',
      '–',
    ],
  ])('%s', (_, given, primary, second) => {
    const [first, beside] = stepsOf(facts(given))
    expect([said(first), said(beside)]).toEqual([primary, second])
  })
})

test('no step is offered twice, whatever the facts', () => {
  for (const type of ['taxInvoice', 'paymentRequest', 'priceQuote', 'receipt'] as const)
    for (const status of ['issued', 'partlyClosed', 'closed', 'cancelled'] as const)
      for (const isSent of [false, true])
        for (const toPayAgorot of [0, 100]) {
          const all = stepsOf(facts({ type, status, isSent, toPayAgorot, next: afterQuote })).map(said)
          expect(new Set(all).size).toBe(all.length)
        }
})

test('what follows is listed in the order of a sale', () => {
  expect(inProcessOrder(['receipt', 'taxInvoice', 'order', 'depositReceipt', 'deliveryNote'])).toEqual([
    'order',
    'deliveryNote',
    'taxInvoice',
    'receipt',
    'depositReceipt',
  ])
})
