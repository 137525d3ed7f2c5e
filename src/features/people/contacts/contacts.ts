import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, longText, moment, ref, text } from '#kit/fields/field.ts'

export const channels = ['call', 'mail', 'meeting', 'whatsApp', 'sms', 'form', 'note'] as const
export type Channel = (typeof channels)[number]

/** Somebody spoke with a customer or a lead: when, how, what came of it and what comes next. */
export const interactions = defineResource({
  name: 'interactions',
  table: 'interactions',
  title: 'text',
  hint: 'outcome',
  fields: {
    customerId: ref('customers'),
    leadId: ref('leads'),
    channel: choice(channels, { need: true, start: 'call' }),
    direction: choice(['out', 'in'], { start: 'out' }),
    at: moment({ computed: true }),
    text: longText({ max: 20_000 }),
    outcome: text({ max: 200 }),
    nextText: text({ max: 200 }),
    nextDay: day(),
    byId: ref('agents', { computed: true, column: 'by_user' }),
    sender: text({ computed: true }),
  },
  list: {
    columns: ['at', 'customerId', 'leadId', 'channel', 'text', 'outcome', 'nextDay', 'byId'],
    filters: ['at', 'channel', 'direction', 'customerId', 'leadId', 'byId', 'nextDay'],
    sort: ['at', 'desc'],
  },
  form: [
    { section: 'what', fields: ['customerId', 'leadId', 'channel', 'direction', 'text', 'outcome'] },
    { section: 'next', fields: ['nextText', 'nextDay'] },
  ],
  allow: { see: 'contacts.see', change: 'contacts.change' },
  screens: { list: '/invoice/interactions', form: '/invoice/interactions' },
})

export type Interaction = Row<typeof interactions>
