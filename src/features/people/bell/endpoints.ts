import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/notifications'
export const ways = ['screen', 'mail', 'none'] as const

const notification = z.object({
  id: z.string(),
  kind: z.string().describe('A kind of its own, or the name of an event'),
  entity: z.string(),
  entityId: z.string().nullable(),
  params: z.record(z.string(), z.any()),
  by: z.string().nullable(),
  at: z.string(),
  readAt: z.string().nullable(),
})
export type Notification = z.output<typeof notification>

export const listNotifications = defineEndpoint({
  name: 'notifications.list',
  method: 'GET',
  path: base,
  access: 'login',
  input: z.object({ cursor: z.string().max(200).optional(), unread: queryFlag.optional() }),
  output: z.object({ rows: z.array(notification), nextCursor: z.string().nullable(), unread: z.number() }),
  summary: 'What the caller was told, newest first',
})
export const countNotifications = defineEndpoint({
  name: 'notifications.count',
  method: 'GET',
  path: `${base}/count`,
  access: 'login',
  input: z.object({}),
  output: z.object({ unread: z.number() }),
  summary: 'How many the caller has not read',
})
export const readNotifications = defineEndpoint({
  name: 'notifications.read',
  method: 'POST',
  path: `${base}/read`,
  access: 'login',
  input: z.strictObject({
    ids: z.array(z.uuid()).max(200, { error: 'fields.range' }).optional().describe('All when absent'),
    read: z.boolean().default(true),
  }),
  output: z.object({ unread: z.number() }),
  summary: 'Marks as read, or as not read',
})
export const bellSettings = defineEndpoint({
  name: 'notifications.settings',
  method: 'GET',
  path: `${base}/settings`,
  access: 'login',
  input: z.object({}),
  output: z.object({
    rows: z.array(z.object({ kind: z.string(), thing: z.string(), way: z.enum(ways), isOwn: z.boolean() })),
  }),
  summary: 'What the caller may be told of, and how he wants it',
})
export const setBell = defineEndpoint({
  name: 'notifications.set',
  method: 'PUT',
  path: `${base}/settings`,
  access: 'login',
  input: z.strictObject({ kind: z.string().max(60), way: z.enum(ways, { error: 'fields.choice' }) }),
  output: z.object({ kind: z.string(), way: z.enum(ways) }),
  summary: 'How the caller wants to be told of a kind',
  errors: ['bell.unknownKind'],
})
