import { z } from 'zod'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue, moneyValue } from '#kit/fields/schema.ts'
import { payMeans } from './supplierPayments.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/supplierpayments'
const byId = z.object({ id: z.uuid() })
const words = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' }).optional()

const openBill = z.object({
  id: z.string(),
  day: z.string(),
  dueDay: z.string().nullable(),
  number: z.string(),
  details: z.string(),
  totalAgorot: z.number(),
  openAgorot: z.number(),
})
export type OpenBill = z.output<typeof openBill>

export const openBills = defineEndpoint({
  name: 'supplierpayments.openBills',
  method: 'GET',
  path: `${base}/open/{supplierId}`,
  access: { rule: 'supplierPayments.see' },
  input: z.object({ supplierId: z.uuid() }),
  output: z.object({
    supplier: z.object({ id: z.string(), name: z.string(), email: z.string().nullable() }),
    rows: z.array(openBill),
    /** Whether this business withholds tax at all. */
    withholds: z.boolean(),
  }),
  summary: 'The open bills of a supplier, the most urgent first',
  errors: ['kit.notFound'],
})
export const dueBills = defineEndpoint({
  name: 'supplierpayments.due',
  method: 'GET',
  path: `${base}/due`,
  access: { rule: 'supplierPayments.see' },
  input: z.object({ until: dayValue }),
  output: z.object({
    rows: z.array(
      z.object({
        supplierId: z.string(),
        name: z.string(),
        bills: z.number(),
        firstDue: z.string().nullable(),
        dueAgorot: z.number(),
        openAgorot: z.number(),
      }),
    ),
  }),
  summary: 'Suppliers with bills that are due by a day, the most urgent first',
})
export const workOutSupplierPayment = defineEndpoint({
  name: 'supplierpayments.workOut',
  method: 'GET',
  path: `${base}/workout/{supplierId}`,
  access: { rule: 'supplierPayments.see' },
  input: z.object({ supplierId: z.uuid(), grossAgorot: queryNumber(z.int()), date: dayValue.optional() }),
  output: z.object({
    grossAgorot: z.number(),
    withheldAgorot: z.number(),
    netAgorot: z.number(),
    rateBp: z.number().nullable(),
    reason: z.string().nullable(),
  }),
  summary: 'What would be withheld from a payment, and by what',
  errors: ['kit.notFound'],
})
export const supplierPaymentAnswer = z.object({
  id: z.string(),
  number: z.number(),
  day: z.string(),
  supplierId: z.string(),
  supplierName: z.string(),
  supplierTaxId: z.string().nullable(),
  supplierEmail: z.string().nullable(),
  means: z.enum(payMeans),
  reference: z.string(),
  grossAgorot: z.number(),
  withheldAgorot: z.number(),
  netAgorot: z.number(),
  withheldBp: z.number().nullable(),
  reason: z.string().nullable(),
  byHand: z.boolean(),
  cancelled: z.boolean(),
  /** The money moves on a day that is still to come. */
  onTheWay: z.boolean(),
  sentAt: z.string().nullable(),
  madeBy: z.string().nullable(),
  /** The file for the clearing centre it went out in. */
  file: z.object({ id: z.string(), number: z.number(), payDay: z.string() }).nullable(),
  bills: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      day: z.string(),
      details: z.string(),
      totalAgorot: z.number(),
      paidAgorot: z.number(),
    }),
  ),
})
export type SupplierPaymentAnswer = z.output<typeof supplierPaymentAnswer>
/** Bills of one supplier that are to be paid, each whole or in part. */
export const billsToPay = z
  .array(
    z.strictObject({
      id: z.uuid(),
      /** All that is open of it when absent: so people from whom amounts are hidden can pay too. */
      amountAgorot: moneyValue.optional(),
    }),
  )
  .min(1, { error: 'fields.need' })
  .max(200, { error: 'fields.range' })
export const createSupplierPayment = defineEndpoint({
  name: 'supplierpayments.create',
  method: 'POST',
  path: base,
  access: { rule: 'supplierPayments.change' },
  input: z.strictObject({
    supplierId: z.uuid({ error: 'fields.ref' }),
    bills: billsToPay,
    date: dayValue.optional(),
    means: z.enum(payMeans, { error: 'fields.choice' }),
    reference: words(40),
    /** In place of what the certificate of the day says. */
    withheldAgorot: moneyValue.min(0, { error: 'fields.range' }).optional(),
  }),
  output: supplierPaymentAnswer,
  summary: 'Pays a supplier for one bill or several, with the tax withheld by the certificate of the day',
  errors: [
    'kit.notFound',
    'expenses.notApproved',
    'expenses.nothingOpen',
    'expenses.nothingToPay',
    'ledger.periodClosed',
  ],
})
export const getSupplierPayment = defineEndpoint({
  name: 'supplierpayments.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: { rule: 'supplierPayments.see' },
  input: recordInput,
  output: supplierPaymentAnswer.extend(alongWith),
  summary: 'A payment to a supplier with its bills',
  errors: ['kit.notFound'],
})
export const cancelPaymentOfSupplier = defineEndpoint({
  name: 'supplierpayments.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  access: { rule: 'supplierPayments.change' },
  input: byId,
  output: supplierPaymentAnswer,
  summary: 'Reverses a payment to a supplier; its bills are open again',
  errors: ['kit.notFound', 'expenses.paymentCancelled', 'ledger.periodClosed'],
})
export const supplierPaymentPdf = defineEndpoint({
  name: 'supplierpayments.pdf',
  method: 'GET',
  path: `${base}/{id}/pdf`,
  access: { rule: 'supplierPayments.see' },
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The letter to the supplier: what was paid for what, and what was withheld',
  errors: ['kit.notFound'],
})
export const sendSupplierPayment = defineEndpoint({
  name: 'supplierpayments.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: { rule: 'supplierPayments.change' },
  input: z.strictObject({ id: z.uuid(), to: emailValue.optional() }),
  output: z.object({ messageId: z.string() }),
  summary: 'Sends the supplier the letter of a payment by mail; to his own address when none is said',
  errors: ['kit.notFound', 'supplierPayments.noMail'],
})
