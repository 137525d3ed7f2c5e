import { z } from 'zod'
import { entryLine } from '#features/base/ledger/endpoints.ts'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import {
  currencyValue,
  dayValue,
  emailValue,
  languageInput,
  languageValue,
  moneyValue,
  phoneValue,
  taxIdValue,
} from '#kit/fields/schema.ts'
import { exemptGrounds, zeroGrounds } from '#domain/vat/grounds.ts'
import { statusFacts } from '#domain/documents/facts.ts'
import { channels } from '#domain/documents/channels.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { layouts } from '#features/base/companies/company.ts'
import { documentStatusNames, paperLabels, type DocumentStatus } from '#domain/documents/kinds.ts'
import { queryNumber } from '#kit/fields/query.ts'
import { customerAnswer, totalsAnswer } from './documents.ts'

const decimal = z
  .union([z.string().max(24), z.number()], { error: 'fields.decimal' })
  .transform(String)
  .refine((v) => parseDecimal4(v) !== undefined, { error: 'fields.decimal' })
const words = (max: number) => z.string().max(max, { error: 'fields.tooLong' }).optional()
const share = z.number().int().min(0, { error: 'fields.range' }).max(10_000, { error: 'fields.range' })
/** By its share in basis points or by its sum in agorot. */
const discount = z.union([
  z.strictObject({ basisPoints: share }),
  z.strictObject({ agorot: moneyValue.min(0, { error: 'fields.range' }) }),
])

/**
 * The line another document gave this one, and how much of its quantity it takes; all of this line's own when
 * not said.
 */
const lineSource = z.strictObject({
  documentId: z.uuid(),
  line: z.number().int().min(1),
  quantity: decimal.optional(),
})

const line = z.strictObject({
  itemId: z.uuid().nullish(),
  sku: words(40),
  description: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(500, { error: 'fields.tooLong' }),
  details: words(4000),
  quantity: decimal.default('1'),
  unit: words(20),
  /** Absent for an item of the catalogue: the price that applies to the customer is taken. */
  unitPrice: decimal.optional(),
  /** Sets the income account; the item's own when absent. */
  incomeKindId: z.uuid({ error: 'fields.ref' }).nullish(),
  discount: discount.optional(),
  /** 1 before VAT, 2 including VAT, 3 trust deposit, 4 without VAT. */
  vatKind: z
    .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], { error: 'fields.choice' })
    .optional(),
  source: lineSource.nullish(),
})

const digits = (max: number) =>
  z
    .string()
    .regex(new RegExp(`^[\\d-]{0,${max}}$`), { error: 'fields.code' })
    .optional()
/** One means of payment; the sum in the document's currency, negative when money goes back. */
export const payment = z.strictObject({
  /** 1 cash, 2 cheque, 3 transfer, 4 card, 5 payment app, 6 PayPal, 7 tax withheld at source, 8 other. */
  means: z.number().int().min(1, { error: 'fields.choice' }).max(8, { error: 'fields.choice' }),
  amountAgorot: moneyValue.refine((v) => v !== 0, { error: 'fields.need' }),
  /** The day it was paid; the document's when absent. */
  date: dayValue.optional(),
  /** A cheque's day, or the first instalment's. */
  dueDate: dayValue.optional(),
  instalments: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(36, { error: 'fields.range' })
    .nullish(),
  cardBrand: words(30),
  cardLast4: z
    .string()
    .regex(/^(\d{4})?$/, { error: 'fields.code' })
    .optional(),
  bank: digits(3),
  branch: digits(4),
  account: digits(20),
  number: words(30),
  reference: words(100),
})

/** A debt this money closes, or a payment request it answers; amounts in the currency of each document. */
const close = z.strictObject({
  documentId: z.uuid(),
  amountAgorot: moneyValue.min(1, { error: 'fields.range' }),
  /** What it takes of this document, when the two are in different currencies. */
  takesAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
})

/** Left empty, or as the register of customers takes it. */
const orNothing = <S extends z.ZodType>(value: S) => z.union([z.literal(''), value]).optional()

const customerInPlace = z.strictObject({
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(200, { error: 'fields.tooLong' }),
  taxId: orNothing(taxIdValue),
  isDealer: z.boolean().optional(),
  email: orNothing(emailValue),
  phone: orNothing(phoneValue),
  street: words(120),
  city: words(80),
})

/** Where the goods go, in words; kept with the document as it was written. */
const place = z.strictObject({
  name: words(120),
  street: words(120),
  city: words(80),
  zip: words(10),
  country: words(60),
  contact: words(120),
  phone: words(25),
  notes: words(1000),
})

