import { z } from 'zod'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { currencyValue, dayValue, moneyValue } from '#kit/fields/schema.ts'
import { documentAnswer, documentInput, issuing, payment } from '#features/sales/documents/endpoints.ts'
import { meansNames, paymentStates } from './payments.ts'

const base = '/api4/invoice/payments'
const depositBase = '/api4/invoice/deposits'
const byId = z.object({ id: z.uuid() })
const words = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' }).optional()
const digits = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\d-]{0,${max}}$`), { error: 'fields.code' })
    .optional()

/** An action on the money: what may be done with it now. */
const deeds = z.object({
  deposit: z.boolean(),
  bounce: z.boolean(),
  giveBack: z.boolean(),
  undo: z.boolean(),
})

export const paymentAnswer = z.object({
  id: z.string(),
  day: z.string(),
  dueDay: z.string(),
  means: z.enum(meansNames),
  state: z.enum(paymentStates),
  /** In the currency of its paper, and in shekels. */
  currency: z.string(),
  amountAgorot: z.number(),
  sumAgorot: z.number(),
  bank: z.string(),
  branch: z.string(),
  account: z.string(),
  chequeNumber: z.string(),
  cardBrand: z.string(),
  cardLast4: z.string(),
  instalments: z.number().nullable(),
  reference: z.string(),
  customerId: z.string().nullable(),
  customerName: z.string(),
  document: z.object({ id: z.string(), type: z.number(), number: z.number() }),
  deposit: z.object({ id: z.string(), number: z.number(), day: z.string() }).nullable(),
  returns: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['bounced', 'given']),
      day: z.string(),
      reason: z.string(),
      feeAgorot: z.number(),
      undone: z.boolean(),
    }),
  ),
  may: deeds,
})
export type PaymentAnswer = z.output<typeof paymentAnswer>

export const getPayment = defineEndpoint({
  name: 'payments.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: { rule: 'payments.see' },
  input: recordInput,
  output: paymentAnswer.extend(alongWith),
  summary: 'One payment of a customer: its paper, its deposit, what became of it',
  errors: ['kit.notFound'],
})
export const bouncePayment = defineEndpoint({
  name: 'payments.bounce',
  method: 'POST',
  path: `${base}/{id}/bounce`,
  access: { rule: 'payments.change' },
  input: z.strictObject({
    id: z.uuid(),
    date: dayValue.optional(),
    reason: words(200),
    /** What the bank took for it; an expense of the business. */
    feeAgorot: moneyValue.min(0, { error: 'fields.range' }).optional(),
  }),
  output: paymentAnswer,
  summary: 'A cheque or a debit came back: the debt is open again',
  errors: ['kit.notFound', 'payments.cannotBounce', 'payments.dateInFuture', 'ledger.periodClosed'],
})
export const giveBackPayment = defineEndpoint({
  name: 'payments.giveBack',
  method: 'POST',
  path: `${base}/{id}/giveback`,
  access: { rule: 'payments.change' },
  input: z.strictObject({ id: z.uuid(), date: dayValue.optional(), reason: words(200) }),
  output: paymentAnswer,
  summary: 'A cheque still in hand was given back to the customer: the debt is open again',
  errors: ['kit.notFound', 'payments.cannotGiveBack', 'payments.dateInFuture', 'ledger.periodClosed'],
})
export const undoReturn = defineEndpoint({
  name: 'payments.undoReturn',
  method: 'POST',
  path: `${base}/{id}/undoreturn`,
  access: { rule: 'payments.change' },
  input: byId,
  output: paymentAnswer,
  summary: 'Takes a bounce or a giving back that was entered by mistake back',
  errors: ['kit.notFound', 'payments.cannotUndo', 'documents.notSettled', 'ledger.periodClosed'],
})
export const createPayment = defineEndpoint({
  name: 'payments.create',
  makes: { see: 'documents.get' },
  marks: 'documents',
  clientKeys: { of: 'documents' },
  method: 'POST',
  path: base,
  access: { rule: 'documents.issue' },
  input: z.strictObject({
    customerId: z.uuid({ error: 'fields.ref' }),
    date: dayValue.optional(),
    currency: currencyValue.optional(),
    /** Shekels for one unit of the currency; the last one published when absent. */
    rate: documentInput.shape.rate,
    payments: z.array(payment).min(1, { error: 'fields.need' }).max(100, { error: 'fields.range' }),
    /**
     * What the money pays: debts and payment requests, each in its own currency. What is left stays on the
     * customer's account.
     */
    apply: z
      .array(
        z.strictObject({
          documentId: z.uuid({ error: 'fields.ref' }),
          amountAgorot: moneyValue.min(1, { error: 'fields.range' }),
          /** So much of the money, when it is in another currency. */
          takesAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
        }),
      )
      .max(500, { error: 'fields.range' })
      .optional(),
    notes: documentInput.shape.notes,
    cashException: documentInput.shape.cashException,
    clientKey: documentInput.shape.clientKey,
  }),
  output: documentAnswer,
  summary:
    'Takes money from a customer: issues its receipt, pays what it is told to, and answers the receipt',
  errors: [
    ...issuing,
    'documents.paymentsDiffer',
    'documents.paymentDetail',
    'documents.closesTooMuch',
    'documents.closesAboveReceived',
    'payments.cashAboveLimit',
  ],
})
/** The methods of a refund; a cheque of the customer's that is in hand is returned instead. */
export const refundMeans = [1, 3, 4, 5, 6, 8] as const
export const refundMoney = defineEndpoint({
  name: 'payments.refund',
  method: 'POST',
  path: `${base}/refund`,
  access: { rule: 'payments.change' },
  input: z.strictObject({
    /** The receipt or the credit whose money goes back. */
    documentId: z.uuid(),
    /** In its currency. */
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }),
    means: z.union(
      refundMeans.map((one) => z.literal(one)),
      { error: 'fields.choice' },
    ),
    date: dayValue.optional(),
    reference: words(100),
    bank: digits(3),
    branch: digits(4),
    account: digits(20),
    notes: words(300),
  }),
  output: z.object({ id: z.string(), number: z.number() }),
  summary: 'Gives money on account, or a credit, back to the customer: a receipt with the sum turned',
  errors: ['kit.notFound', 'payments.nothingToRefund', 'documents.closesTooMuch', 'documents.typeNotAllowed'],
})

const cheque = z.object({
  id: z.string(),
  customerName: z.string(),
  dueDay: z.string(),
  bank: z.string(),
  branch: z.string(),
  account: z.string(),
  chequeNumber: z.string(),
  sumAgorot: z.number(),
  documentId: z.string(),
  documentNumber: z.number(),
})
export type Cheque = z.output<typeof cheque>
export const moneyInHand = defineEndpoint({
  name: 'deposits.inHand',
  method: 'GET',
  path: `${depositBase}/inhand`,
  access: { rule: 'payments.see' },
  input: z.object({}),
  output: z.object({
    cheques: z.array(cheque),
    cashAgorot: z.number(),
    accounts: z.array(z.object({ id: z.string(), number: z.string(), name: z.string() })),
  }),
  summary:
    'What could be brought to the bank: cheques in hand by their day, cash, and the accounts it may go to',
})
export const createDeposit = defineEndpoint({
  name: 'deposits.create',
  method: 'POST',
  path: depositBase,
  access: { rule: 'payments.change' },
  input: z.strictObject({
    date: dayValue.optional(),
    /** The bank's account in the books; the first when absent. */
    accountId: z.uuid({ error: 'fields.ref' }).optional(),
    payments: z.array(z.uuid()).max(500, { error: 'fields.range' }).default([]),
    cashAgorot: moneyValue.min(0, { error: 'fields.range' }).default(0),
    reference: words(40),
    notes: words(200),
  }),
  output: z.object({ id: z.string(), number: z.number() }),
  summary: 'Deposits cheques and cash at the bank',
  errors: [
    'payments.notInHand',
    'payments.notDueYet',
    'payments.notSoMuchCash',
    'payments.sumsHidden',
    'payments.dateInFuture',
    'ledger.periodClosed',
  ],
})
export const depositAnswer = z.object({
  id: z.string(),
  number: z.number(),
  day: z.string(),
  accountId: z.string(),
  accountName: z.string(),
  reference: z.string(),
  notes: z.string(),
  chequesAgorot: z.number(),
  cashAgorot: z.number(),
  totalAgorot: z.number(),
  undone: z.boolean(),
  madeBy: z.string().nullable(),
  madeAt: z.string(),
  cheques: z.array(cheque.extend({ state: z.enum(paymentStates) })),
})
export type DepositAnswer = z.output<typeof depositAnswer>
export const getDeposit = defineEndpoint({
  name: 'deposits.get',
  method: 'GET',
  path: `${depositBase}/{id}`,
  access: { rule: 'payments.see' },
  input: recordInput,
  output: depositAnswer.extend(alongWith),
  summary: 'A deposit with its cheques',
  errors: ['kit.notFound'],
})
export const undoDeposit = defineEndpoint({
  name: 'deposits.undo',
  method: 'POST',
  path: `${depositBase}/{id}/undo`,
  access: { rule: 'payments.change' },
  input: byId,
  output: depositAnswer,
  summary: 'Takes a deposit back by its reversal; refused once something of it came back',
  errors: ['kit.notFound', 'payments.cameBack', 'payments.alreadyUndone', 'ledger.periodClosed'],
})
export const depositSlip = defineEndpoint({
  name: 'deposits.slip',
  method: 'GET',
  path: `${depositBase}/{id}/pdf`,
  access: { rule: 'payments.see' },
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The deposit slip as PDF',
  errors: ['kit.notFound'],
})
