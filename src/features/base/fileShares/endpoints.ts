import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import './rules.ts'
import { queryFlag } from '#kit/fields/query.ts'

const rule = { rule: 'files.change' }
const byKey = z.object({ key: z.string().max(100) })

const share = z.object({
  id: z.string(),
  fileId: z.string().describe('The file it leads to'),
  name: z.string(),
  url: z.string(),
  expiresOn: z.string(),
  /** Open, past its day, or withdrawn. */
  state: z.enum(['open', 'expired', 'takenBack']),
  by: z.string(),
  createdAt: z.string(),
  opened: z.number().describe('How often it was opened'),
  lastOpenedAt: z.string().nullable(),
})
export type FileShare = z.output<typeof share>

export const listFileShares = defineEndpoint({
  name: 'fileShares.list',
  method: 'GET',
  path: '/api4/invoice/fileshares',
  access: rule,
  secret: true,
  input: z.object({ fileId: z.uuid() }),
  output: z.object({ rows: z.array(share) }),
  summary: 'The links of a file that were given to people outside, the newest first, at most 500',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const createFileShare = defineEndpoint({
  name: 'fileShares.create',
  method: 'POST',
  path: '/api4/invoice/files/{id}/shares',
  access: rule,
  input: z.strictObject({ id: z.uuid(), expiresOn: dayValue }),
  output: share,
  summary: 'Makes a link by which a file is opened without an account, until a day',
  errors: ['kit.notFound', 'session.forbidden', 'fileShares.tooMany'],
})
export const takeBackFileShare = defineEndpoint({
  name: 'fileShares.takeBack',
  method: 'DELETE',
  path: '/api4/invoice/fileshares/{id}',
  access: rule,
  input: z.object({ id: z.uuid() }),
  output: share,
  summary: 'Ends a link at once',
  errors: ['kit.notFound'],
})

export const fileShareFace = defineEndpoint({
  name: 'fileShares.face',
  method: 'GET',
  path: '/api2/invoice/fileshare/{key}',
  access: 'key',
  input: byKey,
  output: z.object({ ...faceFields, language: z.string(), state: z.enum(['open', 'ended']) }),
  summary: 'Whose file a link leads to; nothing of the file itself',
  errors: ['kit.notFound'],
})
export const fileShareLogo = defineEndpoint({
  name: 'fileShares.logo',
  method: 'GET',
  path: '/api2/invoice/fileshare/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The logo of the business whose file a link leads to',
  errors: ['kit.notFound'],
})
export const openFileShare = defineEndpoint({
  name: 'fileShares.open',
  method: 'POST',
  path: '/api2/invoice/fileshare/{key}/open',
  access: 'key',
  throttle: 60,
  input: byKey,
  output: z.object({
    name: z.string(),
    mime: z.string(),
    size: z.number().describe('Bytes of the file'),
    isShown: z.boolean().describe('A browser shows it without running anything; other files are saved'),
    expiresOn: z.string(),
  }),
  summary: 'Opens a shared file: what it is called and how large it is; that it was opened is counted',
  errors: ['kit.notFound', 'fileShares.ended'],
})
export const fileOfShare = defineEndpoint({
  name: 'fileShares.file',
  method: 'GET',
  path: '/api2/invoice/fileshare/{key}/file',
  access: 'key',
  throttle: 60,
  file: true,
  input: byKey.extend({ inline: queryFlag.optional() }),
  output: z.any(),
  summary: 'The bytes of a shared file',
  errors: ['kit.notFound', 'fileShares.ended'],
})