/** What a document says, before the server adds number, totals and names. */
const content = {
  /** The numeric id (8 = tax invoice). */
  type: z.number().int(),
  customerId: z.uuid({ error: 'fields.ref' }).nullish(),
  customer: customerInPlace.optional(),
  date: dayValue.optional(),
  dueDate: dayValue.nullish(),
  dueTerms: z
    .string()
    .regex(/^(now|net:\d{1,3}|eom:\d{1,3})$/, { error: 'fields.choice' })
    .optional(),
  currency: currencyValue.optional(),
  /** Shekels for one unit of the currency, up to six decimals; needed for a foreign currency. */
  rate: z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'fields.decimal' }))
    .optional(),
  language: languageInput.optional(),
  subject: words(200),
  notes: words(4000),
  notesBelow: words(4000),
  notesInternal: words(4000),
  orderNumber: words(40),
  projectId: z.uuid({ error: 'fields.ref' }).nullish(),
  /** The worker who sold it; the customer's own when absent. */
  agentId: z.uuid({ error: 'fields.ref' }).nullish(),
  lines: z.array(line).max(1000, { error: 'fields.range' }).default([]),
  /** How it is paid: receipts, invoices with receipt, donations, deposits. */
  payments: z.array(payment).max(100, { error: 'fields.range' }).optional(),
  /** The exception of the cash law that lets more cash through, in words; kept in the log. */
  cashException: words(200),
  /**
   * Why a credit takes more of a class of VAT than its invoice has, as other programs let it: kept in the
   * log. Never more than the invoice's total.
   */
  classException: words(200),
  closes: z.array(close).max(500, { error: 'fields.range' }).optional(),
  /** Changes the label of a payment request. */
  subType: z.number().int().min(0).max(99).optional(),
  /** Changes the label of a quote. */
  pro: z.boolean().optional(),
  /** A branch with separate numbers. */
  branch: z
    .string()
    .regex(/^[\p{L}\p{N} _-]{0,20}$/u, { error: 'fields.text' })
    .optional(),
  validUntil: dayValue.nullish(),
  /**
   * Of papers that go with goods: an address of the customer, or one in words; null for none. Absent on an
   * order or a delivery note: the customer's only address for deliveries.
   */
  deliverTo: z.union([z.strictObject({ addressId: z.uuid({ error: 'fields.ref' }) }), place]).nullish(),
  /** Written by hand in a paper book: its own number there. */
  handNumber: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(9_999_999_999, { error: 'fields.range' })
    .nullish(),
  /** Why the lines at zero rate are; the customer's ground when absent, none when null. */
  zeroGround: z.enum(zeroGrounds, { error: 'fields.choice' }).nullish(),
  /** Why the lines without VAT are exempt or outside it. */
  exemptGround: z.enum(exemptGrounds, { error: 'fields.choice' }).nullish(),
  /**
   * Of a foreign currency: without amounts in shekels and the rate, where it carries no VAT; as for the customer
   * when absent.
   */
  hidesIls: z.boolean().optional(),
  reason: words(300),
  discount: discount.nullish(),
  rounding: z.enum(['none', 'whole', 'half'], { error: 'fields.choice' }).optional(),
  sourceId: z.uuid().nullish(),
  clientKey: z.string().max(100).optional(),
}
export const documentInput = z.strictObject(content)
export type DocumentInput = z.input<typeof documentInput>

