import { z } from 'zod'
import { entryLine } from '#features/base/ledger/endpoints.ts'
import { paperNames, vatShareNames } from '#domain/vat/shares.ts'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { currencyValue, dayValue, moneyValue } from '#kit/fields/schema.ts'
import { means, paidMeans, sources, states } from './expenses.ts'

const base = '/api4/invoice/expenses'
const words = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })
const byId = z.object({ id: z.uuid() })

const line = z.strictObject({
  typeId: z.uuid({ error: 'fields.ref' }),
  details: words(200).optional(),
  /** Before VAT and the VAT, in agorot of the paper's currency; negative on a supplier's credit. */
  netAgorot: moneyValue,
  vatAgorot: moneyValue.default(0),
  /** In place of the type's own. */
  vatShare: z.enum(vatShareNames, { error: 'fields.choice' }).optional(),
  projectId: z.uuid({ error: 'fields.ref' }).nullish(),
})

/** What a supplier's bill says, before the server adds names, shares and totals. */
const content = {
  supplierId: z.uuid({ error: 'fields.ref' }).nullish(),
  /** A supplier by name, made when there is none of that name or number. */
  supplier: z
    .strictObject({ name: words(200).min(1, { error: 'fields.need' }), taxId: words(12).optional() })
    .optional(),
  supplierNumber: words(40).optional(),
  paper: z.enum(paperNames, { error: 'fields.choice' }).optional(),
  date: dayValue.optional(),
  /** In whose VAT period the input VAT is claimed; the paper's own, or the first open one, when absent. */
  vatDate: dayValue.nullish(),
  /** False gives the input VAT up: it becomes part of the expense. */
  claimsVat: z.boolean().optional(),
  dueDate: dayValue.nullish(),
  allocationNumber: z
    .string()
    .trim()
    .regex(/^(\d{9,26})?$/, { error: 'expenses.allocationDigits' })
    .optional(),
  details: words(200).optional(),
  notes: words(4000).optional(),
  currency: currencyValue.optional(),
  /** Shekels for one unit of the currency, up to six decimals; needed for a foreign currency. */
  rate: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'fields.decimal' }))
    .optional(),
  lines: z.array(line).min(1, { error: 'fields.need' }).max(100, { error: 'fields.range' }),
  /** 'onCredit' stays open on the supplier's card; the others pay it at once. */
  means: z.enum(means, { error: 'fields.choice' }).optional(),
  paidDate: dayValue.nullish(),
  /** 'document' is what comes with a self-billed invoice, and nobody's to say. */
  source: z
    .enum(sources, { error: 'fields.choice' })
    .exclude(['document'], { error: 'fields.choice' })
    .optional(),
  recurringId: z.uuid({ error: 'fields.ref' }).nullish(),
  /** Files kept before, to be attached: the paper's picture. */
  fileIds: z.array(z.uuid()).max(20, { error: 'fields.range' }).optional(),
}
export const expenseInput = z.strictObject(content)
export type ExpenseInput = z.input<typeof expenseInput>

const lineAnswer = z.object({
  line: z.number(),
  typeId: z.string(),
  typeName: z.string(),
  accountId: z.string(),
  accountNumber: z.string(),
  accountName: z.string(),
  details: z.string(),
  netAgorot: z.number(),
  vatAgorot: z.number(),
  vatShare: z.enum(vatShareNames),
  recognisedVatAgorot: z.number(),
  incomeTaxBp: z.number(),
  isFixedAsset: z.boolean(),
  projectId: z.string().nullable(),
})
const payment = z.object({
  id: z.string(),
  day: z.string(),
  means: z.enum(paidMeans),
  reference: z.string(),
  amountAgorot: z.number(),
  atOnce: z.boolean(),
  cancelled: z.boolean(),
})
const warning = z.object({
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  path: z.string(),
  twinId: z.string().nullable(),
})
export type ExpenseWarning = z.output<typeof warning>

