import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, dayValue, moneyValue } from '#kit/fields/schema.ts'
import { askErrors, askValues } from '#features/sales/signing/shapes.ts'
import { billsToPay } from '#features/purchases/supplierPayments/endpoints.ts'

const base = '/api4/invoice/masav'
const see = { rule: 'masav.see' } as const
const make = { rule: 'masav.make' } as const
const byId = z.object({ id: z.uuid() })
const direction = z.enum(['credit', 'debit'])
export type RunDirection = z.output<typeof direction>

const settings = z.object({ institution: z.string(), sender: z.string(), code: z.enum(['A', 'B']) })
export const masavSettings = defineEndpoint({
  name: 'masav.settings',
  method: 'GET',
  path: `${base}/settings`,
  access: see,
  input: z.object({}),
  output: z.object({ settings: settings.nullable() }),
  summary: 'The numbers the clearing centre gave this business',
})
export const saveMasavSettings = defineEndpoint({
  name: 'masav.saveSettings',
  method: 'PUT',
  path: `${base}/settings`,
  access: make,
  input: z.strictObject({
    institution: z.string().regex(/^\d{1,8}$/, { error: 'fields.number' }),
    sender: z.string().regex(/^\d{1,5}$/, { error: 'fields.number' }),
    code: z.enum(['A', 'B'], { error: 'fields.choice' }),
  }),
  output: z.object({ settings: settings.nullable() }),
  summary: 'Keeps the numbers the clearing centre gave this business',
})

const bankLine = z.object({ bank: z.string(), branch: z.string(), account: z.string() })
/** Why somebody cannot be in a file. */
const hindrance = z.enum(['noBank', 'abroad', 'noMandate', 'aboveCeiling', 'nothing'])

export const proposeCredits = defineEndpoint({
  name: 'masav.proposeCredits',
  method: 'GET',
  path: `${base}/proposal/credits`,
  access: make,
  /** The day the money moves decides the tax; today when it is absent. */
  input: z.object({ until: dayValue, payDay: dayValue.optional() }),
  output: z.object({
    rows: z.array(
      bankLine.extend({
        supplierId: z.string(),
        name: z.string(),
        email: z.string().nullable(),
        bills: z.array(
          z.object({ id: z.string(), number: z.string(), dueDay: z.string(), openAgorot: z.number() }),
        ),
        grossAgorot: z.number(),
        withheldAgorot: z.number(),
        netAgorot: z.number(),
        /** Another account within the last month: to be asked about before money goes there. */
        bankChanged: z.boolean(),
        hindrance: hindrance.nullable(),
      }),
    ),
    /** Bills in other currencies that are due too and are paid one by one. */
    foreignBills: z.number(),
  }),
  summary: 'Suppliers with bills due by a day, what would be withheld and where the rest would go',
})
export type CreditProposal = z.output<typeof proposeCredits.output>['rows'][number]

/** Bills of suppliers that are to be paid, each whole or in part. */
const chosen = z
  .array(
    z.strictObject({
      supplierId: z.uuid({ error: 'fields.ref' }),
      bills: billsToPay,
    }),
  )
  .min(1, { error: 'fields.need' })
  .max(500, { error: 'fields.range' })
export type Chosen = z.output<typeof chosen>

export const workOutCredits = defineEndpoint({
  name: 'masav.workOutCredits',
  method: 'POST',
  path: `${base}/workout/credits`,
  access: make,
  maxBody: 1_000_000,
  reads: true,
  input: z.strictObject({ suppliers: chosen, payDay: dayValue.optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        supplierId: z.string(),
        grossAgorot: z.number(),
        withheldAgorot: z.number(),
        netAgorot: z.number(),
        /** By what the tax is what it is; null when this business withholds none. */
        rateBp: z.number().nullable(),
        reason: z.string().nullable(),
        hindrance: hindrance.nullable(),
      }),
    ),
  }),
  summary:
    'What the chosen bills and parts of bills come to on the day they are paid: the tax by each supplier’s certificate, and what is left to pay',
  errors: ['kit.notFound', 'masav.foreign', 'expenses.notApproved', 'expenses.nothingOpen'],
})

