import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { isTaxId, normaliseTaxId } from '#domain/taxId.ts'
import { dayValue } from '#kit/fields/schema.ts'

const link = '/api4/invoice/israeltax'
const missing = '/api4/invoice/missingisraeltax'
const verify = '/api4/invoice/israeltaxverify'
const see = { rule: 'allocation.see' } as const
const change = { rule: 'allocation.change' } as const
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

/** Nine digits as they are printed, or all 26; spaces do not count. */
export const allocationNumber = z
  .string()
  .transform((text) => text.replace(/[\s\u200e\u200f-]/g, ''))
  .pipe(z.string().regex(/^\d{9,26}$/, { error: 'allocation.digits' }))

export const decisions = ['cancel', 'continue', 'reverseCharge', 'objection'] as const
export type Decision = (typeof decisions)[number]

/** How a business is connected to a service of the tax authority. */
export const authorityConnection = z.object({
  /** off: this server has no access to the authority; simulator: one that answers like it. */
  authority: z.enum(['real', 'simulator', 'off']),
  state: z.enum(['none', 'connected', 'ended']),
  connectedAt: z.string().nullable(),
  connectedBy: z.string().nullable(),
  /** When somebody must log in again, and in how many days. */
  endsAt: z.string().nullable(),
  daysLeft: z.number().nullable(),
  /** The authority does not answer now; when it is tried again. */
  awayUntil: z.string().nullable(),
  waiting: z.number(),
})

const connection = authorityConnection.extend({
  stock: z.object({ left: z.number(), used: z.number(), toReport: z.number() }),
})
export type Connection = z.output<typeof connection>

export const getConnection = defineEndpoint({
  name: 'allocation.connection',
  method: 'GET',
  path: link,
  access: see,
  input: z.object({}),
  output: connection,
  summary:
    'How the business stands with the tax authority: connected, until when, and the stock of emergency numbers',
})

export const connect = defineEndpoint({
  name: 'allocation.connect',
  method: 'POST',
  path: `${link}/connect`,
  access: change,
  input: z.object({}),
  output: z.object({ url: z.string() }),
  summary: 'Begins a log-in at the authority; answers the address to go to',
  errors: ['allocation.off'],
})

export const returned = defineEndpoint({
  name: 'allocation.returned',
  method: 'POST',
  path: `${link}/return`,
  access: change,
  input: z.strictObject({ code: z.string().min(1).max(4000), state: z.string().min(1).max(200) }),
  output: connection,
  summary: 'Ends the log-in with what the authority sent back',
  errors: ['allocation.off', 'allocation.loginRefused', 'allocation.away'],
  throttle: 30,
})

export const renew = defineEndpoint({
  name: 'allocation.renew',
  method: 'POST',
  path: `${link}/renew`,
  access: change,
  input: z.object({}),
  output: connection,
  summary: 'Asks the authority for a fresh token now',
  errors: ['allocation.off', 'allocation.notConnected', 'allocation.ended', 'allocation.away'],
})

export const revoke = defineEndpoint({
  name: 'allocation.revoke',
  method: 'POST',
  path: `${link}/revoke`,
  access: change,
  input: z.object({}),
  output: connection,
  summary: 'Ends the connection and forgets its tokens',
})

const stockRow = z.object({
  number: z.string(),
  addedAt: z.string(),
  documentId: z.string().nullable(),
  documentType: z.number().nullable(),
  documentNumber: z.number().nullable(),
  usedAt: z.string().nullable(),
  reportedAt: z.string().nullable(),
})
export type StockRow = z.output<typeof stockRow>

export const listStock = defineEndpoint({
  name: 'allocation.stock',
  method: 'GET',
  path: `${link}/stock`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(stockRow) }),
  summary: 'Emergency numbers: those left, and those used with their documents',
})

export const addStock = defineEndpoint({
  name: 'allocation.addStock',
  method: 'POST',
  path: `${link}/stock`,
  access: change,
  input: z.strictObject({ numbers: z.array(allocationNumber).min(1).max(200) }),
  output: z.object({ added: z.number() }),
  summary: 'Enters emergency numbers ahead; those known already are passed over',
})

