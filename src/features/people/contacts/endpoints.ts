import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const settings = z.object({
  address: z.string().nullable().describe('Letters forwarded to it are filed by their sender'),
  mailOn: z.boolean(),
  receiving: z.boolean().describe('Whether this installation takes letters'),
  archiveMonths: z.number().nullable().describe('What is older goes to the archive by itself'),
})
export const contactSettings = defineEndpoint({
  name: 'interactions.settings',
  method: 'GET',
  path: '/api4/invoice/interactions/settings',
  access: { rule: 'contacts.settings' },
  input: z.object({}),
  output: settings,
  summary: 'The address letters are forwarded to, and when contacts go to the archive',
})
export const changeContactSettings = defineEndpoint({
  name: 'interactions.setSettings',
  method: 'PUT',
  path: '/api4/invoice/interactions/settings',
  access: { rule: 'contacts.settings' },
  input: z.strictObject({
    mailOn: z.boolean().optional(),
    renew: z.boolean().default(false).describe('A new address; the one before ends'),
    archiveMonths: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(120, { error: 'fields.range' })
      .nullable()
      .optional(),
  }),
  output: settings,
  summary: 'Changes them',
})

export const timelineKinds = ['paper', 'money', 'letter', 'task', 'contact'] as const
export type TimelineKind = (typeof timelineKinds)[number]
const entry = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(timelineKinds),
  what: z
    .string()
    .describe(
      'Type of a document, means of a payment or charge for one that failed, channel of a contact, kind of a letter',
    ),
  title: z.string(),
  text: z.string(),
  number: z.number().nullable(),
  state: z.string(),
  direction: z.string(),
  currency: z.string().nullable(),
  totalAgorot: z.number().nullable(),
  day: z.string().nullable(),
  by: z.string().nullable(),
})
export type TimelineEntry = z.output<typeof entry>
export const timeline = defineEndpoint({
  name: 'interactions.timeline',
  method: 'GET',
  path: '/api4/invoice/timeline',
  access: { rule: 'contacts.see' },
  input: z.object({
    customerId: z.uuid().optional(),
    leadId: z.uuid().optional(),
    kinds: z.string().max(60).optional().describe('Of paper, money, letter, task, contact; with commas'),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ rows: z.array(entry), nextCursor: z.string().nullable() }),
  summary:
    'Everything between the business and a customer or lead, newest first: papers, money, letters, tasks, contacts',
  errors: ['kit.notFound'],
})
