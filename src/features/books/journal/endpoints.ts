import { z } from 'zod'
import { vatKinds } from '#domain/ledger/codes.ts'
import { vatShareNames } from '#domain/vat/shares.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, fileValue, moneyValue } from '#kit/fields/schema.ts'
import { batchKinds, batchStates } from './journal.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api5/invoicecpa'
const enter = { rule: 'journal.enter' } as const
const post = { rule: 'journal.post' } as const
const byId = z.object({ id: z.uuid() })
const refValue = z.uuid({ error: 'fields.ref' }).nullable().default(null)
const words = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' }).default('')

export const journalFacts = defineEndpoint({
  name: 'journal.facts',
  method: 'GET',
  path: `${base}/journal/facts`,
  access: enter,
  input: z.object({}),
  output: z.object({
    today: z.string(),
    accounts: z.array(
      z.object({
        id: z.string(),
        number: z.string(),
        name: z.string(),
        kind: z.string(),
        /** Whose account it is: it changes by papers only. */
        control: z.enum(['customers', 'suppliers']).nullable(),
        /** The currency of the bank account linked to it, when that is not the shekel. */
        held: z.string().nullable(),
      }),
    ),
    vatCodes: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        name: z.string(),
        kind: z.enum(vatKinds),
        share: z.enum(vatShareNames),
        /** What changed by day; a rate that is not its own is the law's. */
        terms: z.array(
          z.object({ from: z.string(), rateBp: z.number().nullable(), share: z.enum(vatShareNames) }),
        ),
        accountId: z.string().nullable(),
      }),
    ),
    /** Open ones; empty for the person who may not see projects. */
    projects: z.array(z.object({ id: z.string(), number: z.string(), name: z.string() })),
    kinds: z.array(
      z.object({
        id: z.string(),
        code: z.string(),
        name: z.string(),
        details: z.string(),
        debitAccountId: z.string().nullable(),
        creditAccountId: z.string().nullable(),
        vatCodeId: z.string().nullable(),
      }),
    ),
  }),
  summary: 'Accounts, VAT codes and kinds of movement for whoever types journal lines',
})
export type JournalFacts = z.output<typeof journalFacts.output>

const lineInput = z.strictObject({
  /** Of a line that is there already. */
  id: z.uuid().optional(),
  position: z.number().int().min(0).max(1_000_000).default(0),
  kindId: refValue,
  day: dayValue,
  valueDay: dayValue.nullable().default(null),
  reference: words(40),
  details: words(200),
  debitAccountId: refValue,
  creditAccountId: refValue,
  /** With VAT in it. */
  amountAgorot: moneyValue.default(0),
  vatCodeId: refValue,
  /** As on the paper; worked out when absent. */
  vatAgorot: moneyValue.nullable().default(null),
  projectId: refValue,
  /** What the amount is in another currency: which, and how much of it. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'fields.choice' })
    .nullable()
    .default(null),
  foreignAgorot: moneyValue.nullable().default(null),
})
export type LineInput = z.input<typeof lineInput>

const line = z.object({
  id: z.string(),
  position: z.number(),
  kindId: z.string().nullable(),
  day: z.string(),
  valueDay: z.string().nullable(),
  reference: z.string(),
  details: z.string(),
  debitAccountId: z.string().nullable(),
  creditAccountId: z.string().nullable(),
  amountAgorot: z.number(),
  vatCodeId: z.string().nullable(),
  vatAgorot: z.number().nullable(),
  projectId: z.string().nullable(),
  currency: z.string().nullable(),
  foreignAgorot: z.number().nullable(),
  entryId: z.string().nullable(),
})
export type JournalLine = z.output<typeof line>

const head = z.object({
  id: z.string(),
  number: z.number(),
  kind: z.enum(batchKinds),
  name: z.string(),
  state: z.enum(batchStates),
  lines: z.number(),
  entries: z.number(),
  /** Debit of its lines, which its credit equals once it is checked. */
  debitAgorot: z.number(),
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
  checkedAt: z.string().nullable(),
  checkedBy: z.string().nullable(),
  postedAt: z.string().nullable(),
  postedBy: z.string().nullable(),
  /** The batch it undoes. */
  reversesId: z.string().nullable(),
  reversesNumber: z.number().nullable(),
  reversedById: z.string().nullable(),
  reversedByNumber: z.number().nullable(),
})
export type BatchHead = z.output<typeof head>

const fault = z.object({
  lineId: z.string(),
  field: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.any()).optional(),
})
export type LineFault = z.output<typeof fault>

const batch = head.extend({ rows: z.array(line), faults: z.array(fault) })
export type BatchAnswer = z.output<typeof batch>

