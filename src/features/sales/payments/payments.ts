import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, money, number, ref, text } from '#kit/fields/field.ts'
import type { PaymentMeans } from '#domain/documents/kinds.ts'

/** In the order of their ids. */
export const meansNames = [
  'cash',
  'cheque',
  'transfer',
  'card',
  'paymentApp',
  'payPal',
  'withheldTax',
  'other',
] as const satisfies readonly PaymentMeans[]

/** Where the money is; `cancelled` is that of a receipt that was reversed, `paidBack` left us. */
export const paymentStates = [
  'received',
  'deposited',
  'bounced',
  'returned',
  'cancelled',
  'paidBack',
] as const

/** What customers paid, one line for each means of each paper. */
export const payments = defineResource({
  name: 'payments',
  table: 'document_payments',
  title: 'reference',
  fields: {
    day: day({ need: true }),
    customerId: ref('customers', { computed: true }),
    means: choice(meansNames, { computed: true }),
    // In shekels, as posted in the books.
    sumAgorot: money({ computed: true }),
    documentNumber: number({ computed: true }),
    reference: text({ computed: true }),
    dueDay: day({ need: true }),
    state: choice(paymentStates, { computed: true }),
    chequeNumber: text({ column: 'number' }),
    bank: text(),
    branch: text(),
    account: text(),
    depositNumber: number({ computed: true }),
    depositDay: day({ computed: true }),
  },
  extra: {
    documentId: z.uuid(),
    documentType: z.number().int(),
  },
  list: {
    columns: ['day', 'customerId', 'means', 'reference', 'dueDay', 'state', 'sumAgorot'],
    filters: ['day', 'means', 'state', 'dueDay', 'customerId', 'sumAgorot', 'bank'],
    sort: ['day', 'desc'],
    totals: ['sumAgorot'],
  },
  form: [],
  allow: { see: 'payments.see', change: 'payments.change' },
  screens: { list: '/invoice/payments', form: '/invoice/payments', card: '/invoice/paymentview/$id' },
})
export type PaymentRow = Row<typeof payments> & {
  customerIdName: string | null
}

/** Slips of what was brought to the bank. */
export const deposits = defineResource({
  name: 'deposits',
  table: 'deposits',
  title: 'number',
  fields: {
    number: number({ need: true }),
    day: day({ need: true }),
    accountId: ref('accounts', { need: true }),
    cheques: number({ computed: true }),
    chequesAgorot: money({ need: true }),
    cashAgorot: money({ need: true }),
    totalAgorot: money({ computed: true }),
    reference: text(),
    state: choice(['deposited', 'undone'], { computed: true }),
  },
  list: {
    columns: [
      'number',
      'day',
      'accountId',
      'cheques',
      'chequesAgorot',
      'cashAgorot',
      'totalAgorot',
      'reference',
      'state',
    ],
    filters: ['day', 'state', 'totalAgorot'],
    sort: ['day', 'desc'],
    totals: ['totalAgorot'],
  },
  form: [],
  allow: { see: 'payments.see', change: 'payments.change' },
  screens: { list: '/invoice/deposits', form: '/invoice/newdeposit', card: '/invoice/deposits/$id' },
})
export type DepositRow = Row<typeof deposits> & { accountIdName: string | null }
