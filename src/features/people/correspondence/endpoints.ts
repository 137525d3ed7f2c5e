import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue, languageValue, phoneValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/customers'

/** 'card' is everything of a period with its running balance; 'open' is what is not paid yet. */
export const statementKinds = ['card', 'open'] as const
export type StatementKind = (typeof statementKinds)[number]

const which = z.object({
  kind: z.enum(statementKinds).default('card'),
  from: dayValue.optional(),
  to: dayValue.optional(),
})
const one = which.extend({ id: z.uuid() })

export const statementFile = defineEndpoint({
  name: 'statements.pdf',
  method: 'GET',
  path: `${base}/{id}/statement`,
  access: { rule: 'reports.debts' },
  file: true,
  input: one,
  output: z.any(),
  summary: 'A customer’s statement of account as PDF, in his language',
  errors: ['kit.notFound'],
})

export const statementPages = defineEndpoint({
  name: 'statements.pages',
  method: 'GET',
  path: `${base}/{id}/statement/pages`,
  access: { rule: 'reports.debts' },
  input: one,
  output: z.object({
    pages: z.array(z.string()),
    name: z.string(),
    to: z.array(z.string()),
    language: languageValue,
  }),
  summary: 'The statement to look at before it is sent, and to whom it would go',
  errors: ['kit.notFound'],
})

const outcome = z.object({
  queued: z.number().int(),
  /** Who has no mail. */
  without: z.array(z.object({ id: z.uuid(), name: z.string() })),
})

const ids = z.array(z.uuid()).min(1).max(200)

export const sendStatements = defineEndpoint({
  name: 'statements.send',
  method: 'POST',
  path: `${base}/statements`,
  access: { rule: 'documents.send' },
  input: which.extend({
    ids,
    /** In place of the mails in the register; for one customer. */
    recipient: z.preprocess((v) => (v === '' ? undefined : v), emailValue.optional()),
    text: z.string().trim().max(4000, { error: 'fields.tooLong' }).default(''),
  }),
  output: outcome,
  summary: 'Mails statements of account, each customer’s in his language',
  errors: ['kit.notFound'],
})

export const sendLetters = defineEndpoint({
  name: 'letters.send',
  method: 'POST',
  path: `${base}/letters`,
  access: { rule: 'documents.send' },
  input: z.object({
    ids,
    subject: z.string().trim().min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooLong' }),
    text: z.string().trim().min(1, { error: 'fields.need' }).max(4000, { error: 'fields.tooLong' }),
  }),
  output: outcome,
  summary: 'Mails a letter to customers; [customer] stands for the name of each',
  errors: ['kit.notFound'],
})
export const sendText = defineEndpoint({
  name: 'letters.sms',
  method: 'POST',
  path: `${base}/sms`,
  access: { rule: 'documents.send' },
  input: z.strictObject({
    to: phoneValue,
    text: z.string().trim().min(1, { error: 'fields.need' }).max(600, { error: 'fields.tooLong' }),
    /** The customer whose card shows it; any phone number when absent. */
    customerId: z.uuid({ error: 'fields.ref' }).optional(),
  }),
  output: z.object({ messageId: z.string() }),
  summary: 'Sends a text message to a mobile phone, of a customer or of anybody',
  errors: ['sms.notMobile', 'kit.notFound'],
})
