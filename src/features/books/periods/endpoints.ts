import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api5/invoicecpa/periods'
const see = { rule: 'ledger.see' }
const change = { rule: 'periods.change' }

export const periodKinds = ['month', 'year'] as const
export const checkNames = [
  'batches',
  'drafts',
  'expenses',
  'allocation',
  'inputAllocation',
  'vatFiled',
  'twoWays',
  'missingEntries',
  'trialBalance',
  'turnover',
  'earlier',
] as const

const check = z.object({
  name: z.enum(checkNames),
  /** ok; look: it can be closed all the same, knowingly; stop: it cannot. */
  state: z.enum(['ok', 'look', 'stop']),
  count: z.number(),
  /** Where it is put right. */
  open: z.string().nullable(),
})
export type PeriodCheck = z.infer<typeof check>

const lock = z.object({
  id: z.string(),
  kind: z.enum(['month', 'year', 'vat']),
  from: z.string(),
  to: z.string(),
  closedAt: z.string(),
  closedBy: z.string().nullable(),
  note: z.string(),
  /** What the list said when it was closed. */
  checks: z.array(check),
  reopenedAt: z.string().nullable(),
  reopenedBy: z.string().nullable(),
  reason: z.string(),
})
export type PeriodLock = z.infer<typeof lock>

const row = z.object({
  from: z.string(),
  to: z.string(),
  state: z.enum(['open', 'closed', 'closedByYear', 'running', 'ahead']),
  lockId: z.string().nullable(),
  /** Reported to the VAT authority: locked for papers with VAT. */
  vatFiled: z.boolean(),
  entries: z.number(),
  closedAt: z.string().nullable(),
  closedBy: z.string().nullable(),
})
export type PeriodRow = z.infer<typeof row>

const year = queryNumber(z.int().min(1990).max(2200))
const which = { kind: z.enum(periodKinds, { error: 'fields.choice' }), from: dayValue }

export const listPeriods = defineEndpoint({
  name: 'periods.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({ year: year.optional() }),
  output: z.object({
    year: z.number(),
    /** Years in which something was posted. */
    years: z.array(z.number()),
    yearRow: row,
    months: z.array(row),
    history: z.array(lock),
  }),
  summary:
    'The months of a year and the year itself: what is open, what is closed, by whom and why it was opened again',
})
export const checkPeriod = defineEndpoint({
  name: 'periods.check',
  method: 'GET',
  path: `${base}/check`,
  access: see,
  input: z.object(which),
  output: z.object({ from: z.string(), to: z.string(), checks: z.array(check) }),
  summary: 'What to look at before a month or a year is closed',
})
export const closePeriod = defineEndpoint({
  name: 'periods.close',
  method: 'POST',
  path: base,
  access: change,
  input: z.strictObject({
    ...which,
    /** Close although the list asks to look at something. */
    despite: z.boolean().default(false),
    note: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
  }),
  output: lock,
  summary: 'Closes a month or a year: nothing is posted into it any more',
  errors: ['periods.alreadyClosed', 'periods.notOver', 'periods.blocked', 'periods.waits'],
})
export const reopenPeriod = defineEndpoint({
  name: 'periods.reopen',
  method: 'POST',
  path: `${base}/{id}/reopen`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(3, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: lock,
  summary: 'Opens a closed month or year again; who, when and why stay in the log',
  errors: ['kit.notFound', 'periods.notClosed'],
})
