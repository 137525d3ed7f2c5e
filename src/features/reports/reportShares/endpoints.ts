import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { reportAnswer } from '#kit/describe/reportAnswer.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { guessable } from '#features/base/session/endpoints.ts'
import './rules.ts'

const base = '/api4/invoice/reportshares'

const share = z.object({
  id: z.string(),
  report: z.string(),
  title: z.string(),
  url: z.string(),
  expiresOn: z.string(),
  isFrozen: z.boolean(),
  asOf: z.string(),
  by: z.string(),
  createdAt: z.string(),
  /** Open, past its day, or withdrawn. */
  state: z.enum(['open', 'expired', 'takenBack']),
  views: z.number(),
  lastViewAt: z.string().nullable(),
})
export type Share = z.infer<typeof share>

export const listShares = defineEndpoint({
  name: 'reportShares.list',
  method: 'GET',
  path: base,
  access: { rule: 'reportShares.give' },
  secret: true,
  input: z.object({}),
  output: z.object({ rows: z.array(share) }),
  summary: 'Reports that are shared by a link: those I gave, and for whoever sees everything those of all',
})

export const createShare = defineEndpoint({
  name: 'reportShares.create',
  method: 'POST',
  path: base,
  access: { rule: 'reportShares.give' },
  input: z.strictObject({
    report: z.string().max(60),
    /** Filters and view, as `reports.run` takes them. */
    query: z.record(z.string().max(60), z.string().max(500)),
    title: z.string().trim().min(1, { error: 'fields.need' }).max(120, { error: 'fields.tooLong' }),
    password: z
      .string()
      .min(8, { error: 'reportShares.shortPassword' })
      .max(200, { error: 'fields.tooLong' }),
    expiresOn: dayValue,
    /** Keeps the answer as it is now. */
    frozen: z.boolean().optional(),
  }),
  output: share,
  summary: 'Shares a report by a link behind a password',
  errors: ['kit.notFound', ...guessable],
})

export const dropShare = defineEndpoint({
  name: 'reportShares.takeBack',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: { rule: 'reportShares.give' },
  input: z.object({ id: z.uuid() }),
  output: share,
  summary: 'Takes a shared report back at once',
  errors: ['kit.notFound'],
})

export const viewsOfShare = defineEndpoint({
  name: 'reportShares.views',
  method: 'GET',
  path: `${base}/{id}/views`,
  access: { rule: 'reportShares.give' },
  input: z.object({ id: z.uuid() }),
  output: z.object({ rows: z.array(z.object({ at: z.string(), name: z.string(), address: z.string() })) }),
  summary: 'Who opened a shared report, and when',
  errors: ['kit.notFound'],
})

const byKey = z.object({ key: z.string().max(100) })

export const shareFace = defineEndpoint({
  name: 'reportShares.face',
  method: 'GET',
  path: '/api2/invoice/reportshare/{key}',
  access: 'key',
  input: byKey,
  output: z.object({ ...faceFields, language: z.string(), state: z.enum(['open', 'ended']) }),
  summary: 'Whose shared report a link leads to, before its password',
  errors: ['kit.notFound'],
})

export const shareLogo = defineEndpoint({
  name: 'reportShares.logo',
  method: 'GET',
  path: '/api2/invoice/reportshare/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The logo of the business whose shared report a link leads to',
  errors: ['kit.notFound'],
})

export const openShare = defineEndpoint({
  name: 'reportShares.open',
  method: 'POST',
  path: '/api2/invoice/reportshare/{key}',
  access: 'key',
  reads: true,
  input: byKey.extend({
    password: z.string().min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooLong' }),
    name: z.string().trim().min(2, { error: 'fields.need' }).max(80, { error: 'fields.tooLong' }),
  }),
  output: z.object({
    title: z.string(),
    period: z.array(dayValue).describe('The days it is of: from the first to the second, or one alone'),
    isFrozen: z.boolean(),
    asOf: z.string(),
    expiresOn: z.string(),
    answer: reportAnswer,
  }),
  summary: 'Opens a shared report with its password; the name of whoever opens it is kept and stands over it',
  errors: ['kit.notFound', 'reportShares.ended', 'reportShares.wait', 'reportShares.wrongPassword'],
})