const lineAnswer = z.object({
  line: z.number(),
  itemId: z.string().nullable(),
  sku: z.string(),
  description: z.string(),
  details: z.string(),
  quantity: z.string(),
  unit: z.string(),
  unitPrice: z.string(),
  incomeKindId: z.string().nullable(),
  /** A line has a discount by percent or by sum. */
  discountBp: z.number(),
  discountAgorot: z.number(),
  vatKind: z.number(),
  vatClass: z.string(),
  source: z.object({ documentId: z.string(), line: z.number(), quantity: z.string() }).nullable(),
  /** How much of it keeps an issued document open: still to be supplied, charged or credited. */
  left: z.string().nullable(),
  /**
   * How much of it each type of document that may be made from this one can take: asking for money does not
   * supply.
   */
  leftFor: z.array(z.object({ type: z.number(), quantity: z.string() })),
  amountAgorot: z.number(),
  netAgorot: z.number(),
  vatAgorot: z.number(),
  totalAgorot: z.number(),
})
const paymentAnswer = z.object({
  id: z.string(),
  line: z.number(),
  means: z.number(),
  amountAgorot: z.number(),
  date: z.string(),
  dueDate: z.string(),
  instalments: z.number().nullable(),
  cardBrand: z.string(),
  cardLast4: z.string(),
  bank: z.string(),
  branch: z.string(),
  account: z.string(),
  number: z.string(),
  reference: z.string(),
  state: z.string(),
})
/** What one paper is called in place of its type; null where it is called by that. */
export const labelAnswer = z.enum(paperLabels).nullable()
/** What closed what: the other document, and how much of this one's currency. */
const settlementAnswer = z.object({
  id: z.string(),
  documentId: z.string(),
  type: z.number(),
  number: z.number().nullable(),
  label: labelAnswer,
  /** Of a debt from before the books began here: its number of the time. */
  opening: z.string().nullable(),
  date: z.string(),
  amountAgorot: z.number(),
})
/** Where the goods go; parts that were not written are empty. */
const placeAnswer = z.object({
  name: z.string(),
  street: z.string(),
  city: z.string(),
  zip: z.string(),
  country: z.string(),
  contact: z.string(),
  phone: z.string(),
  notes: z.string(),
})
export type DeliverTo = z.output<typeof placeAnswer>
export const documentAnswer = z.object({
  id: z.string(),
  type: z.number(),
  number: z.number().nullable(),
  status: z.enum(documentStatusNames),
  date: z.string(),
  dueDate: z.string().nullable(),
  /** The terms that the due date follows from; null where the document has an explicit due day. */
  dueTerms: z.string().nullable(),
  currency: z.string(),
  rate: z.string(),
  /** The day on which the rate was published; null of shekels and of a rate that was typed. */
  rateDate: z.string().nullable(),
  language: z.enum(['he', 'en', 'ar', 'ru', 'fr']),
  customerId: z.string().nullable(),
  customer: customerAnswer.nullable(),
  subject: z.string(),
  notes: z.string(),
  notesBelow: z.string(),
  notesInternal: z.string(),
  orderNumber: z.string(),
  projectId: z.string().nullable(),
  projectName: z.string().nullable(),
  agentId: z.string().nullable(),
  agentName: z.string().nullable(),
  discount: discount.nullable(),
  rounding: z.enum(['none', 'whole', 'half']),
  vatRateBp: z.number(),
  zeroGround: z.enum(zeroGrounds).nullable(),
  exemptGround: z.enum(exemptGrounds).nullable(),
  hidesIls: z.boolean(),
  lines: z.array(lineAnswer),
  payments: z.array(paymentAnswer),
  settlements: z.array(settlementAnswer),
  /** Of a draft: what it will close when it is issued. */
  closes: z.array(
    z.object({ documentId: z.string(), amountAgorot: z.number(), takesAgorot: z.number().optional() }),
  ),
  cashException: z.string(),
  handNumber: z.number().nullable(),
  subType: z.number(),
  pro: z.boolean(),
  branch: z.string(),
  validUntil: z.string().nullable(),
  deliverTo: placeAnswer.nullable(),
  byHand: z.boolean(),
  /** The business as the document names it: in the document's language where it has a name there. */
  business: z.object({
    name: z.string(),
    street: z.string(),
    city: z.string(),
    bankDetails: z.string(),
    iban: z.string(),
    swift: z.string(),
  }),
  /** Owed before the books began here: no paper of this business. */
  isOpening: z.boolean(),
  /** It writes a debt off, or charges what was paid of one that was written off. */
  isBadDebt: z.boolean(),
  /** The number such a debt has on the paper of the time, where one is known. */
  openingNumber: z.string(),
  totals: totalsAnswer,
  allocationState: z.string(),
  allocationNumber: z.string().nullable(),
  source: z
    .object({ id: z.string(), type: z.number(), number: z.number().nullable(), label: labelAnswer })
    .nullable(),
  cancelledBy: z
    .object({ id: z.string(), type: z.number(), number: z.number().nullable(), label: labelAnswer })
    .nullable(),
  reason: z.string(),
  sentAt: z.string().nullable(),
  viewedAt: z.string().nullable(),
  issuedAt: z.string().nullable(),
  issuedByName: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Addresses of the files and of the customer's page; empty for a draft. */
  urls: z.object({
    original: z.string(),
    copy: z.string(),
    certified: z.string(),
    thermal: z.string(),
    page: z.string(),
    /** The page, where what is open can be paid on it; empty where nothing can. */
    pay: z.string(),
    /**
     * Where the person who is next signs it; empty where nobody is asked to, or the caller may not send papers to be
     * signed.
     */
    sign: z.string(),
  }),
})
export type DocumentAnswer = z.output<typeof documentAnswer>

const byId = z.object({ id: z.uuid() })
const base = '/api4/invoice/documents'
export const issuing = [
  'documents.kindMayNotIssue',
  'documents.typeNotMade',
  'documents.typeNotAllowed',
  'documents.dateInFuture',
  'ledger.periodClosed',
  'vat.periodFiled',
  'documents.dateBeforeLastOfSeries',
  'documents.noRate',
  'documents.noCustomer',
] as const

