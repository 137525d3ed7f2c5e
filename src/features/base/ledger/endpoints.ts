import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { reportAnswer } from '#kit/describe/reportAnswer.ts'
import { bytesValue, currencyValue, dayValue, moneyValue } from '#kit/fields/schema.ts'
import { entryKinds } from './entries.ts'
import { queryFlag, queryNumber } from '#kit/fields/query.ts'

/** One line of an entry, as a paper shows what it did in the books. */
export const entryLine = z.object({
  entryId: z.string(),
  day: z.string(),
  kind: z.string(),
  account: z.string(),
  accountId: z.string(),
  number: z.string(),
  party: z.string().nullable(),
  debitAgorot: z.number(),
  creditAgorot: z.number(),
})
export type EntryLine = z.output<typeof entryLine>

/** A card as integrators ask for it: by the account, not by the report's name. */
export const cardOfAccount = defineEndpoint({
  name: 'accounts.card',
  method: 'GET',
  path: '/api5/invoicecpa/accounts/{id}/card',
  access: { rule: 'reports.accounting' },
  input: z.object({ id: z.uuid(), from: dayValue, to: dayValue }),
  output: reportAnswer,
  summary: 'The card of an account: opening, lines with running balance, closing',
  errors: ['kit.notFound'],
})

const side = moneyValue.min(0, { error: 'fields.range' })

