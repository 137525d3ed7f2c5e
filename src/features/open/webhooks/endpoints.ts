import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const rule = { rule: 'webhooks' }
const base = '/api4/invoice/webhooks'
const byId = z.object({ id: z.uuid() })
const done = z.object({ done: z.literal(true) })

/** Fields of the thing itself, and what one of them has to say: {"type": ["8", "9"]}. */
const filter = z.strictObject({
  sumAgorot: z
    .number()
    .int()
    .min(1, { error: 'fields.range' })
    .max(9_000_000_000_000, { error: 'fields.range' })
    .nullable()
    .default(null)
    .describe('Only things whose sum is at least so many agorot; things without a sum are left out then'),
  fields: z
    .record(
      z.string().regex(/^[a-zA-Z]\w{0,40}(\.[\w-]{1,40})?$/, { error: 'fields.text' }),
      z
        .array(z.string().max(100, { error: 'fields.tooLong' }))
        .min(1, { error: 'fields.need' })
        .max(20, { error: 'fields.range' }),
    )
    .default({})
    .refine((fields) => Object.keys(fields).length <= 5, { error: 'fields.range' })
    .describe(
      'Fields of the thing as its own call answers it, own fields as own.<id>, each with the values it may have; a field that no chosen event has is refused, and things without it are left out',
    ),
})
export type Filter = z.output<typeof filter>

/**
 * Without anything in the place of what is not said: the person who changes one thing leaves the others as they are.
 */
const parts = {
  name: z.string().trim().max(80, { error: 'fields.tooLong' }),
  url: z
    .string({ error: 'fields.need' })
    .trim()
    .min(10, { error: 'fields.need' })
    .max(1000, { error: 'fields.tooLong' })
    .describe('https, port 443, a public address; redirects are not followed'),
  events: z
    .array(z.string().max(60))
    .min(1, { error: 'fields.need' })
    .max(100, { error: 'fields.range' })
    .describe(
      'Names of the list of events; "document.*" is all of a thing, "*" is everything, also what is added later',
    ),
  filter,
  payload: z.enum(['thin', 'full']),
}
const saidOfName = 'What it is for, in your own words'
const saidOfPayload = 'thin: id, number, version and link; full: the thing as its own call answers it, too'
const given = z.strictObject({
  ...parts,
  name: parts.name.default('').describe(saidOfName),
  filter: filter.default({ sumAgorot: null, fields: {} }),
  payload: parts.payload.default('thin').describe(saidOfPayload),
})
const change = z
  .strictObject({
    ...parts,
    name: parts.name.describe(saidOfName),
    payload: parts.payload.describe(saidOfPayload),
  })
  .partial()
export type WebhookGiven = z.output<typeof given>

export const offReasons = ['person', 'gone', 'failing', 'owner', 'restored'] as const

const webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  filter,
  payload: z.enum(['thin', 'full']),
  apiVersion: z.string(),
  state: z.enum(['on', 'failing', 'off']).describe('failing: everything since failingSince was refused'),
  offWhy: z.enum(offReasons).nullable(),
  offAt: z.string().nullable(),
  failingSince: z.string().nullable(),
  oldSecretUntil: z.string().nullable().describe('Until then the secret before signs too'),
  by: z.string().describe('Whose rights it has'),
  byKey: z.string().nullable().describe('The key that set it up and whose rights it has, where one did'),
  ofPayments: z.boolean().describe('Named by payments of a program as NotifyUrl; each is told where it said'),
  createdAt: z.string(),
  waiting: z.number().describe('Events that are still to arrive'),
  lastSentAt: z.string().nullable(),
  lastStatusCode: z
    .number()
    .nullable()
    .describe('What the last try was answered with; null where nothing was tried yet or no answer came'),
})
export type Webhook = z.output<typeof webhook>

export const deliveryStates = ['waiting', 'sent', 'failed', 'skipped'] as const

const delivery = z.object({
  eventId: z.string().describe('The webhook-id of every try'),
  name: z.string(),
  at: z.string(),
  entity: z.string(),
  entityId: z.string().nullable(),
  number: z.union([z.number(), z.string()]).nullable(),
  state: z.enum(deliveryStates),
  tries: z.number(),
  nextAt: z.string().nullable(),
  statusCode: z.number().nullable(),
  outcome: z.string().describe('Why there was no good answer, or why it was left out'),
  ms: z.number().nullable(),
})
export type Delivery = z.output<typeof delivery>