export const makeCredits = defineEndpoint({
  name: 'masav.makeCredits',
  method: 'POST',
  path: `${base}/credits`,
  access: make,
  maxBody: 1_000_000,
  input: z.strictObject({
    payDay: dayValue,
    suppliers: chosen,
    /** Notify each supplier of the payment. */
    notify: z.boolean().default(false),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Pays suppliers in one run: the payments, their entries and the file for the centre, all or nothing',
  errors: [
    'kit.notFound',
    'masav.noSettings',
    'masav.refused',
    'masav.noBank',
    'masav.nothingToPay',
    'masav.foreign',
    'expenses.notApproved',
    'expenses.nothingOpen',
    'ledger.periodClosed',
  ],
})

export const proposeDebits = defineEndpoint({
  name: 'masav.proposeDebits',
  method: 'GET',
  path: `${base}/proposal/debits`,
  access: make,
  input: z.object({ until: dayValue }),
  output: z.object({
    rows: z.array(
      bankLine.extend({
        documentId: z.string(),
        number: z.number(),
        type: z.number(),
        dueDay: z.string(),
        customerId: z.string(),
        name: z.string(),
        openAgorot: z.number(),
        mandate: z
          .object({
            reference: z.string(),
            since: z.string(),
            ceilingAgorot: z.number().nullable(),
            /** The signed paper, where it was signed here. */
            signedId: z.string().nullable(),
            /** The day of the last debit by it. */
            lastUsedOn: z.string().nullable(),
            /** Not debited by for more than a year: banks drop such mandates, and the debit comes back. */
            isStale: z.boolean(),
          })
          .nullable(),
        /** A mandate went out to be signed and is not back. */
        isAsked: z.boolean(),
        hindrance: hindrance.nullable(),
      }),
    ),
  }),
  summary: 'Open invoices due by a day, and whether their customers may be debited',
})
export type DebitProposal = z.output<typeof proposeDebits.output>['rows'][number]

export const saveMandate = defineEndpoint({
  name: 'masav.saveMandate',
  method: 'PUT',
  path: `${base}/mandates/{customerId}`,
  access: make,
  input: z.strictObject({
    customerId: z.uuid(),
    reference: z.string().regex(/^\d{1,20}$/, { error: 'fields.number' }),
    since: dayValue,
    /** As it was when absent. */
    ceilingAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().optional(),
    ended: z.boolean().default(false),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'A customer’s written leave to debit his account, or its end',
  errors: ['kit.notFound'],
})

export const askMandate = defineEndpoint({
  name: 'masav.askMandate',
  method: 'POST',
  path: `${base}/mandates/{customerId}/sign`,
  access: make,
  input: z.strictObject({
    customerId: z.uuid(),
    ...askValues,
    /** The next free one when absent. */
    reference: z
      .string()
      .regex(/^\d{1,20}$/, { error: 'fields.number' })
      .optional(),
    ceilingAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().default(null),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Asks a customer to sign his leave to be debited; it comes into force by itself when he has, with the account he wrote',
  errors: askErrors,
})

export const makeDebits = defineEndpoint({
  name: 'masav.makeDebits',
  method: 'POST',
  path: `${base}/debits`,
  access: make,
  input: z.strictObject({
    payDay: dayValue,
    documents: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(1000, { error: 'fields.range' }),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'A file that collects open invoices from customers who allowed it; receipts come when the money does',
  errors: [
    'masav.noSettings',
    'masav.refused',
    'masav.noBank',
    'masav.noMandate',
    'masav.aboveCeiling',
    'masav.nothingToPay',
  ],
})

const run = z.object({
  id: z.string(),
  number: z.number(),
  direction,
  payDay: z.string(),
  madeOn: z.string(),
  lines: z.number(),
  totalAgorot: z.number(),
  returned: z.number(),
  returnedAgorot: z.number(),
  collectedAt: z.string().nullable(),
  /** The day the money of a debit file came. */
  collectedOn: z.string().nullable(),
  madeBy: z.string().nullable(),
  undoneAt: z.string().nullable(),
  undoneBy: z.string().nullable(),
  undoReason: z.string(),
})
export type Run = z.output<typeof run>
export const listRuns = defineEndpoint({
  name: 'masav.runs',
  method: 'GET',
  path: `${base}/runs`,
  access: see,
  input: z.object({ direction }),
  output: z.object({ rows: z.array(run) }),
  summary: 'Files made for the clearing centre, the newest first',
})
const line = bankLine.extend({
  line: z.number(),
  partyId: z.string(),
  name: z.string(),
  amountAgorot: z.number(),
  reference: z.string(),
  supplierPaymentId: z.string().nullable(),
  documentId: z.string().nullable(),
  receiptId: z.string().nullable(),
  returnedOn: z.string().nullable(),
  returnReason: z.string(),
})
export const getRun = defineEndpoint({
  name: 'masav.run',
  method: 'GET',
  path: `${base}/runs/{id}`,
  access: see,
  input: byId,
  output: run.extend({ rows: z.array(line) }),
  summary: 'A file with its payments and what came back',
  errors: ['kit.notFound'],
})
export type RunAnswer = z.output<typeof getRun.output>

export const collectDebits = defineEndpoint({
  name: 'masav.collect',
  method: 'POST',
  path: `${base}/runs/{id}/collect`,
  access: make,
  input: z.strictObject({
    id: z.uuid(),
    /** The day the bank credited the money; the day of the debit when absent. */
    date: dayValue.optional(),
  }),
  output: z.object({ receipts: z.number() }),
  summary:
    'The money of a debit file came: a receipt for every line that did not return, with the day of the money',
  errors: ['kit.notFound', 'masav.alreadyCollected', 'masav.notDueYet', 'masav.undone'],
})
export const undoRun = defineEndpoint({
  name: 'masav.undo',
  method: 'POST',
  path: `${base}/runs/{id}/undo`,
  access: make,
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary:
    'Takes a whole file back: every payment or receipt of it is reversed, or none; refused once something of it came back',
  errors: ['kit.notFound', 'masav.undone', 'masav.cameBack', 'documents.cannotCancel', 'ledger.periodClosed'],
})
export const returnLine = defineEndpoint({
  name: 'masav.return',
  method: 'POST',
  path: `${base}/runs/{id}/return`,
  access: make,
  input: z.strictObject({
    id: z.uuid(),
    line: z.number().int().min(1),
    reason: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
    feeAgorot: moneyValue.min(0, { error: 'fields.range' }).default(0),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'A payment came back: what it paid is open again',
  errors: ['kit.notFound', 'masav.alreadyReturned', 'masav.undone'],
})
export const readReturns = defineEndpoint({
  name: 'masav.readReturns',
  method: 'POST',
  path: `${base}/returns`,
  access: make,
  upload: { maxBytes: 2 * 1024 * 1024 },
  input: z.object({ name: z.string().trim().min(1).max(200), bytes: bytesValue }),
  output: z.object({
    /** Lines of our files that the bank sent back now, with the file each was in. */
    returned: z.array(
      z.object({ runId: z.string(), number: z.number(), name: z.string(), amountAgorot: z.number() }),
    ),
    /** Sent back before, by this file or another. */
    known: z.number(),
    /** Lines of the file that are none of ours. */
    strangers: z.array(z.object({ name: z.string(), amountAgorot: z.number(), reference: z.string() })),
  }),
  summary: 'Reads the bank’s file of returned payments and takes each back',
  errors: ['masav.unreadable'],
})
export type Returns = z.output<typeof readReturns.output>

const file = (name: string, path: string, summary: string) =>
  defineEndpoint({
    name,
    method: 'GET',
    path,
    access: see,
    file: true,
    input: byId,
    output: z.any(),
    summary,
    errors: ['kit.notFound', 'masav.undone'],
  })
export const creditsFile = file(
  'masav.creditsFile',
  '/api4/invoiceexport/masav/credits',
  'The file of credits for the clearing centre',
)
export const debitsFile = file(
  'masav.debitsFile',
  '/api4/invoiceexport/masav/debits',
  'The file of debits for the clearing centre',
)