export const createDocument = defineEndpoint({
  name: 'documents.create',
  marks: 'documents',
  clientKeys: { of: 'documents' },
  method: 'POST',
  path: base,
  access: { rule: 'documents.draft' },
  maxBody: 1_000_000,
  forDrafts: true,
  input: documentInput.extend({
    draft: z.boolean().default(false),
    /** The rate of VAT that the caller counts with; where the document's would be another it is refused. */
    vatRateBp: share.optional(),
    /**
     * false: the authority is not asked for a number, and the customer cannot deduct the VAT. Of a document
     * that is issued at once.
     */
    askAllocation: z.boolean().optional(),
  }),
  output: documentAnswer,
  summary: 'Makes a document: a draft, or issued at once',
  errors: [...issuing, 'documents.otherVatRate', 'documents.groundNotZero'],
})
export const batchDocuments = defineEndpoint({
  name: 'documents.batch',
  clientKeys: { of: 'documents', rows: 'documents' },
  method: 'POST',
  path: `${base}/batch`,
  access: { rule: 'documents.issue' },
  maxBody: 4_000_000,
  input: z.strictObject({
    documents: z.array(documentInput).min(1, { error: 'fields.need' }).max(200, { error: 'fields.range' }),
  }),
  output: z.object({
    rows: z.array(z.object({ id: z.string(), number: z.number(), clientKey: z.string().nullable() })),
  }),
  summary: 'Issues up to 200 documents in their order, all or none',
  errors: issuing,
})
export const getDocument = defineEndpoint({
  name: 'documents.get',
  marks: 'documents',
  method: 'GET',
  path: `${base}/{id}`,
  access: { rule: 'documents.see' },
  input: recordInput,
  output: documentAnswer.extend(alongWith),
  summary: 'One document with its lines',
  errors: ['kit.notFound'],
})
export const documentByKey = defineEndpoint({
  name: 'documents.byKey',
  marks: 'documents',
  method: 'GET',
  path: '/api4/invoice/documentKeys/{clientKey}',
  former: { path: `${base}/bykey/{clientKey}`, since: '2026-11-30', until: '2027-11-30' },
  access: { rule: 'documents.see' },
  input: z.object({ clientKey: z.string().min(1).max(100) }),
  output: documentAnswer,
  summary: 'The document that a program made under a key of its own (clientKey)',
  errors: ['kit.notFound'],
})
export const changeDocument = defineEndpoint({
  name: 'documents.change',
  marks: 'documents',
  clientKeys: { of: 'documents' },
  method: 'PATCH',
  path: `${base}/{id}`,
  access: { rule: 'documents.draft' },
  maxBody: 1_000_000,
  forDrafts: true,
  input: documentInput.extend({ id: z.uuid() }),
  output: documentAnswer,
  summary: 'Changes a draft; what is issued never changes',
  errors: ['kit.notFound', 'documents.notDraft', ...issuing],
})
export const deleteDocument = defineEndpoint({
  name: 'documents.delete',
  marks: 'documents',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'documents.draft' },
  forDrafts: true,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Throws a draft away',
  errors: ['kit.notFound', 'documents.notDraft'],
})
// example: endpoint
export const issueDocument = defineEndpoint({
  name: 'documents.issue',
  method: 'POST',
  path: `${base}/{id}/issue`,
  access: { rule: 'documents.issue' },
  input: byId,
  output: documentAnswer,
  summary: 'Issues a draft: gives the number, freezes, posts',
  errors: ['kit.notFound', 'documents.notDraft', ...issuing],
})
// example end
export const cancelDocument = defineEndpoint({
  name: 'documents.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  makes: { see: 'documents.get' },
  access: { rule: 'documents.cancel' },
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: documentAnswer,
  summary: 'Cancels by issuing the whole credit; answers the credit',
  errors: [
    'kit.notFound',
    'documents.stillDraft',
    'documents.alreadyCancelled',
    'documents.cannotCancel',
    'expenses.hasPayments',
    'ledger.periodClosed',
    'vat.periodFiled',
  ],
})
export const creditDocument = defineEndpoint({
  name: 'documents.credit',
  method: 'POST',
  path: `${base}/{id}/credit`,
  makes: { see: 'documents.get' },
  access: { rule: 'documents.cancel' },
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
    /** Not before the invoice. */
    date: dayValue.optional(),
    /** Written by hand in a paper book: its own number there. */
    handNumber: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(9_999_999_999, { error: 'fields.range' })
      .optional(),
    /** By line: a quantity, or a sum with VAT. */
    lines: z
      .array(
        z.strictObject({
          line: z.number().int().min(1),
          quantity: decimal.optional(),
          agorot: moneyValue.optional(),
        }),
      )
      .max(1000)
      .optional(),
    /** A sum with VAT off the whole. */
    agorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
    /**
     * How much of that sum is VAT, as the paper says it; without it the sum is split as what is left of the
     * invoice.
     */
    vatAgorot: moneyValue.min(0, { error: 'fields.range' }).optional(),
  }),
  output: documentAnswer,
  summary: 'Credits an invoice: all that is left, by line and quantity, or by a sum; answers the credit',
  errors: [
    'kit.notFound',
    'documents.stillDraft',
    'documents.alreadyCancelled',
    'documents.cannotCancel',
    'documents.creditsTooMuch',
    'documents.creditBeforeInvoice',
    'ledger.periodClosed',
    'vat.periodFiled',
  ],
})
export const convertDocument = defineEndpoint({
  name: 'documents.convert',
  method: 'POST',
  path: `${base}/{id}/convert`,
  makes: { see: 'documents.get' },
  access: { rule: 'documents.draft' },
  forDrafts: true,
  input: z.strictObject({
    id: z.uuid(),
    type: z.number().int(),
    with: z.array(z.uuid()).max(100).optional(),
    lines: z
      .array(z.strictObject({ line: z.number().int().min(1), quantity: decimal }))
      .max(1000)
      .optional(),
  }),
  output: documentAnswer,
  summary: 'Makes a draft of a later kind from this document (and others), whole or by line and quantity',
  errors: [
    'kit.notFound',
    'documents.stillDraft',
    'documents.cannotConvert',
    'documents.nothingLeft',
    'documents.takesTooMuch',
  ],
})
export const settleDocument = defineEndpoint({
  name: 'documents.settle',
  method: 'POST',
  path: `${base}/{id}/settle`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({
    id: z.uuid(),
    /** The debt to close with this money or credit. */
    documentId: z.uuid(),
    /** As much as both have left when absent, where both are in one currency. */
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
    takesAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
  }),
  output: documentAnswer,
  summary: 'Uses money on account, or a credit, against a debt',
  errors: ['kit.notFound', 'documents.closesTooMuch', 'documents.nothingToClose', 'documents.incomeAndDebt'],
})
export const unsettleDocument = defineEndpoint({
  name: 'documents.unsettle',
  method: 'POST',
  path: `${base}/{id}/unsettle`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({ id: z.uuid(), settlementId: z.uuid() }),
  output: documentAnswer,
  summary: 'Takes a settlement back; both documents are open again',
  errors: ['kit.notFound', 'documents.notSettled'],
})
const openItem = z.object({
  id: z.string(),
  type: z.number(),
  number: z.number().nullable(),
  label: labelAnswer,
  date: z.string(),
  dueDate: z.string().nullable(),
  currency: z.string(),
  totalAgorot: z.number(),
  /**
   * Positive: owed to us, or asked for; negative: money or credit of the customer's. In the document's
   * currency.
   */
  openInCurrencyAgorot: z.number(),
  openAgorot: z.number(),
  asks: z.boolean(),
  /** Owed before the books began here. */
  isOpening: z.boolean(),
  /** The number it has on the paper of the time, where one is known. */
  openingNumber: z.string(),
})
export type OpenItem = z.infer<typeof openItem>
export const openItems = defineEndpoint({
  name: 'documents.openItems',
  method: 'GET',
  path: `${base}/open/{customerId}`,
  access: { rule: 'documents.see' },
  input: z.object({ customerId: z.uuid() }),
  output: z.object({ rows: z.array(openItem) }),
  summary: 'What a customer owes, asks and has to his credit, oldest first',
})
/** The branches that have a series already. */
export const branchNames = defineEndpoint({
  name: 'documents.branches',
  method: 'GET',
  path: `${base}/branches`,
  access: { rule: 'documents.draft' },
  input: z.object({}),
  output: z.object({ names: z.array(z.string()) }),
  summary: 'The branches documents were issued for, by name; a new name begins a series of its own',
})
/** The state of a quote or an order: `sent` is an issued one that was sent to its customer. */
export const boardStates: readonly (DocumentStatus | 'sent')[] = documentStatusNames.flatMap((status) =>
  statusFacts(status).isUntouched ? [status, 'sent' as const] : [status],
)
const boardDocument = z.object({
  id: z.string(),
  number: z.number().nullable(),
  label: labelAnswer,
  state: z.enum(boardStates).describe('Where the document stands'),
  day: z.string(),
  validUntil: z.string().nullable(),
  customer: z.string().describe('The name on it'),
  subject: z.string(),
  agent: z.string().nullable().describe('Who sold it'),
  totalAgorot: z.number(),
  ilsTotalAgorot: z.number(),
  currency: z.string(),
  viewedAt: z.string().nullable(),
})
export type BoardDocument = z.output<typeof boardDocument>
const boardColumn = z.object({
  state: z.enum(boardStates),
  count: z.number(),
  sumAgorot: z.number().describe('Of all of the column, in shekels'),
})
export type BoardColumn = z.output<typeof boardColumn>
export const documentBoard = defineEndpoint({
  name: 'documents.board',
  method: 'GET',
  path: `${base}/board`,
  access: { rule: 'documents.see' },
  input: z.object({
    type: queryNumber(z.union([z.literal(1), z.literal(2)], { error: 'fields.choice' })).describe(
      '1 quotes, 2 orders',
    ),
  }),
  output: z.object({ rows: z.array(boardDocument), columns: z.array(boardColumn) }),
  summary:
    'Quotes or orders by their state, the newest first, at most 200 of each; what is over stays for a month',
})
export const duplicateDocument = defineEndpoint({
  name: 'documents.duplicate',
  method: 'POST',
  path: `${base}/{id}/duplicate`,
  makes: { see: 'documents.get' },
  access: { rule: 'documents.draft' },
  forDrafts: true,
  input: byId,
  output: documentAnswer,
  summary: 'Makes a new draft of the same content',
  errors: ['kit.notFound'],
})
/**
 * All files of one mail together, in bytes; encoded for mail they grow by a third, and most servers take 25
 * MB.
 */