export const listBatches = defineEndpoint({
  name: 'batches.list',
  method: 'GET',
  path: `${base}/batches`,
  access: enter,
  input: z.object({
    state: z.enum(batchStates, { error: 'fields.choice' }).optional(),
    kind: z.enum(batchKinds, { error: 'fields.choice' }).optional(),
    /** Part of the name, or the number. */
    q: z.string().trim().max(100).optional(),
    size: queryNumber(z.int().min(10).max(200)).default(50),
    cursor: queryNumber(z.int()).optional(),
  }),
  output: z.object({ rows: z.array(head), nextCursor: z.number().nullable() }),
  summary: 'Journal batches, the newest first',
})

export const automaticBatches = defineEndpoint({
  name: 'batches.automatic',
  method: 'GET',
  path: `${base}/batches/automatic`,
  access: { rule: 'reports.accounting' },
  input: z.object({
    year: queryNumber(z.int().min(2000, { error: 'fields.range' }).max(2200, { error: 'fields.range' })),
  }),
  output: z.object({
    rows: z.array(
      z.object({ kind: z.string(), month: z.string(), entries: z.number(), debitAgorot: z.number() }),
    ),
  }),
  summary: 'What documents, payments and expenses posted by themselves, by kind and month',
})

export const createBatch = defineEndpoint({
  name: 'batches.create',
  method: 'POST',
  path: `${base}/batches`,
  access: enter,
  maxBody: 1_000_000,
  input: z.strictObject({
    name: words(120),
    lines: z.array(lineInput).max(1000, { error: 'fields.tooMany' }).default([]),
  }),
  output: batch,
  summary: 'Opens a temporary batch, with lines or without',
})

export const getBatch = defineEndpoint({
  name: 'batches.get',
  method: 'GET',
  path: `${base}/batches/{id}`,
  access: enter,
  input: byId,
  output: batch,
  summary: 'A batch with its lines and what is wrong with them',
  errors: ['kit.notFound'],
})

export const keepLines = defineEndpoint({
  name: 'batches.keep',
  method: 'PUT',
  path: `${base}/batches/{id}`,
  access: enter,
  maxBody: 1_000_000,
  input: z.strictObject({
    id: z.uuid(),
    name: z.string().trim().max(120, { error: 'fields.tooLong' }).optional(),
    put: z.array(lineInput).max(1000, { error: 'fields.tooMany' }).default([]),
    drop: z.array(z.uuid()).max(1000).default([]),
  }),
  output: z.object({
    ids: z.array(z.string()),
    state: z.enum(batchStates),
    /** What is wrong now, of all lines of the batch: a line may close or open the entry of another. */
    faults: z.array(fault),
  }),
  summary: 'Keeps lines of a temporary batch as they are typed; a checked one is open again',
  errors: ['kit.notFound', 'journal.closed'],
})

export const dropBatch = defineEndpoint({
  name: 'batches.drop',
  method: 'DELETE',
  path: `${base}/batches/{id}`,
  access: enter,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Puts a temporary batch away; nothing of it was in the books',
  errors: ['kit.notFound', 'journal.closed'],
})

const refused = ['kit.notFound', 'journal.closed', 'journal.faulty', 'journal.empty']

export const checkBatch = defineEndpoint({
  name: 'batches.check',
  method: 'POST',
  path: `${base}/batches/{id}/check`,
  access: enter,
  input: byId,
  output: batch,
  summary: 'Checks a batch: every entry balances, accounts and periods are open',
  errors: refused,
})

export const postBatch = defineEndpoint({
  name: 'batches.post',
  method: 'POST',
  path: `${base}/batches/{id}/post`,
  access: post,
  input: byId,
  output: batch,
  summary: 'Posts a checked batch to the books, for ever',
  errors: [...refused, 'journal.notChecked', 'ledger.periodClosed'],
})

const reversal = z.object({ batchId: z.string(), number: z.number(), entries: z.number() })

export const reverseBatch = defineEndpoint({
  name: 'batches.reverse',
  method: 'POST',
  path: `${base}/batches/{id}/reverse`,
  access: post,
  input: z.strictObject({ id: z.uuid(), date: dayValue.optional() }),
  output: reversal,
  summary: 'Undoes a posted batch by the mirror image of its entries, each on its own day or all on one',
  errors: ['kit.notFound', 'journal.alreadyReversed', 'journal.notReversible', 'ledger.periodClosed'],
})

export const reverseEntry = defineEndpoint({
  name: 'journal.reverseEntry',
  method: 'POST',
  path: `${base}/entries/{id}/reverse`,
  access: post,
  input: z.strictObject({ id: z.uuid(), date: dayValue.optional() }),
  output: reversal,
  summary: 'Undoes one entry that was typed by hand',
  errors: ['kit.notFound', 'journal.alreadyReversed', 'journal.notReversible', 'ledger.periodClosed'],
})

