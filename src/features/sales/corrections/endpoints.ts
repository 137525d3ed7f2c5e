import { z } from 'zod'
import { parseDecimal4 } from '#domain/quantity.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { documentInput } from '#features/sales/documents/endpoints.ts'

const decimal = z
  .union([z.string().max(24), z.number()], { error: 'fields.decimal' })
  .transform(String)
  .refine((v) => parseDecimal4(v) !== undefined, { error: 'fields.decimal' })

/** What should have been otherwise; what is not named was right. */
const wish = {
  id: z.uuid(),
  /** The day the paper should have carried; absent: the right paper is dated today. */
  date: dayValue.optional(),
  customerId: z.uuid({ error: 'fields.ref' }).optional(),
  /** By line of the paper; a quantity of zero leaves the line out. */
  lines: z
    .array(
      z.strictObject({
        line: z.number().int().min(1),
        quantity: decimal.optional(),
        unitPrice: decimal.optional(),
        /** 1 before VAT, 2 including VAT, 3 trust deposit, 4 without VAT. */
        vatKind: z
          .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], { error: 'fields.choice' })
          .optional(),
      }),
    )
    .max(1000, { error: 'fields.range' })
    .optional(),
  /** All of how it was paid. */
  payments: documentInput.shape.payments,
  cashException: documentInput.shape.cashException,
}
const given = z.strictObject(wish)
export type Given = z.output<typeof given>

const planAnswer = z.object({
  chain: z.enum(['partialCredit', 'creditAndReissue', 'reverseAndReissue', 'markAndReissue']),
  /**
   * Why it cannot be; nothing may be issued while there is one. `path` names the field of the input it is
   * about.
   */
  refusals: z.array(
    z.object({
      code: z.string(),
      path: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
  remarks: z.array(z.enum(['periodReported', 'rateKept', 'creditStays', 'moneyStays', 'debtsOpen'])),
  steps: z.array(
    z.object({
      kind: z.enum(['release', 'credit', 'creditDifference', 'giveBack', 'mark', 'reissue', 'use']),
      /** The numeric id of the paper it issues. */
      type: z.number().nullable(),
      date: z.string(),
      currency: z.string().nullable(),
      totalAgorot: z.number().nullable(),
      vatAgorot: z.number().nullable(),
      customer: z.string().nullable(),
      /** The tax authority will be asked for a number. */
      asksAllocation: z.boolean(),
    }),
  ),
  /** In shekels. */
  effect: z.object({
    vat: z.array(z.object({ from: z.string(), to: z.string(), amountAgorot: z.number() })),
    /** Debit positive. */
    accounts: z.array(
      z.object({ id: z.string(), number: z.string(), name: z.string(), amountAgorot: z.number() }),
    ),
    customers: z.array(
      z.object({ id: z.string(), name: z.string(), beforeAgorot: z.number(), afterAgorot: z.number() }),
    ),
    /**
     * Things of the catalogue: how many come back by the papers of the correction, how many go out again, and
     * what that leaves in the store.
     */
    goods: z.array(
      z.object({
        itemId: z.string(),
        name: z.string(),
        back: z.string(),
        out: z.string(),
        change: z.string(),
      }),
    ),
  }),
  /** Identifies this plan: sent back with the command to carry it out, nothing else is carried out. */
  mark: z.string(),
})
export type PlanAnswer = z.output<typeof planAnswer>

const base = '/api4/invoice/documents'

export const planCorrectionCall = defineEndpoint({
  name: 'corrections.plan',
  method: 'POST',
  path: `${base}/{id}/correction`,
  access: { rule: 'documents.cancel' },
  reads: true,
  input: given,
  output: planAnswer,
  summary:
    'What would put a mistake in an issued document right: the papers it takes, and what they do to VAT, books and balances',
  errors: ['kit.notFound'],
})
export const correctDocument = defineEndpoint({
  name: 'corrections.correct',
  method: 'POST',
  path: `${base}/{id}/correct`,
  access: { rule: 'documents.cancel' },
  input: z.strictObject({
    ...wish,
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
    /** Of the plan that was shown; when something has changed since, nothing is issued. */
    mark: z.string().max(64).optional(),
  }),
  output: z.object({
    documents: z.array(z.object({ id: z.string(), type: z.number(), number: z.number() })),
  }),
  summary: 'Puts a mistake in an issued document right: issues every paper the plan names, or none',
  errors: [
    'kit.notFound',
    'documents.stillDraft',
    'corrections.cancelled',
    'corrections.ofCredit',
    'corrections.nothingChanged',
    'corrections.nothingLeft',
    'corrections.credited',
    'corrections.used',
    'corrections.banked',
    'corrections.todayLocked',
    'corrections.changed',
  ],
})
