import { z } from 'zod'
import { deeds, reasonCodes } from '#domain/matching/propose.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { moneyValue } from '#kit/fields/schema.ts'
import { queryFlag, queryNumber } from '#kit/fields/query.ts'

const base = '/api5/invoicecpa/bankmatching'
const cards = '/api5/invoicecpa/matches'
const see = { rule: 'matching.see' } as const
const change = { rule: 'matching.change' } as const

const bankLine = z.object({
  id: z.string(),
  bankAccountId: z.string(),
  day: z.string(),
  text: z.string(),
  details: z.string(),
  reference: z.string(),
  amountAgorot: z.number(),
})
export type OpenBankLine = z.output<typeof bankLine>

const posting = z.object({
  /** Entry and line: `<entryId>:<line>`. */
  key: z.string(),
  day: z.string(),
  kind: z.string(),
  reference: z.string(),
  details: z.string(),
  party: z.string().nullable(),
  /** The other side of the entry. */
  counter: z.string(),
  amountAgorot: z.number(),
  open: z.string().nullable(),
})
export type OpenPostingRow = z.output<typeof posting>

const proposal = z.object({
  /** The same for the same lines and postings. */
  id: z.string(),
  lines: z.array(bankLine),
  postings: z.array(posting),
  deed: z.enum(deeds).nullable(),
  confidence: z.enum(['certain', 'likely', 'possible']),
  reasons: z.array(z.enum(reasonCodes)),
  amountAgorot: z.number(),
  /** What it is booked on or for, by name. */
  party: z.object({ id: z.string(), name: z.string() }).nullable(),
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  bankAccount: z.object({ id: z.string(), name: z.string() }).nullable(),
  payment: z.object({ id: z.string(), name: z.string() }).nullable(),
  otherLineId: z.string().nullable(),
  closes: z.array(z.object({ id: z.string(), number: z.string(), amountAgorot: z.number() })),
})
export type ProposalRow = z.output<typeof proposal>

export const bankDesk = defineEndpoint({
  name: 'bankmatching.desk',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    account: z.object({
      id: z.string(),
      name: z.string(),
      accountId: z.string(),
      accountName: z.string(),
      currency: z.string(),
    }),
    lines: z.array(bankLine),
    postings: z.array(posting),
    proposals: z.array(proposal),
    /**
     * All amounts of the screen are in the currency of the account. Today: of the bank, of the books, and their
     * difference.
     */
    bankAgorot: z.number().nullable(),
    ledgerAgorot: z.number(),
    linesAgorot: z.number(),
    postingsAgorot: z.number(),
    /** Of an account in foreign currency: what the books carry it at in shekels. */
    carriedAgorot: z.number().nullable(),
    /** The first day of the statements; postings before it are not asked about. */
    since: z.string().nullable(),
    matched: z.number(),
    /** There are more than the screen shows. */
    more: z.boolean(),
  }),
  summary:
    'What is not matched on a bank account: its lines, the postings on its account, and what belongs together with the reasons',
  errors: ['kit.notFound', 'matching.foreignCurrency'],
})

const matchAnswer = z.object({ id: z.string(), number: z.number() })
const postingKey = z.string().regex(/^[0-9a-f-]{36}:\d{1,5}$/, { error: 'fields.ref' })

export const matchBank = defineEndpoint({
  name: 'bankmatching.match',
  method: 'POST',
  path: `${base}/{id}/match`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    lines: z.array(z.uuid()).max(500, { error: 'fields.range' }).default([]),
    postings: z.array(postingKey).max(500, { error: 'fields.range' }).default([]),
  }),
  output: matchAnswer,
  summary: 'Matches lines of the bank with postings that come to the same',
  errors: ['kit.notFound', 'matching.notZero', 'matching.taken', 'matching.tooFew', 'matching.oneAccount'],
})
export const acceptCertain = defineEndpoint({
  name: 'bankmatching.acceptCertain',
  method: 'POST',
  path: `${base}/{id}/accept`,
  access: change,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({
    matched: z.number(),
    booked: z.number(),
    /** Lines that a rule posts automatically and could not be posted, with the refusal of the first. */
    left: z.number(),
    why: z
      .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
      .nullable(),
  }),
  summary: 'Matches everything that is certain, and books what the rules of the business book by themselves',
  errors: ['kit.notFound', 'matching.foreignCurrency'],
})
export const bookLine = defineEndpoint({
  name: 'bankmatching.book',
  method: 'POST',
  path: `${base}/{id}/book`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    lineId: z.uuid({ error: 'fields.ref' }).default('00000000-0000-4000-8000-000000000000'),
    deed: z.enum(deeds, { error: 'fields.choice' }).default('account'),
    /** Fee, interest, other: the account of the other side; the ordinary one of the action when absent. */
    accountId: z.uuid({ error: 'fields.ref' }).nullish(),
    /** Transfer: the other account of ours, and its line when it has come. */
    bankAccountId: z.uuid({ error: 'fields.ref' }).nullish(),
    otherLineId: z.uuid({ error: 'fields.ref' }).nullish(),
    /** Receipt: the customer. Supplier: the supplier. */
    partyId: z.uuid({ error: 'fields.ref' }).nullish(),
    /** What the money closes: documents of the customer, bills of the supplier. */
    closes: z
      .array(z.strictObject({ id: z.uuid(), amountAgorot: moneyValue.min(1, { error: 'fields.range' }) }))
      .max(100, { error: 'fields.range' })
      .default([]),
    /** Bounce: the payment that came back. */
    paymentId: z.uuid({ error: 'fields.ref' }).nullish(),
    details: z.string().trim().max(200, { error: 'fields.tooLong' }).optional(),
  }),
  output: matchAnswer.extend({ madeId: z.string().nullable(), madeNumber: z.number().nullable() }),
  summary: 'Books a line of the bank that has no posting, and matches it with what was booked',
  errors: [
    'kit.notFound',
    'matching.taken',
    'matching.wrongSide',
    'matching.controlAccount',
    'matching.notTheSum',
    'matching.noRate',
    'ledger.periodClosed',
  ],
})
export const bookingFacts = defineEndpoint({
  name: 'bankmatching.bookingFacts',
  method: 'GET',
  path: `${base}/{id}/debts`,
  access: see,
  input: z.object({ id: z.uuid(), partyId: z.uuid(), role: z.enum(['customer', 'supplier']) }),
  output: z.object({
    rows: z.array(z.object({ id: z.string(), number: z.string(), day: z.string(), openAgorot: z.number() })),
  }),
  summary: 'What a customer owes, or what a supplier is owed: what a line of the bank may close',
  errors: ['kit.notFound'],
})
const matchRow = z.object({
  id: z.string(),
  number: z.number(),
  kind: z.enum(['bank', 'card']),
  /** Of its amounts. */
  currency: z.string(),
  deed: z.enum(deeds).nullable(),
  reasons: z.array(z.string()),
  automatic: z.boolean(),
  by: z.string().nullable(),
  createdAt: z.string(),
  /** Of one side. */
  amountAgorot: z.number(),
  lines: z.array(bankLine),
  postings: z.array(posting),
  madeId: z.string().nullable(),
})
export type MatchRow = z.output<typeof matchRow>

