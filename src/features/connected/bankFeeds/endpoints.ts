import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { fileValue } from '#kit/fields/schema.ts'
import '#features/money/bank/rules.ts'
import './rules.ts'

const rule = { rule: 'bank.change' }
const base = '/api4/invoice/bankfeeds'
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })
const outcome = z.enum(['taken', 'nothing', 'waits', 'refused'])
const fileName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\u0000-\u001f\u007f/\\]+$/, { error: 'fields.text' })
  .default('statement')

const feed = z.object({
  id: z.string(),
  name: z.string(),
  bankAccountId: z.string(),
  bankAccount: z.string(),
  state: z.enum(['on', 'off']),
  address: z.string().describe('Where files are sent by POST; ?name= says what the file is called'),
  folder: z
    .string()
    .describe('The folder of the installation in which files may be laid instead, for whoever runs it'),
  lastAt: z.string().nullable(),
  waits: z.number().describe('Files that a person must look at'),
})
export type Feed = z.output<typeof feed>

export const listFeeds = defineEndpoint({
  name: 'bankFeeds.list',
  method: 'GET',
  path: base,
  access: rule,
  secret: true,
  input: z.object({}),
  output: z.object({ rows: z.array(feed) }),
  summary: 'Doors that files of a bank come in by',
})
export const createFeed = defineEndpoint({
  name: 'bankFeeds.create',
  method: 'POST',
  path: base,
  access: rule,
  input: z.strictObject({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(80, { error: 'fields.tooLong' }),
    bankAccountId: z.uuid({ error: 'fields.need' }),
  }),
  output: feed,
  summary: 'Opens a door for the files of one bank account',
  errors: ['kit.badInput', 'bankFeeds.tooMany'],
})
export const changeFeed = defineEndpoint({
  name: 'bankFeeds.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: rule,
  input: z.strictObject({ id: z.uuid(), on: z.boolean() }),
  output: feed,
  summary: 'Turns a door on or off',
  errors: ['kit.notFound'],
})
export const dropFeed = defineEndpoint({
  name: 'bankFeeds.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: rule,
  input: byId,
  output: done,
  summary: 'Closes a door for good; what came by it stays',
  errors: ['kit.notFound'],
})
export const listFeedFiles = defineEndpoint({
  name: 'bankFeeds.files',
  method: 'GET',
  path: `${base}/{id}/files`,
  access: rule,
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        at: z.string(),
        sizeBytes: z.number().describe('The size of the file'),
        outcome,
        code: z.string(),
        lines: z.number(),
      }),
    ),
  }),
  summary: 'Files that came by a door, newest first, and what came of each',
  errors: ['kit.notFound'],
})
export const putFile = defineEndpoint({
  name: 'bankFeeds.put',
  method: 'POST',
  path: '/api2/invoice/bankdrop/{key}',
  access: 'key',
  throttle: 120,
  upload: { maxBytes: 5_000_000, toFile: true },
  input: z.object({ key: z.string().min(1).max(100), name: fileName, bytes: fileValue }),
  output: z.object({ outcome, code: z.string(), lines: z.number() }),
  summary:
    'A file of the bank (CSV, XLSX, OFX, MT940): its new lines come in at once where everything is plain; the same file again changes nothing',
  errors: ['kit.notFound', 'bankFeeds.isOff'],
})
