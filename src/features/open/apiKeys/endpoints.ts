import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'

/**
 * Which numbers of currencies a program of another product means: as the plug-in for shops counts them (1 is
 * the shekel) or as the written guides do (2 is).
 */
export const tradeCurrencies = ['plugIn', 'guides'] as const

const key = z.object({
  id: z.string(),
  name: z.string(),
  /** 'pk_live_xxxx': tells it from others and opens nothing. */
  prefix: z.string(),
  readOnly: z.boolean(),
  draftsOnly: z.boolean(),
  rules: z.array(z.number()),
  docsAllow: z.array(z.number()),
  sumLimitAgorot: z.number().nullable(),
  by: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  usedAt: z.string().nullable(),
  usedFrom: z.string(),
  createdAt: z.string(),
  tradeCurrencies: z.enum(tradeCurrencies).nullable(),
  tradeAlwaysOk: z.boolean(),
})
export type ApiKey = z.infer<typeof key>

const access = { rule: 'apiKeys' }

export const listKeys = defineEndpoint({
  name: 'apiKeys.list',
  method: 'GET',
  path: '/api4/invoice/apikeys',
  access,
  input: z.object({}),
  output: z.object({ rows: z.array(key) }),
  summary: 'The keys of my business for programs, newest first',
})
export const makeKey = defineEndpoint({
  name: 'apiKeys.make',
  method: 'POST',
  path: '/api4/invoice/apikeys',
  access,
  input: z.strictObject({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(80, { error: 'fields.tooLong' }),
    readOnly: z.boolean().default(false),
    draftsOnly: z.boolean().default(false),
    rules: z.array(z.number().int()).max(200).default([]),
    docsAllow: z.array(z.number().int()).max(50).default([]),
    sumLimitAgorot: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(9_000_000_000_000, { error: 'fields.range' })
      .nullable()
      .default(null),
    /** The last day it works, in Jerusalem. */
    expiresOn: dayValue.nullable().default(null),
  }),
  output: z.object({ key, secret: z.string() }),
  summary: 'Makes a key; its secret is told here and never again',
  errors: ['apiKeys.tooMany'],
})
export const changeKey = defineEndpoint({
  name: 'apiKeys.change',
  method: 'PATCH',
  path: '/api4/invoice/apikeys/{id}',
  access,
  input: z.strictObject({
    id: z.uuid(),
    /** null: a number that could mean two currencies is refused. */
    tradeCurrencies: z.enum(tradeCurrencies, { error: 'fields.choice' }).nullable().optional(),
    /** Refusals of the calls of the trade come with status 200 too, for programs that read nothing else. */
    tradeAlwaysOk: z.boolean().optional(),
  }),
  output: key,
  summary:
    'Changes how a key is understood where it is used by a program of another product; what it may never changes',
  errors: ['kit.notFound'],
})
export const revokeKey = defineEndpoint({
  name: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/api4/invoice/apikeys/{id}',
  access,
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Ends a key at once',
  errors: ['kit.notFound'],
})
