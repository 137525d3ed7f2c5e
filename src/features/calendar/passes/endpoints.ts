import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, moneyValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/passes'
const see = { rule: 'passes.see' }
const change = { rule: 'passes.change' }
const byId = z.object({ id: z.uuid() })

export const passStates = ['ahead', 'active', 'frozen', 'unpaid', 'ended'] as const
export const passShape = z.object({
  id: z.string(),
  kindId: z.string(),
  kindName: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  visits: z.number().nullable().describe('Bought; null where there is no limit'),
  left: z.number().nullable(),
  priceAgorot: z.number().nullable(),
  fromDay: z.string(),
  toDay: z.string().describe('With the days it was frozen'),
  state: z.enum(passStates),
  frozenDays: z.number(),
  freezeDays: z.number().describe('May be frozen so long in all'),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  documentId: z.string().nullable(),
  documentType: z.number().nullable(),
  orderId: z.string().nullable().describe('The standing order that brought it'),
})
export type PassView = z.output<typeof passShape>

const renewal = z.object({
  orderId: z.string().describe('The standing order'),
  kindId: z.string(),
  kindName: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  state: z.enum(['active', 'paused', 'failing', 'held', 'ended', 'cancelled']),
  nextDay: z.string().nullable().describe('The day of its next charge'),
  sumAgorot: z.number().nullable().describe('What its next charge comes to'),
})
export type PassRenewal = z.output<typeof renewal>

export const listPasses = defineEndpoint({
  name: 'passes.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({
    customerId: z.uuid().optional(),
    state: z.enum(['running', 'ending', 'ended']).optional(),
  }),
  output: z.object({
    rows: z.array(passShape),
    renewals: z.array(renewal).describe('Standing orders that bring passes and have not ended'),
  }),
  summary: 'Passes, those that end first first; of one customer those he may use, too',
})
export const getPass = defineEndpoint({
  name: 'passes.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: byId,
  output: z.object({
    row: passShape,
    moves: z.array(
      z.object({
        at: z.string(),
        visits: z.number(),
        why: z.string(),
        note: z.string(),
        by: z.string().nullable(),
        className: z.string().nullable(),
        classDay: z.string().nullable(),
      }),
    ),
    freezes: z.array(z.object({ id: z.string(), fromDay: z.string(), toDay: z.string() })),
  }),
  summary: 'One pass with every visit in and out',
  errors: ['kit.notFound'],
})
/** What is bought, by whom and from when, at once or again with each period. */
const bought = {
  kindId: z.uuid({ error: 'fields.need' }),
  customerId: z.uuid({ error: 'fields.need' }),
  fromDay: dayValue.optional().describe('Today without it'),
  people: z.array(z.uuid()).max(20).default([]).describe('Who may use it besides'),
}
export const sellPass = defineEndpoint({
  name: 'passes.sell',
  method: 'POST',
  path: base,
  access: change,
  input: z.strictObject({
    ...bought,
    priceAgorot: moneyValue
      .min(0, { error: 'fields.range' })
      .max(100_000_000, { error: 'fields.range' })
      .optional()
      .describe('As its kind says without it'),
    paper: z.boolean().default(true).describe('Leaves a draft of its invoice receipt'),
  }),
  output: passShape,
  summary: 'Sells a pass, and leaves the draft of its paper',
  errors: ['fields.ref', 'passes.tooMany', 'passes.trialOnce'],
})
export const renewPass = defineEndpoint({
  name: 'passes.renew',
  method: 'POST',
  path: `${base}/renewals`,
  access: change,
  input: z.strictObject({
    ...bought,
    priceAgorot: moneyValue
      .min(1, { error: 'fields.range' })
      .max(100_000_000, { error: 'fields.range' })
      .optional()
      .describe('Of each period; as its kind says without it'),
    cardId: z
      .uuid()
      .nullish()
      .describe('The usual card of the customer without it; he is asked for one where he has none'),
  }),
  output: renewal,
  summary: 'Begins a standing order that brings a pass anew with each charge that was paid',
  errors: [
    'fields.ref',
    'passes.tooMany',
    'passes.notRenewed',
    'passes.renewsAlready',
    'session.forbidden',
    'standingOrders.noCard',
  ],
})
export const freezePass = defineEndpoint({
  name: 'passes.freeze',
  method: 'POST',
  path: `${base}/{id}/freezes`,
  access: change,
  input: z.strictObject({ id: z.uuid(), fromDay: dayValue, toDay: dayValue }),
  output: passShape,
  summary: 'Freezes a pass for some days: it lasts so much longer',
  errors: ['kit.notFound', 'passes.isEnded', 'passes.frozenVisit', 'passes.freezeTooLong'],
})
export const unfreezePass = defineEndpoint({
  name: 'passes.unfreeze',
  method: 'DELETE',
  path: `${base}/{id}/freezes/{freezeId}`,
  access: change,
  input: z.object({ id: z.uuid(), freezeId: z.uuid() }),
  output: passShape,
  summary: 'A freeze that is none',
  errors: ['kit.notFound'],
})
export const fixPass = defineEndpoint({
  name: 'passes.fix',
  method: 'POST',
  path: `${base}/{id}/fix`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    visits: z
      .number()
      .int({ error: 'fields.number' })
      .min(-1000, { error: 'fields.range' })
      .max(1000, { error: 'fields.range' }),
    note: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
  }),
  output: passShape,
  summary: 'Adds or takes visits by hand, with the reason',
  errors: ['kit.notFound', 'passes.noneLeft', 'passes.isEnded'],
})
export const endPass = defineEndpoint({
  name: 'passes.end',
  method: 'POST',
  path: `${base}/{id}/end`,
  access: change,
  input: byId,
  output: passShape,
  summary: 'Ends a pass; what was booked with it stays booked',
  errors: ['kit.notFound', 'passes.isEnded'],
})
