import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { isPattern } from './pattern.ts'

const rule = { rule: 'drive' }
const base = '/api4/invoice/drive'
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

export const driveKinds = ['google', 'webdav', 's3'] as const
export const copiedThings = ['documents', 'expenses', 'reports'] as const
const what = z.array(z.enum(copiedThings)).min(1, { error: 'fields.need' }).max(3).describe('What is copied')
const pattern = z
  .string()
  .trim()
  .max(120, { error: 'fields.tooLong' })
  .refine(isPattern, { error: 'drive.badPattern' })
  .describe('Folders, with {year}, {month}, {day}, {type} and {customer}')
const name = z.string().trim().max(80, { error: 'fields.tooLong' })
const address = z
  .string({ error: 'fields.need' })
  .trim()
  .min(10, { error: 'fields.need' })
  .max(500, { error: 'fields.tooLong' })
  .describe('https, a public address')
const secret = z
  .string({ error: 'fields.need' })
  .min(1, { error: 'fields.need' })
  .max(500, { error: 'fields.tooLong' })

const target = z.object({
  id: z.string(),
  kind: z.enum(driveKinds),
  name: z.string(),
  state: z
    .enum(['on', 'off', 'revoked', 'full', 'paused'])
    .describe(
      'revoked: consent was revoked or the keys are refused; full: no room, tried again every hour; paused: the person who connected it no longer has all rights',
    ),
  pausedWhy: z
    .enum(['left', 'limited', 'key'])
    .nullable()
    .describe(
      'left: the person who connected it left the business or was blocked; limited: that person no longer sees all of it; key: it was connected with an API key',
    ),
  by: z.string().describe('The person whose rights the copies are made with'),
  place: z.string().describe('Where it is, in words: an account, an address'),
  what,
  pattern: z.string(),
  lastError: z.string().describe('What the place said when it refused last; empty when all is well'),
  lastDoneAt: z.string().nullable(),
  waiting: z.number(),
  done: z.number(),
  failed: z.number().describe('Copies that are tried no more'),
})
export type Target = z.output<typeof target>

export const copyStates = ['waiting', 'asked', 'done', 'failed', 'nothing'] as const

export const listTargets = defineEndpoint({
  name: 'drive.list',
  method: 'GET',
  path: base,
  access: rule,
  input: z.object({}),
  output: z.object({
    rows: z.array(target),
    offersGoogle: z.boolean().describe('Google Drive can be connected on this installation'),
    mayConnect: z.boolean().describe('The caller may connect places and change them'),
  }),
  summary: 'Places that copies are laid in, and how each is doing',
})
export const beginGoogle = defineEndpoint({
  name: 'drive.begin',
  method: 'POST',
  path: `${base}/google`,
  access: rule,
  input: z.strictObject({}),
  output: z.object({ url: z.string() }),
  summary: 'Begins to connect Google Drive: an address to go to, good for an hour and for this person',
  errors: ['drive.notOffered', 'drive.notWhole', 'drive.noKeys'],
})
export const endGoogle = defineEndpoint({
  name: 'drive.returned',
  method: 'POST',
  path: `${base}/google/return`,
  access: rule,
  input: z.strictObject({
    state: z.string().max(200),
    code: z.string().max(2000).default(''),
    error: z.string().max(100).default(''),
  }),
  output: z.object({ target: target.describe('The place that was connected') }),
  summary: 'The person came back with his consent: the drive is connected, or its connection renewed',
  errors: [
    'drive.notOffered',
    'drive.tieEnded',
    'drive.refused',
    'drive.away',
    'drive.tooMany',
    'drive.notWhole',
    'drive.noKeys',
  ],
})
export const addPlace = defineEndpoint({
  name: 'drive.add',
  method: 'POST',
  path: base,
  access: rule,
  input: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('webdav'),
      name: name.default(''),
      address,
      user: secret,
      password: secret,
    }),
    z.strictObject({
      kind: z.literal('s3'),
      name: name.default(''),
      address,
      region: z
        .string()
        .trim()
        .min(1, { error: 'fields.need' })
        .max(40, { error: 'fields.tooLong' })
        .regex(/^[a-z0-9-]+$/, { error: 'fields.text' }),
      bucket: z
        .string({ error: 'fields.need' })
        .trim()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'fields.text' }),
      user: secret.describe('The id of the key'),
      password: secret.describe('The secret of the key'),
    }),
  ]),
  output: target,
  summary: 'Adds a WebDAV or S3 place, once a file could be written there',
  errors: [
    'drive.badPlace',
    'drive.refused',
    'drive.away',
    'drive.tooMany',
    'drive.notWhole',
    'drive.noKeys',
  ],
})
export const changeTarget = defineEndpoint({
  name: 'drive.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: rule,
  input: z.strictObject({
    id: z.uuid(),
    name: name.min(1, { error: 'fields.need' }).optional(),
    what: what.optional(),
    pattern: pattern.optional(),
    on: z.boolean().optional(),
  }),
  output: target,
  summary: 'Changes what is copied and into which folders; what was laid stays where it is',
  errors: ['kit.notFound', 'drive.badPattern', 'drive.notWhole', 'drive.noKeys'],
  about:
    'The copies are made with the rights of the person who changed the place last. Turning it off needs only the rule.',
})
export const dropTarget = defineEndpoint({
  name: 'drive.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: rule,
  input: byId,
  output: done,
  summary: 'Ends a place; the copies in it stay there',
  errors: ['kit.notFound'],
})
export const listCopies = defineEndpoint({
  name: 'drive.copies',
  method: 'GET',
  path: `${base}/{id}/copies`,
  access: rule,
  input: z.object({ id: z.uuid(), state: z.enum(copyStates).optional() }),
  output: z.object({
    rows: z.array(
      z.object({
        entity: z.enum(copiedThings),
        entityId: z.string(),
        state: z.enum(copyStates),
        path: z.string(),
        sizeBytes: z.number().nullable().describe('The size of the file'),
        tries: z.number(),
        nextAt: z.string().nullable(),
        error: z.string(),
        at: z.string(),
        doneAt: z.string().nullable(),
      }),
    ),
  }),
  summary: 'What was copied to a place lately, newest first, with what went wrong',
  errors: ['kit.notFound'],
})
export const againCopies = defineEndpoint({
  name: 'drive.again',
  method: 'POST',
  path: `${base}/{id}/again`,
  access: rule,
  input: z.strictObject({
    id: z.uuid(),
    sinceDay: z.iso
      .date({ error: 'fields.day' })
      .optional()
      .describe('Also everything since this day that was never copied, at most a year back'),
  }),
  output: z.object({ count: z.number() }),
  summary: 'Tries again what failed, or copies what is older than the connection; nothing is laid twice',
  errors: ['kit.notFound', 'drive.notWhole', 'drive.noKeys'],
})
