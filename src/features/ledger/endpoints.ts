import { z } from 'zod'
import { defineEndpoint } from '../../kit/describe/endpoint.ts'
import { dayValue, moneyValue } from '../../kit/fields/schema.ts'

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
  output: z.object({
    shape: z.any(),
    filters: z.record(z.string(), z.any()),
    rows: z.array(z.any()),
    totals: z.record(z.string(), z.number()),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  }),
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
        }),
      )
      .min(2, { error: 'fields.need' })
      .max(500, { error: 'fields.range' }),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Posts a journal entry; it balances, and is undone by its reversal only',
  errors: ['ledger.notBalanced', 'ledger.periodClosed', 'ledger.controlAccount'],
})