export const listWebhooks = defineEndpoint({
  name: 'webhooks.list',
  method: 'GET',
  path: base,
  access: rule,
  // The address of a receiver often carries its token.
  secret: true,
  input: z.object({}),
  output: z.object({ rows: z.array(webhook) }),
  summary: 'Addresses that hear of what happens',
})
export const listEvents = defineEndpoint({
  name: 'webhooks.events',
  method: 'GET',
  path: `${base}/events`,
  access: rule,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        name: z.string(),
        thing: z.string(),
        see: z.string().describe('The call that answers the thing'),
        thin: z.record(z.string(), z.any()),
        full: z.record(z.string(), z.any()),
      }),
    ),
  }),
  summary: 'Every event there is, with an example of what is sent',
})
export type EventRow = z.output<typeof listEvents.output>['rows'][number]
export const getEvent = defineEndpoint({
  name: 'webhooks.event',
  method: 'GET',
  path: '/api4/invoice/webhookevents/{eventId}',
  access: rule,
  // A whole thing has links for signing among what it says.
  secret: true,
  input: z.object({ eventId: z.uuid(), payload: z.enum(['thin', 'full']).default('thin') }),
  output: z.object({
    id: z.string().describe('The webhook-id of its notices'),
    type: z.string(),
    apiVersion: z.string(),
    timestamp: z.string(),
    data: z.record(z.string(), z.any()).describe('As a notice of it says'),
  }),
  summary: 'One event of the last 90 days, as a notice of it says today',
  about:
    'For programs that were sent only the id of an event, or doubt a notice: the thing is read with the rights of this key.',
  errors: ['kit.notFound'],
})
export const createWebhook = defineEndpoint({
  name: 'webhooks.create',
  method: 'POST',
  path: base,
  access: rule,
  input: given,
  output: z.object({ webhook, secret: z.string() }),
  summary: 'Adds an address; its secret is told here and never again',
  errors: [
    'webhooks.tooMany',
    'webhooks.noSums',
    'webhooks.badAddress',
    'webhooks.privateAddress',
    'webhooks.unknownEvent',
    'webhooks.unknownField',
    'webhooks.twice',
  ],
})
export const changeWebhook = defineEndpoint({
  name: 'webhooks.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: rule,
  input: change.extend({ id: z.uuid(), on: z.boolean().optional().describe('Turns it off, or on again') }),
  output: webhook,
  summary: 'Changes an address, or turns it on and off; it has the rights of whoever changed it last',
  errors: [
    'kit.notFound',
    'webhooks.ofPayments',
    'webhooks.noSums',
    'webhooks.badAddress',
    'webhooks.privateAddress',
    'webhooks.unknownEvent',
    'webhooks.unknownField',
    'webhooks.twice',
  ],
})
export const dropWebhook = defineEndpoint({
  name: 'webhooks.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: rule,
  input: byId,
  output: done,
  summary: 'Ends an address at once; what waits for it is not sent',
  errors: ['kit.notFound'],
})
export const rotateSecret = defineEndpoint({
  name: 'webhooks.rotate',
  method: 'POST',
  path: `${base}/{id}/rotate`,
  access: rule,
  input: z.strictObject({
    id: z.uuid(),
    overlapHours: z
      .number()
      .int()
      .min(0, { error: 'fields.range' })
      .max(168, { error: 'fields.range' })
      .default(24),
  }),
  output: z.object({ webhook, secret: z.string() }),
  summary: 'A new secret; the one before signs beside it for some hours',
  errors: ['kit.notFound'],
})
export const testWebhook = defineEndpoint({
  name: 'webhooks.test',
  method: 'POST',
  path: `${base}/{id}/test`,
  access: rule,
  input: byId,
  output: z.object({ eventId: z.string() }),
  summary: 'Sends webhook.test to an address, whatever events it chose',
  errors: ['kit.notFound', 'webhooks.isOff'],
})
export const listDeliveries = defineEndpoint({
  name: 'webhooks.deliveries',
  method: 'GET',
  path: `${base}/{id}/deliveries`,
  access: rule,
  input: z.object({ id: z.uuid(), state: z.enum(deliveryStates).optional(), before: z.uuid().optional() }),
  output: z.object({ rows: z.array(delivery), before: z.string().nullable().describe('For the next page') }),
  summary: 'What was sent to an address in the last 90 days, newest first',
  errors: ['kit.notFound'],
})
export const getDelivery = defineEndpoint({
  name: 'webhooks.delivery',
  method: 'GET',
  path: `${base}/{id}/deliveries/{eventId}`,
  access: rule,
  // The body says all that its receiver may know, links for signing among it.
  secret: true,
  input: z.object({ id: z.uuid(), eventId: z.uuid() }),
  output: delivery.extend({
    body: z.string().nullable().describe('As it was sent last'),
    log: z.array(
      z.object({
        no: z.number(),
        at: z.string(),
        ms: z.number(),
        statusCode: z.number().nullable(),
        outcome: z.string(),
        answer: z.string().describe('The beginning of the answer'),
      }),
    ),
  }),
  summary: 'One event at one address: what was sent, each try and its answer',
  errors: ['kit.notFound'],
})
export const resend = defineEndpoint({
  name: 'webhooks.resend',
  method: 'POST',
  path: `${base}/{id}/resend`,
  access: rule,
  input: z.strictObject({
    id: z.uuid(),
    eventId: z.uuid().optional().describe('This one'),
    since: z.iso
      .datetime({ offset: true, error: 'fields.text' })
      .optional()
      .describe('All since then, at most 90 days back'),
    failedOnly: z.boolean().default(false).describe('Only what did not arrive'),
  }),
  output: z.object({ count: z.number() }),
  summary: 'Sends again: one event, or all since a time; each keeps its webhook-id',
  errors: ['kit.notFound', 'webhooks.isOff'],
})