export const mostMailBytes = 15 * 1024 * 1024

/**
 * The customer's answer on receiving computerized documents; 'notNow' leaves the question open and is remembered.
 */
const consentInput = z.union([
  z.literal('notNow'),
  z.strictObject({
    how: z.enum(['paper', 'mail', 'phone'], { error: 'fields.choice' }),
    by: z.string().trim().max(120).default(''),
  }),
])
export type ConsentInput = z.output<typeof consentInput>

export const sendingOfDocument = defineEndpoint({
  name: 'documents.sending',
  method: 'GET',
  path: `${base}/{id}/sending`,
  access: { rule: 'documents.send' },
  input: byId,
  output: z.object({
    language: languageValue,
    /** `also`: the other people of the customer who get invoices. */
    to: z.object({ mail: z.string(), also: z.array(z.string()), phone: z.string() }),
    /** Ready in the customer's language; empty for the person who may not see figures. */
    texts: z.object({ subject: z.string(), mail: z.string(), sms: z.string(), whatsApp: z.string() }),
    /**
     * missing: it was never requested; asked: it was, and is open; notNeeded: such a document needs none, or nobody
     * relies on it.
     */
    consent: z.object({
      state: z.enum(['given', 'missing', 'asked', 'notNeeded']),
      at: z.string().nullable(),
      how: z.string().nullable(),
    }),
    /**
     * What the rules say of it beforehand. first: the business sends its first computerised document;
     * certified: such a receipt wants a certified signature.
     */
    notices: z.array(z.enum(['first', 'certified'])),
    customerId: z.string().nullable(),
    /** What the customer was sent the last document by. */
    lastChannel: z.enum(channels).nullable(),
    /** Without an account with a provider, text messages are kept and not sent. */
    smsIsSet: z.boolean(),
    /** Without a mail server, mail is kept and not sent. */
    mailIsSet: z.boolean(),
    /**
     * What is attached automatically, such as the electronic invoice; `fault` when it should and cannot be created.
     */
    companions: z.array(z.object({ word: z.string(), fault: z.boolean() })),
    files: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), mailed: z.boolean() })),
  }),
  summary:
    'To whom, in which words and with which files a document would be sent, and whether its customer agreed to it',
  errors: ['kit.notFound', 'documents.stillDraft'],
})
export const sendDocument = defineEndpoint({
  name: 'documents.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: { rule: 'documents.send' },
  input: z.strictObject({
    id: z.uuid(),
    to: emailValue,
    /** Others who get the same message, each in a separate email. */
    also: z.array(emailValue).max(9, { error: 'fields.range' }).optional(),
    subject: words(200),
    text: words(4000),
    attach: z.boolean().default(true),
    /** Files of the document that go along; those marked so when absent. */
    files: z.array(z.uuid()).max(20, { error: 'fields.range' }).optional(),
    consent: consentInput.optional(),
  }),
  /** `messageIds`: of everybody it goes to, the first of them as `messageId` too. */
  output: z.object({ messageId: z.string(), messageIds: z.array(z.string()) }),
  summary: 'Sends an issued document by mail, with its page and file',
  errors: ['kit.notFound', 'documents.stillDraft', 'documents.mailTooLarge'],
})
export const smsDocument = defineEndpoint({
  name: 'documents.sms',
  method: 'POST',
  path: `${base}/{id}/sms`,
  access: { rule: 'documents.send' },
  input: z.strictObject({ id: z.uuid(), to: phoneValue, text: words(600), consent: consentInput.optional() }),
  output: z.object({ messageId: z.string() }),
  summary: 'Sends the link of an issued document in a text message',
  errors: ['kit.notFound', 'documents.stillDraft', 'sms.notMobile'],
})
export const whatsAppDocument = defineEndpoint({
  name: 'documents.whatsApp',
  method: 'POST',
  path: `${base}/{id}/whatsapp`,
  access: { rule: 'documents.send' },
  input: z.strictObject({
    id: z.uuid(),
    to: phoneValue.or(z.literal('')).default(''),
    text: words(2000),
    consent: consentInput.optional(),
  }),
  output: z.object({ messageId: z.string(), url: z.string() }),
  summary:
    'Gives the address that opens WhatsApp with the text ready, and notes that the person sent it there',
  errors: ['kit.notFound', 'documents.stillDraft'],
})

