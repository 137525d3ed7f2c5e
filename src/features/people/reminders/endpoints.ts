import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, languageValue, moneyValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/reminders'

const words = z.strictObject({
  subject: z.string().trim().max(200, { error: 'fields.tooLong' }),
  text: z.string().trim().max(4000, { error: 'fields.tooLong' }),
})
const step = z.strictObject({
  /** After the due day; negative is before it. */
  days: z
    .number({ error: 'fields.need' })
    .int()
    .min(-60, { error: 'fields.range' })
    .max(365, { error: 'fields.range' }),
  /** The business's own words by language; where there are none the ready ones are said. */
  texts: z.partialRecord(languageValue, words).default({}),
})
export type Step = z.output<typeof step>

const plan = {
  isOn: z.boolean(),
  /** In Jerusalem. */
  hour: z.number().int().min(7, { error: 'fields.range' }).max(20, { error: 'fields.range' }),
  weekends: z.boolean(),
  leastAgorot: moneyValue.min(0, { error: 'fields.range' }),
  /** Only customers of these types; all when empty. */
  typeIds: z.array(z.uuid()).max(100, { error: 'fields.range' }),
  steps: z.array(step).max(10, { error: 'fields.range' }),
}
export const planInput = z.strictObject(plan)
export type Plan = z.output<typeof planInput>

const document = z.object({
  id: z.string(),
  type: z.number(),
  number: z.number(),
  /** Of a debt from before the books began here: its number of the time. */
  opening: z.string().nullable(),
  dueDay: z.string(),
  currency: z.string(),
  openInCurrencyAgorot: z.number(),
})
const letter = z.object({
  customerId: z.string(),
  customer: z.string(),
  language: languageValue,
  days: z.number(),
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  openAgorot: z.number(),
  documents: z.array(document),
  /** paused: by a person; noMail: nowhere to send it. */
  state: z.enum(['send', 'paused', 'noMail']),
})
export type ReminderLetter = z.output<typeof letter>

export const getReminders = defineEndpoint({
  name: 'reminders.plan',
  method: 'GET',
  path: base,
  access: { rule: 'reminders.change' },
  input: z.object({}),
  output: z.object({ ...plan, nextAt: z.string().nullable() }),
  summary: 'When and in which words open debts are reminded of',
})
export const changeReminders = defineEndpoint({
  name: 'reminders.change',
  method: 'PUT',
  path: base,
  access: { rule: 'reminders.change' },
  input: planInput,
  output: z.object({ ...plan, nextAt: z.string().nullable() }),
  summary: 'Sets reminders, and switches them on or off',
  errors: ['reminders.sameDays', 'reminders.noSteps'],
})
export const previewReminders = defineEndpoint({
  name: 'reminders.preview',
  method: 'POST',
  path: `${base}/preview`,
  access: { rule: 'reminders.change' },
  input: planInput.partial(),
  output: z.object({ day: z.string(), rows: z.array(letter) }),
  summary: 'What would be sent on the next day of sending, by the plan as it is or as it is given',
  reads: true,
})
export const remindersOfCustomer = defineEndpoint({
  name: 'reminders.ofCustomer',
  method: 'GET',
  path: '/api4/invoice/customers/{id}/reminders',
  access: { rule: 'reports.debts' },
  input: z.object({ id: z.uuid() }),
  output: z.object({
    isOn: z.boolean(),
    paused: z.boolean(),
    until: z.string().nullable(),
    rows: z.array(
      z.object({
        day: z.string(),
        days: z.number(),
        recipient: z.string(),
        state: z.string(),
        openedAt: z.string().nullable(),
        documents: z.array(
          z.object({
            id: z.string(),
            type: z.number(),
            number: z.number().nullable(),
            opening: z.string().nullable(),
          }),
        ),
        openAgorot: z.number(),
      }),
    ),
  }),
  summary: 'Which reminders a customer got, and whether they rest',
  errors: ['kit.notFound'],
})
export const pauseReminders = defineEndpoint({
  name: 'reminders.pause',
  method: 'PUT',
  path: '/api4/invoice/customers/{id}/reminders',
  access: { rule: 'reminders.change' },
  input: z.strictObject({ id: z.uuid(), paused: z.boolean(), until: dayValue.nullish() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Lets the reminders of a customer rest, until a day or for good, or go on',
  errors: ['kit.notFound'],
})
