import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, moneyValue } from '#kit/fields/schema.ts'
import { grounds } from './rules.ts'

const base = '/api4/invoice/documents/{id}/baddebt'
const amount = moneyValue.min(1, { error: 'fields.range' })

const asked = {
  id: z.uuid(),
  /** With VAT, in the currency of the invoice; all that is open when absent. */
  agorot: amount.optional(),
  /** The day of the credit invoice; today when absent. */
  date: dayValue.optional(),
  /** Proceedings over the debt, whose days the period of the law leaves out. */
  pausedFrom: dayValue.nullish(),
  pausedTo: dayValue.nullish(),
}
export type Asked = z.output<z.ZodObject<typeof asked>>

const window = z.object({ from: z.string(), to: z.string() })
const paper = z.object({ id: z.string(), type: z.number(), number: z.number() })

export const planWriteOff = defineEndpoint({
  name: 'badDebts.plan',
  method: 'POST',
  path: `${base}/plan`,
  access: { rule: 'documents.cancel' },
  reads: true,
  input: z.strictObject(asked),
  output: z.object({
    currency: z.string(),
    openAgorot: z.number(),
    totalAgorot: z.number(),
    /** In shekels: what becomes an expense, and the VAT of the credit invoice. */
    expenseAgorot: z.number(),
    vatAgorot: z.number(),
    /** The VAT that a return reclaims; zero where none was paid, because the business reports on cash basis. */
    vatBackAgorot: z.number(),
    /** The VAT period in whose return it is deducted. */
    vatPeriod: window,
    /** The days on which the law allows the credit invoice; null of an invoice without VAT. */
    window: window.nullable(),
    isByReceipts: z.boolean(),
  }),
  summary: 'What writing a debt off would do to the VAT, the books and the open amount',
  errors: ['kit.notFound', 'badDebts.notInvoice', 'badDebts.nothingOpen', 'badDebts.held'],
})

export const writeOffDebt = defineEndpoint({
  name: 'badDebts.writeOff',
  method: 'POST',
  path: base,
  makes: { see: 'documents.get' },
  access: { rule: 'documents.cancel' },
  input: z.strictObject({
    ...asked,
    ground: z.enum(grounds, { error: 'fields.need' }),
    /** What was done to collect the debt. */
    steps: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(2000, { error: 'fields.tooLong' }),
    /** The VAT of the invoice was reported and paid; needed where it is to be reclaimed. */
    vatPaid: z.boolean().optional(),
  }),
  output: paper,
  summary: 'Writes a debt off as a bad debt: issues its credit invoice, and answers it',
  errors: [
    'kit.notFound',
    'badDebts.notInvoice',
    'badDebts.nothingOpen',
    'badDebts.held',
    'badDebts.notReported',
    'ledger.periodClosed',
    'vat.periodFiled',
  ],
})

export const recoverDebt = defineEndpoint({
  name: 'badDebts.recover',
  method: 'POST',
  path: `${base}/recover`,
  access: { rule: 'documents.cancel' },
  input: z.strictObject({
    /** The credit invoice of the write-off. */
    id: z.uuid(),
    /** What was paid, with VAT; all that was written off and not paid yet when absent. */
    agorot: amount.optional(),
    date: dayValue.optional(),
  }),
  output: paper,
  summary:
    'Charges what was paid of a debt after it was written off: issues a tax invoice at the rate of the first one, and answers it',
  errors: [
    'kit.notFound',
    'badDebts.notWrittenOff',
    'badDebts.allRecovered',
    'ledger.periodClosed',
    'vat.periodFiled',
  ],
})

export const standingOfDebt = defineEndpoint({
  name: 'badDebts.standing',
  method: 'GET',
  path: base,
  access: { rule: 'documents.cancel' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    invoice: paper,
    currency: z.string(),
    day: z.string(),
    ground: z.enum(grounds),
    steps: z.string(),
    writtenOffAgorot: z.number(),
    recoveredAgorot: z.number(),
    leftAgorot: z.number(),
  }),
  summary: 'What was said of a debt when it was written off, and what was paid of it since',
  errors: ['kit.notFound', 'badDebts.notWrittenOff'],
})