const documentFile = z.object({
  id: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  shown: z.boolean(),
  mailed: z.boolean(),
})
export const filesOfDocument = defineEndpoint({
  name: 'documents.files',
  method: 'GET',
  path: `${base}/{id}/files`,
  access: { rule: 'documents.see' },
  input: byId,
  output: z.object({ rows: z.array(documentFile) }),
  summary:
    'The files attached to a document, which of them its customer sees, and which go along with the mail',
  errors: ['kit.notFound'],
})
export const markFile = defineEndpoint({
  name: 'documents.markFile',
  method: 'PUT',
  path: `${base}/{id}/files/{fileId}`,
  access: { rule: 'documents.draft' },
  input: z.strictObject({ id: z.uuid(), fileId: z.uuid(), shown: z.boolean(), mailed: z.boolean() }),
  output: z.object({ rows: z.array(documentFile) }),
  summary: 'Shows a file of a document to its customer, sends it along with the mail, or neither',
  errors: ['kit.notFound'],
})

const signature = z.object({
  has: z.boolean(),
  isOn: z.boolean(),
  /** Another picture, another text. */
  version: z.string().nullable(),
})
export const getSignature = defineEndpoint({
  name: 'documents.signature',
  method: 'GET',
  path: '/api4/invoice/company/signature',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: signature,
  summary: 'Whether the business has a signature by hand, and whether it is printed on its papers',
})
export const signaturePicture = defineEndpoint({
  name: 'documents.signaturePicture',
  method: 'GET',
  path: '/api4/invoice/company/signature/picture',
  access: { rule: 'companies.see' },
  file: true,
  input: z.object({ v: z.string().max(60).optional() }),
  output: z.any(),
  summary: 'The picture of the signature',
  errors: ['kit.notFound'],
})
export const setSignature = defineEndpoint({
  name: 'documents.setSignature',
  method: 'PUT',
  path: '/api4/invoice/company/signature',
  access: { rule: 'companies.change' },
  maxBody: 1_500_000,
  input: z.strictObject({
    image: z.string().max(1_400_000, { error: 'fields.tooLong' }).optional(),
    isOn: z.boolean().optional(),
  }),
  output: signature,
  summary:
    'Sets the signature (a JPEG or PNG as base64, 10 to 2000 pixels a side), or switches its printing on or off',
  errors: ['documents.badSignature', 'documents.noSignature'],
})
export const dropSignature = defineEndpoint({
  name: 'documents.dropSignature',
  method: 'DELETE',
  path: '/api4/invoice/company/signature',
  access: { rule: 'companies.change' },
  input: z.object({}),
  output: signature,
  summary: 'Removes the signature; papers that were made keep it',
})

