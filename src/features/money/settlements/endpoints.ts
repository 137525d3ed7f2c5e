import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, dayValue, moneyValue, monthValue } from '#kit/fields/schema.ts'
import './rules.ts'

const see = { rule: 'settlements.see' } as const
const change = { rule: 'settlements.change' } as const
const base = '/api4/invoice/settlements'
const terminalId = z.uuid({ error: 'fields.ref' })

const taken = z.object({ days: z.number(), deals: z.number(), differences: z.number(), deposits: z.number() })

export const settlementFacts = defineEndpoint({
  name: 'settlements.facts',
  method: 'GET',
  path: `${base}/facts`,
  access: see,
  input: z.object({}),
  output: z.object({
    terminals: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        gateway: z.string(),
        lists: z.boolean(),
        deposits: z.boolean(),
        lastDay: z.string().nullable(),
      }),
    ),
    bankAccounts: z.array(z.object({ id: z.string(), name: z.string() })),
    differences: z.number(),
    /** What acquirers owe: charged and not come to the bank. */
    owedAgorot: z.number(),
  }),
  summary: 'Terminals with what they can tell, and how much is still to be looked at',
})
export const takeDays = defineEndpoint({
  name: 'settlements.take',
  method: 'POST',
  path: `${base}/take`,
  access: change,
  input: z.strictObject({ terminalId, from: dayValue, to: dayValue }),
  output: taken,
  summary: 'Asks an acquirer for its deals of some days and its deposits, and holds them against our charges',
  errors: ['kit.notFound', 'settlements.noList', 'settlements.future', 'paymentLinks.acquirerAway'],
})
export const takeFile = defineEndpoint({
  name: 'settlements.file',
  method: 'POST',
  path: `${base}/file`,
  access: change,
  upload: { maxBytes: 4 * 1024 * 1024 },
  input: z.object({ terminalId, bytes: bytesValue }),
  output: taken,
  summary: 'Reads an acquirer’s list of deals from a file (CSV or XLSX) and holds it against our charges',
  errors: ['kit.notFound', 'settlements.notRead'],
})
export const explainDeal = defineEndpoint({
  name: 'settlements.explain',
  method: 'POST',
  path: `${base}/{id}/explain`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    note: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Says what a difference is about; it is not counted any more',
  errors: ['kit.notFound', 'settlements.notDifferent'],
})
export const denyDeal = defineEndpoint({
  name: 'settlements.deny',
  method: 'POST',
  path: `${base}/{id}/deny`,
  access: { rule: 'charges.refund' },
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
    /** Until when it can be answered. */
    answerBy: dayValue.nullish(),
  }),
  output: z.object({ done: z.literal(true) }),
  summary:
    'Writes down what an acquirer took back, whole or in part, as a payment that its payer denied: the debt stands again',
  errors: [
    'kit.notFound',
    'settlements.notTakenBack',
    'paymentLinks.notPaid',
    'paymentLinks.disputed',
    'paymentLinks.cannotDispute',
    'paymentLinks.donationWhole',
    'payments.cannotBounce',
  ],
})
export const addDeposit = defineEndpoint({
  name: 'settlements.addDeposit',
  method: 'POST',
  path: `${base}/deposits`,
  access: change,
  input: z.strictObject({
    terminalId,
    day: dayValue,
    netAgorot: moneyValue.min(1, { error: 'fields.range' }).max(100_000_000_000, { error: 'fields.range' }),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Writes down money of an acquirer that came to the bank, where the acquirer does not tell of it itself',
  errors: ['kit.notFound'],
})
export const bookDeposit = defineEndpoint({
  name: 'settlements.book',
  method: 'POST',
  path: `${base}/deposits/{id}/book`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    bankAccountId: z.uuid({ error: 'fields.ref' }),
    /** Kept by the acquirer, before VAT. */
    feeAgorot: moneyValue.min(0, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' }),
    feeVatAgorot: moneyValue.min(0, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' }),
    invoiceNumber: z.string().trim().max(40, { error: 'fields.tooLong' }).default(''),
  }),
  output: z.object({
    matched: z.boolean(),
    matchNumber: z.number().nullable(),
    expenseId: z.string().nullable(),
  }),
  summary:
    'Books a deposit: the money to the bank, the fee as an expense with its VAT, both off what the acquirer owes; and matches the bank’s line',
  errors: ['kit.notFound', 'settlements.booked'],
})
export const keepAcquirerInvoice = defineEndpoint({
  name: 'settlements.invoice',
  method: 'POST',
  path: `${base}/invoices`,
  access: change,
  input: z.strictObject({
    terminalId,
    month: monthValue,
    number: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(40, { error: 'fields.tooLong' }),
    /** Of the whole invoice, before VAT; 0 takes an invoice out that was written down. */
    feeAgorot: moneyValue.min(0, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' }),
    feeVatAgorot: moneyValue.min(0, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' }),
  }),
  output: z.object({ bookedAgorot: z.number(), differenceAgorot: z.number(), twiceAgorot: z.number() }),
  summary:
    'Writes down an acquirer’s invoice of a month and holds it against the fees that deposits booked; nothing goes into the books by it',
})