export const expenseAnswer = z.object({
  id: z.string(),
  state: z.enum(states),
  supplierId: z.string().nullable(),
  supplierName: z.string().nullable(),
  supplierTaxId: z.string().nullable(),
  supplierNumber: z.string(),
  paper: z.enum(paperNames),
  date: z.string(),
  vatDate: z.string(),
  claimsVat: z.boolean(),
  booksDate: z.string().nullable(),
  dueDate: z.string().nullable(),
  allocationNumber: z.string(),
  details: z.string(),
  notes: z.string(),
  currency: z.string(),
  rate: z.string(),
  lines: z.array(lineAnswer),
  /** As on the paper. */
  paperNetAgorot: z.number(),
  paperVatAgorot: z.number(),
  paperTotalAgorot: z.number(),
  /** In the currency of the books. */
  netAgorot: z.number(),
  vatAgorot: z.number(),
  totalAgorot: z.number(),
  /** To the supplier: of a self-invoice without the VAT, which is ours to pay. */
  owedAgorot: z.number(),
  recognisedVatAgorot: z.number(),
  equipmentVatAgorot: z.number(),
  openAgorot: z.number(),
  /** Paid, and the money moves on this day that is still to come. */
  movesOn: z.string().nullable(),
  means: z.enum(means),
  paidDate: z.string().nullable(),
  payments: z.array(payment),
  files: z.array(z.object({ id: z.string(), name: z.string(), mime: z.string() })),
  source: z.enum(sources),
  recurringId: z.string().nullable(),
  /** The self-billed invoice it came with, by which it is cancelled. */
  document: z.object({ id: z.string(), type: z.number(), number: z.number().nullable() }).nullable(),
  reason: z.string(),
  enteredBy: z.string().nullable(),
  enteredByMe: z.boolean(),
  approvedBy: z.string().nullable(),
  approvedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  warnings: z.array(warning),
})
export type ExpenseAnswer = z.output<typeof expenseAnswer>

const entering = ['expenses.duplicate', 'ledger.noAccount', 'ledger.periodClosed'] as const
const id404 = 'kit.notFound'

