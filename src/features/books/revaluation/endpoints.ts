import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { currencyValue, dayValue, moneyValue } from '#kit/fields/schema.ts'

const base = '/api5/invoicecpa/revaluations'

/** Those whose open papers may be left out of a revaluation. */
export const revaluedParties = ['customers', 'suppliers'] as const

const input = {
  day: dayValue,
  /**
   * Bank accounts and other cards in foreign currency with how they stand: as the bank or the lender says. A
   * debt is negative.
   */
  banks: z
    .array(
      z.strictObject({
        accountId: z.uuid({ error: 'fields.ref' }),
        currency: currencyValue,
        foreignAgorot: moneyValue,
      }),
    )
    .max(200, { error: 'fields.range' })
    .default([]),
  /** Whose open papers take no part. */
  without: z
    .array(z.enum(revaluedParties, { error: 'fields.choice' }))
    .max(2, { error: 'fields.range' })
    .default([]),
}
const line = z.object({
  what: z.enum(['customers', 'suppliers', 'bank', 'card']),
  accountId: z.string(),
  partyId: z.string().nullable(),
  name: z.string(),
  currency: z.string(),
  /** In the currency's own hundredths. */
  foreignAgorot: z.number(),
  /** What the books show, in shekels; negative for a debt. */
  booksAgorot: z.number(),
  /** Null when no rate is known for the day. */
  rate: z.string().nullable(),
  valueAgorot: z.number().nullable(),
  differenceAgorot: z.number().nullable(),
})
export type RevaluationLine = z.output<typeof line>

export const previewRevaluation = defineEndpoint({
  name: 'revaluation.preview',
  method: 'POST',
  path: `${base}/preview`,
  access: { rule: 'ledger.see' },
  reads: true,
  /** `cards`: more cards to be told of, besides those that are known to hold foreign currency. */
  input: z.strictObject({
    ...input,
    cards: z
      .array(z.uuid({ error: 'fields.ref' }))
      .max(200, { error: 'fields.range' })
      .default([]),
  }),
  output: z.object({
    rows: z.array(line),
    totalAgorot: z.number(),
    /**
     * Of customers and suppliers, those with open papers in foreign currency, whether they take part or not.
     */
    parties: z.array(z.enum(revaluedParties)),
    /**
     * Accounts of the chart that hold foreign currency, to be told how they stand: bank accounts, and loans,
     * deposits and the like.
     */
    bankAccounts: z.array(
      z.object({
        id: z.string(),
        what: z.enum(['bank', 'card']),
        name: z.string(),
        booksAgorot: z.number(),
        /**
         * Known where a bank account in foreign currency is linked, or all that was posted in one is in the same.
         */
        currency: z.string().nullable(),
        foreignAgorot: z.number().nullable(),
      }),
    ),
    /**
     * The other cards of the balance sheet, any of which may be kept in foreign currency without the books
     * knowing it.
     */
    otherCards: z.array(z.object({ id: z.string(), name: z.string() })),
    missingRates: z.array(z.string()),
  }),
  summary: 'What balances in foreign currency are worth at the rate of a day, against the books',
})
export const postRevaluation = defineEndpoint({
  name: 'revaluation.post',
  method: 'POST',
  path: base,
  access: { rule: 'ledger.change' },
  input: z.strictObject(input),
  output: z.object({ id: z.string(), entryId: z.string(), totalAgorot: z.number() }),
  summary: 'Posts the exchange differences of a day and takes them back the next day',
  errors: [
    'revaluation.alreadyPosted',
    'revaluation.nothingToPost',
    'revaluation.noRate',
    'ledger.periodClosed',
  ],
})
export const listRevaluations = defineEndpoint({
  name: 'revaluation.list',
  method: 'GET',
  path: base,
  access: { rule: 'ledger.see' },
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        totalAgorot: z.number(),
        lines: z.number(),
        undone: z.boolean(),
        by: z.string().nullable(),
        createdAt: z.string(),
      }),
    ),
  }),
  summary: 'The revaluations that were posted',
})
export const undoRevaluation = defineEndpoint({
  name: 'revaluation.undo',
  method: 'POST',
  path: `${base}/{id}/undo`,
  access: { rule: 'ledger.change' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Reverses a revaluation, its entry and the one of the next day',
  errors: ['kit.notFound', 'revaluation.undone', 'ledger.periodClosed'],
})