/** How the paper would look with settings that are not saved yet. */
const look = z.strictObject({
  layout: z.enum(layouts, { error: 'fields.choice' }),
  accent: z.string().regex(/^#[0-9a-f]{6}$/, { error: 'fields.color' }),
  textAbove: words(2000),
  textBelow: words(2000),
  showCreditLine: z.boolean(),
})
export const previewDocument = defineEndpoint({
  name: 'documents.preview',
  method: 'POST',
  path: `${base}/preview`,
  access: { rule: 'documents.draft' },
  maxBody: 1_000_000,
  reads: true,
  input: documentInput.extend({
    page: z.number().int().min(0).max(99).optional(),
    look: look.partial().optional(),
  }),
  output: z.object({ pages: z.array(z.string()) }),
  summary: 'The picture of a document that is not saved yet, as SVG pages',
})
export const picturesOfDocument = defineEndpoint({
  name: 'documents.pictures',
  method: 'GET',
  path: `${base}/{id}/pictures`,
  access: { rule: 'documents.see' },
  input: byId,
  output: z.object({ pages: z.array(z.string()) }),
  summary: 'The pages of a document as SVG',
  errors: ['kit.notFound'],
})
const variants = ['original', 'copy', 'certified', 'thermal'] as const
export const pdfOfDocument = defineEndpoint({
  name: 'documents.pdf',
  method: 'GET',
  path: `${base}/{id}/pdf`,
  access: { rule: 'documents.see' },
  file: true,
  input: byId.extend({ variant: z.enum(variants).default('copy') }),
  output: z.any(),
  summary: 'The sealed PDF: original, copy, certified copy or 80 mm slip',
  errors: ['kit.notFound', 'documents.stillDraft'],
})
export const entriesOfDocument = defineEndpoint({
  name: 'documents.entries',
  method: 'GET',
  path: `${base}/{id}/entries`,
  access: { rule: 'documents.see' },
  input: byId,
  output: z.object({
    rows: z.array(entryLine),
  }),
  summary: 'What a document did in the books',
  errors: ['kit.notFound'],
})
export const historyOfDocument = defineEndpoint({
  name: 'documents.history',
  method: 'GET',
  path: `${base}/{id}/history`,
  access: { rule: 'documents.see' },
  input: byId,
  output: z.object({
    rows: z.array(z.object({ at: z.string(), who: z.string().nullable(), action: z.string() })),
    messages: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        channel: z.enum(['mail', 'sms', 'whatsapp']),
        recipient: z.string(),
        subject: z.string(),
        state: z.string(),
        error: z.string().nullable(),
        sentAt: z.string().nullable(),
        openedAt: z.string().nullable(),
      }),
    ),
  }),
  summary: 'What happened to a document, and what was sent',
  errors: ['kit.notFound'],
})
export const homeFigures = defineEndpoint({
  name: 'documents.home',
  method: 'GET',
  path: '/api4/invoice/home',
  access: 'member',
  input: z.object({}),
  output: z.object({
    today: z.string(),
    incomeMonthAgorot: z.number(),
    incomeLastMonthAgorot: z.number(),
    incomeYearAgorot: z.number(),
    openAgorot: z.number(),
    lateAgorot: z.number(),
    lateCount: z.number(),
    lateCustomers: z.number(),
    /** The VAT period that runs, and when it is due. */
    vat: z.object({ from: z.string(), to: z.string(), dueDay: z.string() }).nullable(),
    drafts: z.number(),
    waitingAllocation: z.number(),
    ages: z.array(
      z.object({ age: z.enum(['notDue', 'd30', 'd60', 'd90', 'more']), amountAgorot: z.number() }),
    ),
    months: z.array(z.object({ month: z.string(), incomeAgorot: z.number(), expensesAgorot: z.number() })),
    last: z.array(
      z.object({
        id: z.string(),
        type: z.number(),
        number: z.number().nullable(),
        label: labelAnswer,
        customer: z.string(),
        totalAgorot: z.number(),
        currency: z.string(),
        day: z.string(),
        issuedAt: z.string().nullable(),
        status: z.string(),
        openAgorot: z.number(),
        dueDay: z.string().nullable(),
      }),
    ),
  }),
  summary: 'The figures of the home page',
})