export const fetchStock = defineEndpoint({
  name: 'allocation.fetchStock',
  method: 'POST',
  path: `${link}/stock/fetch`,
  access: change,
  input: z.strictObject({ count: z.number().int().min(1).max(50) }),
  output: z.object({ added: z.number() }),
  summary: 'Asks the authority for emergency numbers',
  errors: ['allocation.off', 'allocation.notConnected', 'allocation.ended', 'allocation.away'],
})

export const dropStock = defineEndpoint({
  name: 'allocation.dropStock',
  method: 'POST',
  path: `${link}/stock/drop`,
  access: change,
  input: z.strictObject({ number: allocationNumber }),
  output: done,
  summary: 'Takes an unused emergency number out of the stock',
  errors: ['kit.notFound', 'allocation.numberUsed'],
})

const missingRow = z.object({
  id: z.string(),
  type: z.number(),
  number: z.number(),
  day: z.string(),
  customer: z.string(),
  netAgorot: z.number().optional(),
  state: z.enum(['waiting', 'away', 'refused']),
  /**
   * Why there is no number yet: notConnected, ended, off, away, or the authority's code; empty before the
   * first try.
   */
  reason: z.string(),
  message: z.string(),
  tries: z.number(),
  askedAt: z.string().nullable(),
  nextAt: z.string().nullable(),
  decision: z.enum(['', ...decisions]),
  canReverse: z.boolean(),
})
export type MissingRow = z.output<typeof missingRow>

export const listMissing = defineEndpoint({
  name: 'allocation.missing',
  method: 'GET',
  path: missing,
  access: see,
  input: z.object({ state: z.enum(['open', 'refused', 'decided']).default('open') }),
  output: z.object({
    rows: z.array(missingRow),
    counts: z.object({ open: z.number(), refused: z.number(), decided: z.number() }),
    /** What the law asks today, in agorot before VAT; above it a number is needed. */
    threshold: z.number().nullable(),
    jobId: z.string().nullable(),
  }),
  summary: 'Documents above the threshold that have no allocation number, with reason and tries',
})

const outcome = z.object({
  state: z.string(),
  number: z.string().nullable(),
  reason: z.string(),
  message: z.string(),
})

export const askNow = defineEndpoint({
  name: 'allocation.ask',
  method: 'POST',
  path: `${missing}/{id}/ask`,
  access: change,
  input: byId,
  output: outcome,
  summary: 'Asks the authority for the number of one document now',
  errors: [
    'kit.notFound',
    'allocation.notWaiting',
    'allocation.beingAsked',
    'allocation.off',
    'allocation.notConnected',
    'allocation.ended',
  ],
})

export const askAll = defineEndpoint({
  name: 'allocation.askAll',
  method: 'POST',
  path: `${missing}/ask`,
  access: change,
  input: z.object({}),
  output: z.object({ jobId: z.string() }),
  summary: 'Asks for every document that waits, one after the other, with progress',
  errors: ['allocation.off', 'allocation.notConnected', 'allocation.ended', 'allocation.nothingToAsk'],
})

export const markNotNeeded = defineEndpoint({
  name: 'allocation.notNeeded',
  method: 'POST',
  path: `${missing}/{id}/notneeded`,
  access: change,
  input: byId.extend({ reason: z.string().trim().min(2, { error: 'fields.need' }).max(300) }),
  output: done,
  summary: 'Says that a document needs no number, with the reason',
  errors: ['kit.notFound', 'allocation.notWaiting'],
})

export const wantNumber = defineEndpoint({
  name: 'allocation.want',
  method: 'POST',
  path: `${missing}/{id}/want`,
  access: change,
  input: byId,
  output: done,
  summary:
    'Lets an invoice wait for a number that the law did not ask for by itself: the customer wants it, or turned out to be a dealer',
  errors: ['kit.notFound', 'allocation.notWanted'],
})

export const enterNumber = defineEndpoint({
  name: 'allocation.enter',
  method: 'POST',
  path: `${missing}/{id}/number`,
  access: change,
  input: byId.extend({ number: allocationNumber }),
  output: done,
  summary: 'Enters by hand a number that was got elsewhere',
  errors: ['kit.notFound', 'allocation.notWaiting', 'allocation.numberUsed'],
})