const openingLine = z.strictObject({
  accountId: z.uuid({ error: 'fields.ref' }),
  debitAgorot: moneyValue.min(0, { error: 'fields.range' }).default(0),
  creditAgorot: moneyValue.min(0, { error: 'fields.range' }).default(0),
  /** Of an account that is held in another currency: how much of it the side is. */
  foreignAgorot: moneyValue.min(1, { error: 'fields.range' }).nullish(),
})

const openingSide = z.object({
  items: z.number(),
  itemsAgorot: z.number(),
  controlAgorot: z.number().nullable(),
})

export const openingBalances = defineEndpoint({
  name: 'journal.opening',
  method: 'GET',
  path: `${base}/openingbalances`,
  access: enter,
  input: z.object({}),
  output: z.object({
    date: z.string(),
    /** What was entered and is not posted. */
    lines: z.array(
      z.object({
        accountId: z.string(),
        debitAgorot: z.number(),
        creditAgorot: z.number(),
        foreignAgorot: z.number().nullable(),
      }),
    ),
    /**
     * Open items of customers and of suppliers that wait to be posted, and what the books before say they
     * come to; null when that was not said.
     */
    customers: openingSide,
    suppliers: openingSide,
    /**
     * Whether what customers owed before counts as income on the day it is paid, because the business counts
     * by cash.
     */
    countsWhenPaid: z.boolean(),
    /**
     * Whether VAT of what customers owed before may fall due as it is paid, because the business reports VAT
     * so, and how much of it the items bring.
     */
    vatWhenPaid: z.boolean(),
    vatAgorot: z.number(),
    /**
     * The posted batch in force, with what customers owed and suppliers were owed: at the opening, and still; in
     * each document's currency.
     */
    posted: z
      .object({
        batchId: z.string(),
        number: z.number(),
        day: z.string(),
        items: z.array(
          z.object({
            id: z.string(),
            role: z.enum(['customer', 'supplier']),
            party: z.string(),
            number: z.string(),
            day: z.string(),
            currency: z.string(),
            amountAgorot: z.number(),
            openAgorot: z.number(),
            /** Where it can be seen and paid. */
            path: z.string(),
          }),
        ),
      })
      .nullable(),
  }),
  summary: 'Opening balances as they were entered or posted',
})

export const keepOpening = defineEndpoint({
  name: 'journal.keepOpening',
  method: 'PUT',
  path: `${base}/openingbalances`,
  access: enter,
  input: z.strictObject({
    date: dayValue,
    lines: z.array(openingLine).max(500, { error: 'fields.tooMany' }),
    /** What the books before say all customers owe, and all suppliers are owed; a minus turns it round. */
    customersAgorot: moneyValue.nullable().default(null),
    suppliersAgorot: moneyValue.nullable().default(null),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Keeps opening balances while they are entered',
  errors: ['journal.openingPosted', 'ledger.controlAccount'],
})

/** Longer than any chart of accounts, with its sub-totals. */
export const maxBalanceRows = 5000

export const readBalanceFile = defineEndpoint({
  name: 'journal.readBalanceFile',
  method: 'POST',
  path: `${base}/openingbalances/read`,
  access: enter,
  upload: { maxBytes: 5_000_000, toFile: true },
  input: z.object({ bytes: fileValue }),
  output: z.object({
    tables: z.array(
      z.object({
        /** Empty for a file of text. */
        sheet: z.string(),
        /** Rows with anything in them, by the number a spreadsheet gives them. */
        rows: z.array(z.object({ row: z.number(), cells: z.array(z.string()) })),
      }),
    ),
  }),
  summary:
    'Reads the cells of a CSV or XLSX file with the trial balance of the program before; nothing is kept of it',
  errors: [
    'imports.badType',
    'imports.oldExcel',
    'imports.broken',
    'imports.bomb',
    'imports.empty',
    'imports.tooManyRows',
  ],
})

export const postOpening = defineEndpoint({
  name: 'journal.postOpening',
  method: 'POST',
  path: `${base}/openingbalances/post`,
  access: post,
  input: z.strictObject({
    /** What is not balanced stays on the account of opening balances. */
    leaveDifference: z.boolean().default(false),
  }),
  output: z.object({ batchId: z.string(), number: z.number() }),
  summary: 'Posts the opening balances, once',
  errors: [
    'journal.openingPosted',
    'journal.openingDifference',
    'journal.openingCustomersDiffer',
    'journal.openingSuppliersDiffer',
    'journal.openingItemLate',
    'journal.openingReceipts',
    'journal.openingVatAccrual',
    'journal.empty',
    'ledger.periodClosed',
  ],
})