export const addEntry = defineEndpoint({
  name: 'ledger.addEntry',
  method: 'POST',
  path: '/api5/invoicecpa/entries',
  access: { rule: 'ledger.change' },
  input: z.strictObject({
    date: dayValue,
    valueDate: dayValue.optional(),
    reference: z.string().trim().max(40, { error: 'fields.tooLong' }).optional(),
    details: z.string().trim().max(200, { error: 'fields.tooLong' }).optional(),
    lines: z
      .array(
        z.strictObject({
          /** The account by its id or its number. */
          accountId: z.uuid({ error: 'fields.ref' }).optional(),
          accountNumber: z.string().max(15).optional(),
          debitAgorot: side.default(0),
          creditAgorot: side.default(0),
          /**
           * What the line moves of the currency its account is held in, beside the shekels; on the side of
           * the shekels.
           */
          currency: currencyValue.optional(),
          foreignAgorot: side.optional(),
          /** What its income or expense counts for. */
          projectId: z.uuid({ error: 'fields.ref' }).nullable().optional(),
        }),
      )
      .min(2, { error: 'fields.need' })
      .max(500, { error: 'fields.range' }),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Posts a journal entry, its lines with projects and other currencies; it balances, and is undone by its reversal only',
  errors: ['ledger.notBalanced', 'ledger.periodClosed', 'ledger.controlAccount'],
})

const base = '/api5/invoicecpa'
const size = queryNumber(
  z.int().min(10, { error: 'fields.range' }).max(200, { error: 'fields.range' }),
).default(50)
const cursor = z.string().max(200).optional()

/** A line of a card with the balance after it. */
const cardLine = z.object({
  entryId: z.string(),
  day: z.string(),
  valueDay: z.string(),
  kind: z.string(),
  reference: z.string(),
  details: z.string(),
  counter: z.string(),
  party: z.string().nullable(),
  batch: z.number().nullable(),
  /** The page of the paper it came of, or of its entry. */
  open: z.string(),
  /** What it moved in another currency; null where it moved shekels only. */
  currency: z.string().nullable(),
  foreignAgorot: z.number().nullable(),
  debitAgorot: z.number(),
  creditAgorot: z.number(),
  balanceAgorot: z.number(),
})
export type CardLine = z.output<typeof cardLine>

export const cardLines = defineEndpoint({
  name: 'accounts.lines',
  method: 'GET',
  path: `${base}/accounts/{id}/lines`,
  access: { rule: 'reports.accounting' },
  input: z.object({
    id: z.uuid(),
    from: dayValue,
    to: dayValue,
    size,
    after: cursor,
    before: cursor,
    last: queryFlag.optional(),
  }),
  output: z.object({
    rows: z.array(cardLine),
    /** At the beginning of the period. */
    openingAgorot: z.number(),
    /** Before the first line of this page. */
    carriedAgorot: z.number(),
    debitAgorot: z.number(),
    creditAgorot: z.number(),
    closingAgorot: z.number(),
    /** The same of every other currency that the account moved until the end of the period. */
    foreign: z.array(
      z.object({
        currency: z.string(),
        openingAgorot: z.number(),
        debitAgorot: z.number(),
        creditAgorot: z.number(),
        closingAgorot: z.number(),
      }),
    ),
    previous: z.string().nullable(),
    next: z.string().nullable(),
  }),
  summary: 'A page of an account’s card: from the beginning, after or before a line, or the last one',
  errors: ['kit.notFound'],
})

export const accountBalance = defineEndpoint({
  name: 'accounts.balance',
  method: 'GET',
  path: `${base}/accounts/{id}/balance`,
  access: { rule: 'ledger.see' },
  input: z.object({ id: z.uuid(), day: dayValue }),
  output: z.object({
    /** Debit less credit; null for the person who sees a part of the business. */
    balanceAgorot: z.number().nullable(),
    /** The first day that counts: of income and expense 1 January. */
    since: z.string().nullable(),
  }),
  summary: 'What an account stands at when a day ends',
  errors: ['kit.notFound'],
})

export const listEntries = defineEndpoint({
  name: 'entries.list',
  method: 'GET',
  path: `${base}/entries`,
  access: { rule: 'reports.accounting' },
  input: z.object({
    from: dayValue,
    to: dayValue,
    kind: z.enum(entryKinds, { error: 'fields.choice' }).optional(),
    account: z.uuid({ error: 'fields.ref' }).optional(),
    batch: z.uuid({ error: 'fields.ref' }).optional(),
    q: z.string().trim().max(100).optional(),
    size,
    cursor,
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        valueDay: z.string(),
        kind: z.string(),
        reference: z.string(),
        details: z.string(),
        reversesId: z.string().nullable(),
        reversedById: z.string().nullable(),
        batch: z.number().nullable(),
        open: z.string(),
        totalAgorot: z.number(),
        lines: z.number(),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
  summary: 'Entries of the books in a period, the newest first',
})

export const getEntry = defineEndpoint({
  name: 'entries.get',
  method: 'GET',
  path: `${base}/entries/{id}`,
  access: { rule: 'reports.accounting' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    id: z.string(),
    day: z.string(),
    valueDay: z.string(),
    kind: z.string(),
    reference: z.string(),
    details: z.string(),
    by: z.string().nullable(),
    at: z.string(),
    reversesId: z.string().nullable(),
    reversedById: z.string().nullable(),
    batch: z.number().nullable(),
    batchId: z.string().nullable(),
    /** The paper it came of. */
    open: z.string().nullable(),
    /** Typed by hand and not undone yet. */
    reversible: z.boolean(),
    lines: z.array(
      z.object({
        accountId: z.string(),
        number: z.string(),
        account: z.string(),
        party: z.string().nullable(),
        debitAgorot: z.number(),
        creditAgorot: z.number(),
        /** What it moved in another currency; null where it moved shekels only. */
        currency: z.string().nullable(),
        foreignAgorot: z.number().nullable(),
      }),
    ),
  }),
  summary: 'One entry with its lines',
  errors: ['kit.notFound'],
})
export type EntryAnswer = z.output<typeof getEntry.output>

const taxYear = queryNumber(z.int().min(2000, { error: 'fields.range' }).max(2200, { error: 'fields.range' }))
const code6111 = z.object({
  code: z.string(),
  name: z.string(),
  part: z.enum(['profit', 'adjustment', 'balance']),
})

export const codes6111Of = defineEndpoint({
  name: 'codes6111.list',
  method: 'GET',
  path: `${base}/codes6111`,
  access: { rule: 'ledger.see' },
  input: z.object({ year: taxYear }),
  output: z.object({
    year: z.number(),
    /** The authority’s list of the year and what was brought in beside it. */
    codes: z.array(code6111),
    rows: z.array(
      z.object({
        accountId: z.string(),
        number: z.string(),
        name: z.string(),
        kind: z.string(),
        /** What holds in this year. */
        code: z.string(),
        /** Said for this year, and not taken from the account. */
        own: z.boolean(),
      }),
    ),
  }),
  summary: 'The codes of form 6111 of a tax year and the code of every account in it',
})

export const tie6111 = defineEndpoint({
  name: 'codes6111.tie',
  method: 'PUT',
  path: `${base}/codes6111`,
  access: { rule: 'ledger.change' },
  input: z.strictObject({
    year: taxYear,
    ties: z
      .array(
        z.strictObject({
          accountId: z.uuid({ error: 'fields.ref' }),
          code: z
            .string()
            .regex(/^(\d{2,4})?$/, { error: 'ledger.unknownCode' })
            .nullable(),
        }),
      )
      .min(1)
      .max(1000),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Ties accounts to codes of form 6111 in one tax year; null takes the account’s own again',
  errors: ['ledger.unknownCode'],
})

export const import6111 = defineEndpoint({
  name: 'codes6111.import',
  method: 'POST',
  path: `${base}/codes6111/import`,
  access: { rule: 'ledger.change' },
  upload: { maxBytes: 500_000 },
  input: z.object({ year: taxYear, bytes: bytesValue }),
  output: z.object({ codes: z.number() }),
  summary: 'Brings in codes of form 6111 of a tax year from a CSV of code and name',
  errors: ['ledger.csvEmpty', 'ledger.csvRow'],
})