export const createExpense = defineEndpoint({
  name: 'expenses.create',
  marks: 'expenses',
  method: 'POST',
  path: base,
  access: { rule: 'expenses.enter' },
  forDrafts: true,
  input: expenseInput.extend({ draft: z.boolean().default(false) }),
  output: expenseAnswer,
  summary: 'Enters an expense: into the books by whoever may approve, otherwise it waits; or keeps a draft',
  errors: entering,
})
export const getExpense = defineEndpoint({
  name: 'expenses.get',
  marks: 'expenses',
  method: 'GET',
  path: `${base}/{id}`,
  access: 'member',
  input: recordInput,
  output: expenseAnswer.extend(alongWith),
  summary: 'One expense; whoever only enters expenses sees his own',
  errors: [id404],
})
export const changeExpense = defineEndpoint({
  name: 'expenses.change',
  marks: 'expenses',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: { rule: 'expenses.enter' },
  forDrafts: true,
  input: expenseInput.extend({ id: z.uuid(), draft: z.boolean().default(false) }),
  output: expenseAnswer,
  summary: 'Writes anew an expense that is not yet approved',
  errors: [id404, 'expenses.frozen', ...entering],
})
export const deleteExpense = defineEndpoint({
  name: 'expenses.delete',
  marks: 'expenses',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'expenses.enter' },
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Deletes an expense that is not yet approved',
  errors: [id404, 'expenses.frozen'],
})
export const approveExpense = defineEndpoint({
  name: 'expenses.approve',
  method: 'POST',
  path: `${base}/{id}/approve`,
  access: { rule: 'expenses.approve' },
  input: byId,
  output: expenseAnswer,
  summary: 'Approves an expense: freezes it and posts it to the books',
  errors: [id404, 'expenses.notWaiting', ...entering],
})
export const rejectExpense = defineEndpoint({
  name: 'expenses.reject',
  method: 'POST',
  path: `${base}/{id}/reject`,
  access: { rule: 'expenses.approve' },
  input: byId.extend({ reason: words(200).min(1, { error: 'fields.need' }) }),
  output: expenseAnswer,
  summary: 'Sends a waiting expense back with the reason',
  errors: [id404, 'expenses.notWaiting'],
})
export const cancelExpense = defineEndpoint({
  name: 'expenses.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  access: { rule: 'expenses.approve' },
  input: byId.extend({ reason: words(200).min(1, { error: 'fields.need' }) }),
  output: expenseAnswer,
  summary: 'Cancels an approved expense by a reversal in the books',
  errors: [
    id404,
    'expenses.notApproved',
    'expenses.alreadyCancelled',
    'expenses.hasPayments',
    'expenses.ofDocument',
    'expenses.openingItem',
    'ledger.periodClosed',
  ],
})
export const billOfDocument = defineEndpoint({
  name: 'expenses.ofDocument',
  method: 'GET',
  path: '/api4/invoice/documents/{id}/bill',
  access: { rule: 'expenses.see' },
  input: byId,
  output: z.object({
    bill: z
      .object({
        id: z.string(),
        state: z.enum(states),
        number: z.string(),
        dueDate: z.string().nullable(),
        /** In the currency of the books. */
        totalAgorot: z.number(),
        openAgorot: z.number(),
      })
      .nullable(),
  }),
  summary:
    'The supplier’s bill that came with a self-billed invoice, with what is still owed; null where there is none',
  errors: [id404],
})
export const payExpense = defineEndpoint({
  name: 'expenses.pay',
  method: 'POST',
  path: `${base}/{id}/pay`,
  access: { rule: 'expenses.approve' },
  input: byId.extend({
    date: dayValue.optional(),
    means: z.enum(paidMeans, { error: 'fields.choice' }),
    reference: words(40).optional(),
    /** Shekels; all that is open when absent. */
    amountAgorot: moneyValue.optional(),
  }),
  output: expenseAnswer,
  summary: 'Pays an open expense, whole or in part',
  errors: [id404, 'expenses.nothingOpen', 'expenses.notApproved', 'ledger.periodClosed'],
})
export const cancelExpensePayment = defineEndpoint({
  name: 'expenses.cancelPayment',
  method: 'POST',
  path: `${base}/{id}/cancelpayment`,
  access: { rule: 'expenses.approve' },
  input: byId.extend({ paymentId: z.uuid() }),
  output: expenseAnswer,
  summary: 'Reverses a payment of an expense; the sum is open again',
  errors: [id404, 'expenses.paymentCancelled', 'ledger.periodClosed'],
})
export const checkExpense = defineEndpoint({
  name: 'expenses.check',
  method: 'POST',
  path: `${base}/check`,
  access: { rule: 'expenses.enter' },
  reads: true,
  input: expenseInput.omit({ supplier: true, fileIds: true }).extend({ id: z.uuid().optional() }),
  output: z.object({ warnings: z.array(warning), lastVatDay: z.string(), vatDate: z.string() }),
  summary: 'Looks at an expense before it is kept: twins, the arithmetic of its VAT, VAT at risk',
})
export const supplierDefaults = defineEndpoint({
  name: 'expenses.defaults',
  method: 'GET',
  path: `${base}/defaults`,
  access: { rule: 'expenses.enter' },
  input: z.object({ supplierId: z.uuid(), text: z.string().max(500).optional() }),
  output: z.object({
    /** What its bills usually are; `shareBp` is each type's part of the sum. */
    lines: z.array(
      z.object({
        typeId: z.string(),
        vatShare: z.enum(vatShareNames).nullable(),
        projectId: z.string().nullable(),
        shareBp: z.number(),
      }),
    ),
    /** The rule of the business that says so. */
    rule: z.object({ id: z.string(), name: z.string() }).nullable(),
    means: z.enum(means),
    paper: z.enum(paperNames),
    hasVat: z.boolean(),
    lastTotalAgorot: z.number().nullable(),
    recurring: z
      .object({ id: z.string(), name: z.string(), nextDay: z.string(), totalAgorot: z.number() })
      .nullable(),
  }),
  summary: 'What the bills of a supplier usually are, learned from the last ones',
  errors: [id404],
})
export const expenseFacts = defineEndpoint({
  name: 'expenses.facts',
  method: 'GET',
  path: `${base}/facts`,
  access: { rule: 'expenses.enter' },
  input: z.object({}),
  output: z.object({
    deductsVat: z.boolean(),
    today: z.string(),
    /** What needs no approval, in agorot, as the business set it; null: nothing needs it. */
    approvalAboveAgorot: z.number().nullable(),
    mayApprove: z.boolean(),
    types: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        accountNumber: z.string(),
        vatShare: z.enum(vatShareNames),
        incomeTaxBp: z.number(),
        isFixedAsset: z.boolean(),
      }),
    ),
  }),
  summary: 'What the form of an expense needs to know: kinds of expense and the business’s VAT',
})
export const supplierNames = defineEndpoint({
  name: 'expenses.suppliers',
  method: 'GET',
  path: `${base}/suppliers`,
  access: { rule: 'expenses.enter' },
  input: z.object({ q: z.string().max(100).optional() }),
  output: z.object({
    rows: z.array(z.object({ id: z.string(), name: z.string(), taxId: z.string().nullable() })),
  }),
  summary: 'Suppliers by part of the name, for whoever enters expenses',
})
const mineAsked = z.object({
  from: dayValue.optional(),
  to: dayValue.optional(),
  typeId: z.uuid().optional(),
})

