import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, dayValue, emailValue, languageValue, monthValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'

const base = '/api4/invoice/clientrequests'
const see = { rule: 'requests.see' }
const make = { rule: 'requests.make' }
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

export const requestKinds = ['paper', 'question', 'approve', 'file'] as const
export const requestStates = ['asked', 'seen', 'answered', 'accepted', 'dropped'] as const
const kind = z.enum(requestKinds, { error: 'fields.choice' })
const words = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(2000, { error: 'fields.tooLong' })
/** A photograph of a telephone. */
export const maxPaperBytes = 15 * 1024 * 1024

const row = z.object({
  id: z.string(),
  kind,
  state: z.enum(requestStates),
  text: z.string(),
  day: z.string().nullable(),
  /** Absent for people who may not see amounts. */
  sumAgorot: z.number().nullable().optional(),
  aboutPath: z.string(),
  askedBy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  byItself: z.boolean(),
  paperId: z.string().nullable(),
  expenseId: z.string().nullable(),
  words: z.array(z.object({ id: z.string(), by: z.string().nullable(), text: z.string(), at: z.string() })),
})
export type RequestRow = z.output<typeof row>

export const listRequests = defineEndpoint({
  name: 'requests.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({ view: z.enum(['open', 'answered', 'ended']).default('open') }),
  output: z.object({ rows: z.array(row), counts: z.object({ open: z.number(), answered: z.number() }) }),
  summary: 'What the accountant asks of the business',
})
export const makeRequest = defineEndpoint({
  name: 'requests.make',
  method: 'POST',
  path: base,
  access: make,
  input: z.strictObject({
    kind,
    text: words,
    day: dayValue.nullish(),
    sumAgorot: z.number().int().min(0).max(100_000_000_000).nullish(),
    aboutPath: z
      .string()
      .max(300)
      .regex(/^(\/invoice\/[\w/.?=&-]{1,280})?$/, { error: 'fields.choice' })
      .default(''),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Asks the business for a paper, an answer or an approval, or shares a file',
})
const bill = z.object({
  supplierId: z.string(),
  supplier: z.string(),
  /** In which it was to come, YYYY-MM. */
  month: z.string(),
  day: z.string(),
  /** What it usually comes to. */
  sumAgorot: z.number().nullable(),
})
export type MissingBill = z.output<typeof bill>
export const missingPapers = defineEndpoint({
  name: 'requests.missing',
  method: 'GET',
  path: `${base}/missing`,
  access: make,
  input: z.object({ from: dayValue, to: dayValue }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        sumAgorot: z.number().nullable(),
        text: z.string(),
        account: z.string(),
      }),
    ),
    /** Bills of suppliers that usually come and did not. */
    bills: z.array(bill),
  }),
  summary:
    'Payments of the bank in a period that have no paper in the books, and bills that usually come and did not; none was asked about',
})
export const askMissing = defineEndpoint({
  name: 'requests.askMissing',
  method: 'POST',
  path: `${base}/missing`,
  access: make,
  input: z.strictObject({
    lineIds: z.array(z.uuid()).max(200, { error: 'fields.tooLong' }).default([]),
    bills: z
      .array(z.strictObject({ supplierId: z.uuid(), month: monthValue }))
      .max(200, { error: 'fields.tooLong' })
      .default([]),
  }),
  output: z.object({ count: z.number() }),
  summary: 'Asks for the paper of each of these payments, and for each of these bills, once',
})
export const sayRequest = defineEndpoint({
  name: 'requests.say',
  method: 'POST',
  path: `${base}/{id}/words`,
  access: see,
  input: byId.extend({ text: words }),
  output: done,
  summary: 'Answers a request, or writes on in it',
  errors: ['kit.notFound', 'requests.ended'],
})
export const seeRequests = defineEndpoint({
  name: 'requests.seen',
  method: 'POST',
  path: `${base}/seen`,
  access: see,
  input: z.strictObject({}),
  output: done,
  summary: 'The business has seen what is asked of it',
})
export const endRequest = defineEndpoint({
  name: 'requests.end',
  method: 'POST',
  path: `${base}/{id}/end`,
  access: make,
  input: byId.extend({ as: z.enum(['accepted', 'dropped', 'asked']) }),
  output: done,
  summary: 'Accepts what came, drops the request, or asks again',
  errors: ['kit.notFound'],
})
export const requestLink = defineEndpoint({
  name: 'requests.link',
  method: 'POST',
  path: `${base}/link`,
  access: make,
  input: z.strictObject({ to: emailValue.nullish(), renew: z.boolean().default(false) }),
  output: z.object({ url: z.string(), endsAt: z.string() }),
  summary: 'The page on which the business answers without a log-in, mailed when an address is given',
  errors: ['requests.nothingOpen'],
})
export const dropRequestLink = defineEndpoint({
  name: 'requests.dropLink',
  method: 'DELETE',
  path: `${base}/link`,
  access: make,
  input: z.object({}),
  output: done,
  summary: 'The page opens no more',
})

const byKey = z.object({ key: z.string().max(100) })
export const pageOfRequests = defineEndpoint({
  name: 'requests.page',
  method: 'GET',
  path: '/api2/invoice/clientrequests/{key}',
  access: 'key',
  input: byKey,
  output: z.object({
    ...faceFields,
    language: languageValue,
    askedBy: z.string(),
    rows: z.array(
      z.object({
        id: z.string(),
        kind,
        text: z.string(),
        day: z.string().nullable(),
        sumAgorot: z.number().nullable(),
        isAnswered: z.boolean(),
        answer: z.string().nullable(),
      }),
    ),
  }),
  summary: 'What the accountant asks, on the page of whoever has the link',
  errors: ['kit.notFound'],
})
export const pageAnswer = defineEndpoint({
  name: 'requests.pageAnswer',
  method: 'POST',
  path: '/api2/invoice/clientrequests/{key}/{id}/answer',
  access: 'key',
  throttle: 120,
  input: byKey.extend({ id: z.uuid(), text: words }),
  output: done,
  summary: 'An answer by whoever has the link',
  errors: ['kit.notFound', 'requests.ended'],
})
export const pagePaper = defineEndpoint({
  name: 'requests.pagePaper',
  method: 'POST',
  path: '/api2/invoice/clientrequests/{key}/{id}/paper',
  access: 'key',
  throttle: 120,
  upload: { maxBytes: maxPaperBytes },
  input: byKey.extend({ id: z.uuid(), name: z.string().trim().min(1).max(200), bytes: bytesValue }),
  output: done,
  summary: 'A paper by whoever has the link: it goes into the inbox of the business and is read there',
  errors: ['kit.notFound', 'requests.ended', 'capture.badType', 'files.overQuota'],
})
export const pageLogoOfRequests = defineEndpoint({
  name: 'requests.pageLogo',
  method: 'GET',
  path: '/api2/invoice/clientrequests/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on that page',
  errors: ['kit.notFound'],
})
