import { z } from 'zod'
import { lawKeys } from '#domain/law/figures.ts'
import { duties } from '#domain/law/dues.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/law'
const source = z
  .string({ error: 'fields.need' })
  .trim()
  .min(3, { error: 'fields.need' })
  .max(300, { error: 'fields.tooLong' })

const figure = z.object({
  key: z.enum(lawKeys),
  unit: z.enum(['agorot', 'basisPoints']),
  /** In agorot or hundredths of a per cent; of a figure that is not known today the last one that was. */
  value: z.number().nullable(),
  known: z.boolean(),
  /** The last day for which the figure is known. */
  knownTo: z.string().nullable(),
  source: z.string(),
  checked: z.string(),
  isEntered: z.boolean(),
})
export type LawFigure = z.output<typeof figure>

const due = z.object({
  duty: z.enum(duties),
  /** The month in which the period ends, YYYY-MM, or the year. */
  period: z.string(),
  day: z.string(),
  basis: z.enum(['entered', 'postponed', 'published', 'rule']),
})
export type LawDue = z.output<typeof due>

const entry = z.object({
  id: z.string(),
  key: z.string(),
  from: z.string(),
  to: z.string(),
  value: z.string(),
  source: z.string(),
  at: z.string(),
  by: z.string(),
  revokedAt: z.string().nullable(),
  revokedBy: z.string().nullable(),
  revokedWhy: z.string(),
})
export type LawEntry = z.output<typeof entry>

export const lawTable = defineEndpoint({
  name: 'law.table',
  method: 'GET',
  path: base,
  access: 'member',
  input: z.object({}),
  output: z.object({
    /** The caller is an operator of the installation and may enter figures. */
    mayEnter: z.boolean(),
    figures: z.array(figure),
    dues: z.array(due),
    /** Names of operators are shown to operators alone. */
    entries: z.array(entry),
  }),
  summary: 'The figures of the law and the reporting days the product goes by, with their sources',
})

export const enterFigure = defineEndpoint({
  name: 'law.enter',
  method: 'POST',
  path: `${base}/figures`,
  access: 'login',
  input: z.strictObject({
    key: z.enum(lawKeys, { error: 'fields.choice' }),
    from: dayValue,
    to: dayValue.describe('The last day for which it is known to hold'),
    value: z.number({ error: 'fields.need' }).int({ error: 'fields.range' }),
    source,
  }),
  output: z.object({ id: z.string() }),
  summary: 'For operators: enters a figure of the law, which holds at once for all businesses',
  errors: ['law.notOperator', 'law.overlaps', 'law.order', 'law.tooEarly', 'law.range'],
})

export const enterDue = defineEndpoint({
  name: 'law.postpone',
  method: 'POST',
  path: `${base}/dues`,
  access: 'login',
  input: z.strictObject({
    duty: z.enum(duties, { error: 'fields.choice' }),
    period: z.string().regex(/^[12]\d{3}(-(0[1-9]|1[0-2]))?$/, { error: 'fields.choice' }),
    day: dayValue,
    source,
  }),
  output: z.object({ id: z.string() }),
  summary:
    'For operators: enters the day to which a report was moved, which holds at once for all businesses',
  errors: ['law.notOperator', 'law.overlaps', 'law.range', 'law.dueRange'],
})

export const revokeEntry = defineEndpoint({
  name: 'law.revoke',
  method: 'POST',
  path: `${base}/entries/{id}/revoke`,
  access: 'login',
  input: z.strictObject({
    id: z.uuid(),
    why: z
      .string({ error: 'fields.need' })
      .trim()
      .min(3, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'For operators: ends an entry; what held before it holds again at once',
  errors: ['law.notOperator', 'law.revokedBefore', 'kit.notFound'],
})