export const myExpenses = defineEndpoint({
  name: 'expenses.mine',
  method: 'GET',
  path: `${base}/mine`,
  access: { rule: 'expenses.enter' },
  input: mineAsked.extend({ q: z.string().max(100).optional(), cursor: z.uuid().optional() }),
  output: z.object({
    nextCursor: z.string().nullable(),
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        supplier: z.string().nullable(),
        supplierNumber: z.string(),
        type: z.string(),
        state: z.enum(states),
        reason: z.string(),
        netAgorot: z.number(),
        vatAgorot: z.number(),
        totalAgorot: z.number(),
        hasPaper: z.boolean(),
      }),
    ),
    /** By type and month, without what was rejected or cancelled. */
    sums: z.array(
      z.object({
        month: z.string(),
        type: z.string(),
        netAgorot: z.number(),
        vatAgorot: z.number(),
        totalAgorot: z.number(),
      }),
    ),
  }),
  summary: 'The expenses I entered, page by page, with the sums of all of them by type and month',
})
export const exportMyExpenses = defineEndpoint({
  name: 'expenses.mineExport',
  method: 'GET',
  path: '/api4/invoiceexport/expenses/mine',
  access: { rule: 'expenses.enter' },
  input: mineAsked.extend({ format: z.enum(['csv', 'xlsx']).default('xlsx') }),
  output: z.any(),
  file: true,
  summary: 'The sums of what I entered, by type and month, as CSV or XLSX',
})
export const entriesOfExpense = defineEndpoint({
  name: 'expenses.entries',
  method: 'GET',
  path: `${base}/{id}/entries`,
  access: { rule: 'expenses.see' },
  input: byId,
  output: z.object({
    rows: z.array(entryLine),
  }),
  summary: 'What an expense did to the books',
  errors: [id404],
})
export const historyOfExpense = defineEndpoint({
  name: 'expenses.history',
  method: 'GET',
  path: `${base}/{id}/history`,
  access: 'member',
  input: byId,
  output: z.object({
    rows: z.array(z.object({ at: z.string(), who: z.string().nullable(), action: z.string() })),
  }),
  summary: 'Who did what to an expense',
  errors: [id404],
})
export const expenseFigures = defineEndpoint({
  name: 'expenses.figures',
  method: 'GET',
  path: `${base}/figures`,
  access: { rule: 'expenses.see' },
  input: z.object({}),
  output: z.object({
    monthAgorot: z.number(),
    lastMonthAgorot: z.number(),
    waiting: z.number(),
    drafts: z.number(),
    /** Bills that should have come and did not. */
    missing: z.array(
      z.object({ id: z.string(), name: z.string(), day: z.string(), totalAgorot: z.number() }),
    ),
    openAgorot: z.number(),
    lateAgorot: z.number(),
  }),
  summary: 'Expenses at a glance: this month, what waits for approval, which expected bills are missing',
})

const settings = z.object({ approvalAboveAgorot: z.number().nullable() })
export const getExpenseSettings = defineEndpoint({
  name: 'expenses.settings',
  method: 'GET',
  path: '/api4/invoice/expensesettings',
  access: { rule: 'expenses.settings' },
  input: z.object({}),
  output: settings,
  summary: 'Above which sum an expense waits for approval; null: never',
})
export const changeExpenseSettings = defineEndpoint({
  name: 'expenses.changeSettings',
  method: 'PATCH',
  path: '/api4/invoice/expensesettings',
  access: { rule: 'expenses.settings' },
  input: z.strictObject({ approvalAboveAgorot: moneyValue.min(0, { error: 'fields.range' }).nullable() }),
  output: settings,
  summary: 'Sets above which sum an expense waits for approval; null: never',
})

const recurring = '/api4/invoice/recurringexpenses'
export const skipRecurring = defineEndpoint({
  name: 'recurringexpenses.skip',
  method: 'POST',
  path: `${recurring}/{id}/skip`,
  access: { rule: 'expenses.enter' },
  input: z.object({
    id: z.uuid(),
    /** The day its bill is awaited on now. */
    day: dayValue,
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
  }),
  output: z.object({ nextDay: z.string().nullable() }),
  summary: 'Says that the awaited bill does not come this time, and why',
  errors: ['kit.notFound', 'expenses.notAwaited'],
})
export const unskipRecurring = defineEndpoint({
  name: 'recurringexpenses.unskip',
  method: 'POST',
  path: `${recurring}/{id}/unskip`,
  access: { rule: 'expenses.enter' },
  input: z.object({ id: z.uuid(), day: dayValue }),
  output: z.object({ nextDay: z.string().nullable() }),
  summary: 'Awaits a bill again that was said not to come',
  errors: ['kit.notFound'],
})
export const pastOfRecurring = defineEndpoint({
  name: 'recurringexpenses.past',
  method: 'GET',
  path: `${recurring}/{id}/past`,
  access: { rule: 'expenses.see' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    rows: z.array(
      z.object({
        /** The day it was expected on. */
        day: z.string(),
        /** The bill that came; null where none did. */
        expenseId: z.string().nullable(),
        supplierNumber: z.string().nullable(),
        totalAgorot: z.number().nullable(),
        /** Why none came. */
        reason: z.string().nullable(),
        /** It was said not to come, and then that it does. */
        takenBack: z.boolean(),
        who: z.string().nullable(),
        at: z.string(),
      }),
    ),
  }),
  summary: 'What became of each time a recurring bill was expected',
  errors: ['kit.notFound'],
})