export const fromStock = defineEndpoint({
  name: 'allocation.fromStock',
  method: 'POST',
  path: `${missing}/{id}/stock`,
  access: change,
  input: byId,
  output: done,
  summary: 'Gives a document the next emergency number while the authority is away',
  errors: ['kit.notFound', 'allocation.notWaiting', 'allocation.stockEmpty'],
})

export const decide = defineEndpoint({
  name: 'allocation.decide',
  method: 'POST',
  path: `${missing}/{id}/decide`,
  access: change,
  input: byId.extend({ choice: z.enum(decisions) }),
  /** The document that came of it: the credit of a cancelled invoice, or the invoice under reverse charge. */
  output: z.object({ documentId: z.string().nullable() }),
  summary:
    'Chooses how to go on after a refusal: cancel, issue without a number, reverse charge or objection',
  errors: ['kit.notFound', 'session.forbidden', 'allocation.notRefused', 'allocation.noReverse'],
})

const taxId = z
  .string()
  .min(1, { error: 'fields.need', abort: true })
  .refine(isTaxId, { error: 'fields.taxId' })
  .transform((text) => normaliseTaxId(text)!)
const answer = z.enum(['confirmed', 'differs', 'found', 'notFound'])

const check = z.object({
  id: z.string(),
  answer,
  supplierName: z.string(),
  supplierTaxId: z.string(),
  invoiceNumber: z.string(),
  day: z.string(),
  netAgorot: z.number().optional(),
  vatAgorot: z.number().optional(),
  number: z.string(),
  foundNumber: z.string(),
  foundDay: z.string().nullable(),
  foundNetAgorot: z.number().nullable().optional(),
  foundVatAgorot: z.number().nullable().optional(),
  checkedAt: z.string(),
})
export type NumberCheck = z.output<typeof check>

export const verifyNumber = defineEndpoint({
  name: 'allocation.verify',
  method: 'POST',
  path: verify,
  access: see,
  input: z.strictObject({
    supplierTaxId: taxId,
    supplierName: z.string().trim().max(120).default(''),
    invoiceNumber: z.string().trim().min(1, { error: 'fields.need' }).max(20),
    day: dayValue,
    netAgorot: z.number().int().min(1, { error: 'fields.need' }),
    vatAgorot: z.number().int().min(1, { error: 'fields.need' }),
    /** Without one the authority is asked which number the invoice has. */
    number: z.union([z.literal(''), allocationNumber]).default(''),
  }),
  output: check,
  summary: 'Checks the allocation number of a supplier’s invoice with the authority',
  errors: ['allocation.off', 'allocation.notConnected', 'allocation.ended', 'allocation.away'],
})

const toVerify = z.object({
  expenseId: z.string(),
  supplierName: z.string(),
  supplierTaxId: z.string().nullable(),
  invoiceNumber: z.string(),
  day: z.string(),
  netAgorot: z.number().optional(),
  vatAgorot: z.number().optional(),
  number: z.string(),
  /**
   * missingNumber: above the threshold and none was written; noTaxId, noInvoiceNumber: it cannot be asked
   * about.
   */
  standing: z.enum([
    'unchecked',
    'missingNumber',
    'noTaxId',
    'noInvoiceNumber',
    'confirmed',
    'differs',
    'found',
    'notFound',
  ]),
  foundNumber: z.string(),
  checkedAt: z.string().nullable(),
})
export type ToVerify = z.output<typeof toVerify>

export const listToVerify = defineEndpoint({
  name: 'allocation.toVerify',
  method: 'GET',
  path: verify,
  access: { rule: 'expenses.see' },
  input: z.object({ from: dayValue, to: dayValue }),
  output: z.object({ rows: z.array(toVerify), atRiskAgorot: z.number().optional(), more: z.boolean() }),
  summary: 'Expenses of a time whose allocation numbers count, with what the authority said of each',
})

export const verifyExpenses = defineEndpoint({
  name: 'allocation.verifyExpenses',
  method: 'POST',
  path: `${verify}/expenses`,
  access: change,
  input: z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) }),
  output: z.object({ jobId: z.string() }),
  summary: 'Checks the numbers of many expenses, with progress',
  errors: [
    'kit.notFound',
    'session.forbidden',
    'allocation.off',
    'allocation.notConnected',
    'allocation.ended',
    'allocation.nothingToAsk',
  ],
})