export const bankMatches = defineEndpoint({
  name: 'bankmatching.matches',
  method: 'GET',
  path: `${base}/{id}/matches`,
  access: see,
  input: z.object({ id: z.uuid(), before: queryNumber(z.int()).optional() }),
  output: z.object({ rows: z.array(matchRow), next: z.number().nullable() }),
  summary: 'What was matched on a bank account, the newest first',
  errors: ['kit.notFound'],
})

const zeroReason = z.enum(['reversal', 'sameReference', 'sameSum', 'sumOfSeveral', 'partOfReference'])
/** A part of a line: in agorot with the line's own sign. */
const partOfLine = z.object({ key: z.string(), amountAgorot: z.number() })
const cardRow = posting.extend({
  /** Of an account: the matches it is in, each with what it took of the line. */
  matches: z.array(z.object({ id: z.string(), number: z.number(), amountAgorot: z.number() })),
  /** Of customers and suppliers: what it closed, or was closed by; in words of numbers. */
  closedBy: z.string(),
  /** What of it is still open; 0 of a line that is matched whole. */
  openAgorot: z.number(),
  /** Where what is open is closed. */
  applyPath: z.string().nullable(),
})
export type CardRow = z.output<typeof cardRow>

export const cardDesk = defineEndpoint({
  name: 'matches.list',
  method: 'GET',
  path: cards,
  access: see,
  input: z.object({
    accountId: z.uuid().optional(),
    partyId: z.uuid().optional(),
    /** The matched lines too. */
    all: queryFlag.default('false'),
  }),
  output: z.object({
    name: z.string(),
    /** The card of a customer or supplier is matched by its documents. */
    byDocuments: z.enum(['customer', 'supplier']).nullable(),
    rows: z.array(cardRow),
    proposals: z.array(
      z.object({
        keys: z.array(z.string()),
        reason: zeroReason,
        certain: z.boolean(),
        amountAgorot: z.number(),
        partly: partOfLine.nullable(),
      }),
    ),
    openAgorot: z.number(),
    matched: z.number(),
    more: z.boolean(),
  }),
  summary:
    'The open lines of a card, with what comes to zero; of a customer or supplier, what its documents closed',
  errors: ['kit.notFound', 'matching.cardOfBank', 'matching.cardOfDocuments'],
})
export const matchCard = defineEndpoint({
  name: 'matches.create',
  method: 'POST',
  path: cards,
  access: change,
  maxBody: 1_000_000,
  input: z.strictObject({
    accountId: z.uuid({ error: 'fields.ref' }),
    /** Groups that each come to zero; one call may make many. */
    groups: z
      .array(z.array(postingKey).min(2, { error: 'fields.need' }).max(500, { error: 'fields.range' }))
      .min(1, { error: 'fields.need' })
      .max(500, { error: 'fields.range' }),
    /** What is taken of a line where it is not all that is open of it; the rest stays open. */
    partly: z
      .array(z.strictObject({ key: postingKey, amountAgorot: moneyValue }))
      .max(500, { error: 'fields.range' })
      .default([]),
  }),
  output: z.object({ rows: z.array(matchAnswer) }),
  summary: 'Matches lines of a card that come to zero, whole or in part',
  errors: [
    'kit.notFound',
    'matching.notZero',
    'matching.taken',
    'matching.partTooMuch',
    'matching.cardOfBank',
    'matching.cardOfDocuments',
  ],
})
export const undoMatch = defineEndpoint({
  name: 'matches.undo',
  method: 'DELETE',
  path: `${cards}/{id}`,
  access: change,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    done: z.literal(true),
    /** The entry that was booked for it was reversed. */
    reversed: z.boolean(),
    /** The receipt or payment that was created from it is still valid. */
    madeId: z.string().nullable(),
  }),
  summary:
    'Takes a match back: its lines are open again; a fee, an interest or a transfer that was booked for it is reversed',
  errors: ['kit.notFound', 'ledger.periodClosed'],
})
export const matchOf = defineEndpoint({
  name: 'matches.get',
  method: 'GET',
  path: `${cards}/{id}`,
  access: see,
  input: z.object({ id: z.uuid() }),
  output: matchRow,
  summary: 'One match with its two sides',
  errors: ['kit.notFound'],
})