/** The customer's page: the key in the address is the right. */
export const pageOfDocument = defineEndpoint({
  name: 'documents.page',
  method: 'GET',
  path: '/api2/invoice/page/{key}',
  access: 'key',
  input: z.object({ key: z.string().max(100) }),
  output: z.object({
    ...faceFields,
    business: faceFields.business.extend({ bankDetails: z.string() }),
    type: z.number(),
    number: z.number().nullable(),
    label: labelAnswer,
    /** Of a debt from before the books began here: its number of the time. There is no paper of it. */
    opening: z.string().nullable(),
    status: z.string(),
    date: z.string(),
    dueDate: z.string().nullable(),
    language: z.string(),
    currency: z.string(),
    customer: z.string(),
    totalAgorot: z.number(),
    openAgorot: z.number(),
    /** What was paid for it, by receipts that have separate pages. */
    receipts: z.array(
      z.object({
        type: z.number(),
        number: z.number(),
        day: z.string(),
        agorot: z.number(),
        key: z.string(),
      }),
    ),
    pages: z.array(z.string()),
    /** What the business shows beside it. */
    files: z.array(z.object({ id: z.string(), name: z.string(), mime: z.string(), size: z.number() })),
  }),
  summary: 'A document on the customer’s page',
  errors: ['kit.notFound'],
})
export const pagePdf = defineEndpoint({
  name: 'documents.pagePdf',
  method: 'GET',
  path: '/api2/invoice/page/{key}/pdf',
  access: 'key',
  file: true,
  input: z.object({ key: z.string().max(100) }),
  output: z.any(),
  summary: 'The sealed original for the customer',
  errors: ['kit.notFound'],
})
/** A link programs hand on: its key opens this one variant and nothing else. */
export const pagePaper = defineEndpoint({
  name: 'documents.pagePaper',
  method: 'GET',
  path: '/api2/invoice/page/{key}/paper/{variant}/{proof}',
  access: 'key',
  file: true,
  input: z.object({ key: z.string().max(100), variant: z.enum(variants), proof: z.string().max(100) }),
  output: z.any(),
  summary: 'A copy, certified copy or 80 mm slip, by its link',
  errors: ['kit.notFound'],
})
export const pageLogo = defineEndpoint({
  name: 'documents.pageLogo',
  method: 'GET',
  path: '/api2/invoice/page/{key}/logo',
  access: 'key',
  file: true,
  input: z.object({ key: z.string().max(100) }),
  output: z.any(),
  summary: 'The business’s logo on the customer’s page',
  errors: ['kit.notFound'],
})
export const pageFile = defineEndpoint({
  name: 'documents.pageFile',
  method: 'GET',
  path: '/api2/invoice/page/{key}/files/{fileId}',
  access: 'key',
  file: true,
  input: z.object({ key: z.string().max(100), fileId: z.uuid() }),
  output: z.any(),
  summary: 'A file that stands beside a document on the customer’s page',
  errors: ['kit.notFound'],
})
