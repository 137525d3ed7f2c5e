import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'

export const payMeans = ['bank', 'cheque', 'card', 'cash', 'owner'] as const

/** What was paid to suppliers, each time for one bill or several. */
export const supplierPayments = defineResource({
  name: 'supplierpayments',
  table: 'supplier_payments',
  title: 'number',
  fields: {
    number: number({ need: true }),
    day: day({ need: true }),
    supplierId: ref('suppliers', { need: true }),
    bills: text({ computed: true }),
    means: choice(payMeans, { need: true }),
    reference: text(),
    grossAgorot: money({ need: true }),
    withheldAgorot: money({ need: true }),
    withheldBp: percent(),
    netAgorot: money({ need: true }),
    /** Of the file for the clearing centre it went out in. */
    fileNumber: number({ computed: true }),
    state: choice(['paid', 'onTheWay', 'cancelled'], { computed: true }),
  },
  extra: {
    /** The file of the bank it was sent in. */
    fileId: z.uuid().nullable(),
  },
  list: {
    columns: [
      'number',
      'day',
      'supplierId',
      'bills',
      'means',
      'fileNumber',
      'grossAgorot',
      'withheldAgorot',
      'netAgorot',
      'state',
    ],
    filters: ['day', 'supplierId', 'means', 'state', 'fileNumber', 'netAgorot', 'withheldAgorot'],
    sort: ['day', 'desc'],
    totals: ['grossAgorot', 'withheldAgorot', 'netAgorot'],
  },
  form: [],
  allow: { see: 'supplierPayments.see', change: 'supplierPayments.change' },
  screens: {
    list: '/invoice/supplierpayments',
    form: '/invoice/supplierpayments',
    card: '/invoice/supplierpayment/$id',
  },
})
export type SupplierPaymentRow = Row<typeof supplierPayments> & {
  supplierIdName: string | null
}
