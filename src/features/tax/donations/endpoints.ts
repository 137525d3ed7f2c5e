import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { authorityConnection } from '#features/tax/allocation/endpoints.ts'
import { reportStates } from './donations.ts'

const base = '/api4/invoice/taxdonation'
const change = { rule: 'donations.change' } as const
const byId = z.object({ id: z.uuid() })

export type Connection = z.output<typeof authorityConnection>

export const getConnection = defineEndpoint({
  name: 'donations.connection',
  method: 'GET',
  path: base,
  access: change,
  input: z.object({}),
  output: authorityConnection,
  summary:
    'How the business stands with Donations Israel: connected, until when, and how many donations wait for their number',
})
export const connect = defineEndpoint({
  name: 'donations.connect',
  method: 'POST',
  path: `${base}/connect`,
  access: change,
  input: z.object({}),
  output: z.object({ url: z.string() }),
  summary: 'Begins a log-in; answers the address to go to',
  errors: ['donations.off'],
})
export const returned = defineEndpoint({
  name: 'donations.returned',
  method: 'POST',
  path: `${base}/return`,
  access: change,
  input: z.strictObject({ code: z.string().min(1).max(4000), state: z.string().min(1).max(200) }),
  output: authorityConnection,
  summary: 'Ends the log-in with what the authority sent back',
  errors: ['donations.off', 'donations.loginRefused', 'donations.away'],
  throttle: 30,
})
export const renew = defineEndpoint({
  name: 'donations.renew',
  method: 'POST',
  path: `${base}/renew`,
  access: change,
  input: z.object({}),
  output: authorityConnection,
  summary: 'Asks for a fresh token now',
  errors: ['donations.off', 'donations.notConnected', 'donations.ended', 'donations.away'],
})
export const revoke = defineEndpoint({
  name: 'donations.revoke',
  method: 'POST',
  path: `${base}/revoke`,
  access: change,
  input: z.object({}),
  output: authorityConnection,
  summary: 'Ends the connection and forgets its tokens',
})

const row = z.object({
  id: z.string(),
  number: z.number(),
  day: z.string(),
  donor: z.string(),
  sumAgorot: z.number().optional(),
  /** Takes another donation back. */
  cancels: z.boolean(),
  anonymous: z.boolean(),
  state: z.enum(reportStates),
  reason: z.string(),
  message: z.string(),
  tries: z.number(),
  nextAt: z.string().nullable(),
  reportNumber: z.string().nullable(),
})
export type DonationRow = z.output<typeof row>

export const listDonations = defineEndpoint({
  name: 'donations.list',
  method: 'GET',
  path: `${base}/receipts`,
  access: change,
  input: z.object({ view: z.enum(['open', 'refused', 'all']).default('open') }),
  output: z.object({
    rows: z.array(row),
    counts: z.object({ open: z.number(), refused: z.number(), all: z.number() }),
  }),
  summary: 'Receipts for donations, and how their report stands',
})
export const askDonation = defineEndpoint({
  name: 'donations.ask',
  method: 'POST',
  path: `${base}/receipts/{id}/ask`,
  access: change,
  input: byId,
  output: z.object({
    state: z.enum(reportStates),
    number: z.string().nullable(),
    reason: z.string(),
    message: z.string(),
  }),
  summary: 'Reports one donation now',
  errors: [
    'kit.notFound',
    'donations.notWaiting',
    'donations.beingAsked',
    'donations.off',
    'donations.notConnected',
    'donations.ended',
  ],
})
export const askAllDonations = defineEndpoint({
  name: 'donations.askAll',
  method: 'POST',
  path: `${base}/ask`,
  access: change,
  input: z.object({}),
  output: z.object({ asked: z.number() }),
  summary: 'Reports everything that waits, behind the answer',
  errors: ['donations.off', 'donations.notConnected', 'donations.ended', 'donations.nothingToAsk'],
})
export const donationNotNeeded = defineEndpoint({
  name: 'donations.notNeeded',
  method: 'POST',
  path: `${base}/receipts/{id}/notneeded`,
  access: change,
  input: byId.extend({
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
  }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Says that a receipt needs no report, with the reason',
  errors: ['kit.notFound', 'donations.notWaiting'],
})
