import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { monthValue } from '#kit/fields/schema.ts'

const rule = 'ledger.see'
const month = z.object({
  /** YYYY-MM, in Jerusalem. */
  month: z.string(),
  records: z.number(),
  /** The last link of the month: 64 hexadecimal digits. */
  root: z.string(),
})

export const showProof = defineEndpoint({
  name: 'proof.show',
  method: 'GET',
  path: '/api5/invoicecpa/proof',
  access: { rule },
  input: z.object({}),
  output: z.object({
    records: z.number(),
    waiting: z.number(),
    months: z.array(month),
    /** The last whole check of this business by anybody. */
    checked: z.object({ at: z.string(), records: z.number(), ok: z.boolean() }).nullable(),
  }),
  summary: 'The chain of issued documents and entries: how long it is, and its root by month',
})
export type Proof = z.infer<typeof showProof.output>

export const checkProof = defineEndpoint({
  name: 'proof.check',
  method: 'POST',
  path: '/api5/invoicecpa/proof/check',
  access: { rule },
  input: z.strictObject({
    /** Links up to here were checked already; begin with 0 and go on with `to` until `done`. */
    from: z.number().int().min(0).default(0),
  }),
  output: z.object({
    to: z.number(),
    total: z.number(),
    done: z.boolean(),
    /** The first record that is not what it was. */
    broken: z
      .object({
        seq: z.number(),
        kind: z.enum(['document', 'entry']),
        recordId: z.string(),
        why: z.enum(['link', 'changed', 'gone', 'unjoined', 'short']),
        /**
         * Of a document its type and number, of an entry its day and reference; empty when there is nothing
         * left of it.
         */
        type: z.number().nullable(),
        number: z.number().nullable(),
        day: z.string().nullable(),
        reference: z.string(),
      })
      .nullable(),
  }),
  summary: 'Checks a stretch of the chain against the records as they stand',
})
export type Checked = z.infer<typeof checkProof.output>

export const sendRoot = defineEndpoint({
  name: 'proof.send',
  method: 'POST',
  path: '/api5/invoicecpa/proof/send',
  access: { rule },
  input: z.strictObject({
    month: monthValue,
    recipient: z.email({ error: 'fields.email' }),
  }),
  output: z.object({ messageId: z.string() }),
  summary: 'Sends the root of a month by mail, to somebody who keeps it',
  errors: ['proof.noMonth'],
})

const missing = z.object({
  id: z.string(),
  type: z.number(),
  number: z.number(),
  day: z.string(),
  customer: z.string(),
  /** The VAT period of its day. */
  period: z.object({ from: z.string(), to: z.string() }),
  /** Its day is in a period that is reported or closed: the period is reopened first. */
  isLocked: z.boolean(),
  /** What would be posted, debit positive. */
  lines: z.array(z.object({ number: z.string(), account: z.string(), amountAgorot: z.number() })),
})

export const listMissing = defineEndpoint({
  name: 'proof.missing',
  method: 'GET',
  path: '/api5/invoicecpa/proof/missing',
  access: { rule },
  input: z.object({}),
  output: z.object({ rows: z.array(missing) }),
  summary:
    'Issued documents without the entry they should have, with that entry and the periods it belongs to',
})
export type MissingRow = z.infer<typeof missing>

export const postMissing = defineEndpoint({
  name: 'proof.postMissing',
  method: 'POST',
  path: '/api5/invoicecpa/proof/missing',
  access: { rule: 'ledger.change', person: true },
  input: z.strictObject({
    documentIds: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooLong' }),
    /** Why, in the words of the person who reviewed the list; kept in the log with the entries. */
    reason: z.string().trim().min(3, { error: 'fields.need' }).max(500, { error: 'fields.tooLong' }),
  }),
  output: z.object({ posted: z.number() }),
  summary: 'Posts missing entries of issued documents, each on the day of its document, all or none',
  errors: ['ledger.periodClosed'],
})
