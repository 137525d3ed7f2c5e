import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue } from '#kit/fields/schema.ts'

export const pestCertificate = defineEndpoint({
  name: 'pest.certificate',
  method: 'GET',
  path: '/api4/invoice/pesttreatments/{id}/certificate',
  access: { rule: 'pest.see' },
  file: true,
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  summary: 'The sealed certificate of a treatment: always the same bytes',
  errors: ['kit.notFound'],
})

const one = '/api4/invoice/pesttreatments/{id}'
const text = z.string().max(2000, { error: 'fields.tooLong' }).optional()
const ready = z.object({
  customerId: z.string(),
  mail: z.string(),
  phone: z.string(),
  isMailKept: z
    .boolean()
    .describe('The customer’s mail is known and kept from whoever asks; without an address it goes there'),
  subject: z.string(),
  text: z.string(),
})
export const pestSending = defineEndpoint({
  name: 'pest.sending',
  method: 'GET',
  path: `${one}/sending`,
  access: { rule: 'pest.change' },
  input: z.object({ id: z.uuid() }),
  output: ready,
  summary: 'To whom and in which words a certificate would be sent',
  errors: ['kit.notFound'],
})
export const sendPest = defineEndpoint({
  name: 'pest.send',
  method: 'POST',
  path: `${one}/send`,
  access: { rule: 'pest.change' },
  input: z.strictObject({ id: z.uuid(), to: emailValue.optional(), text }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Mails the sealed certificate of a treatment',
  errors: ['kit.notFound'],
})
export const whatsAppPest = defineEndpoint({
  name: 'pest.whatsApp',
  method: 'POST',
  path: `${one}/whatsapp`,
  access: { rule: 'pest.change' },
  input: z.strictObject({
    id: z.uuid(),
    to: z.string().trim().max(30, { error: 'fields.tooLong' }).default(''),
    text,
  }),
  output: z.object({ url: z.string() }),
  summary: 'The address at which WhatsApp opens with the link of a certificate; that it was sent is noted',
  errors: ['kit.notFound'],
})
const site = '/api4/invoice/pestsites/{id}'
export const pestReminding = defineEndpoint({
  name: 'pest.reminding',
  method: 'GET',
  path: `${site}/reminding`,
  access: { rule: 'pest.change' },
  input: z.object({ id: z.uuid() }),
  output: ready,
  summary: 'To whom and in which words the next visit at a site would be reminded of',
  errors: ['kit.notFound', 'pest.noVisit'],
})
export const remindPest = defineEndpoint({
  name: 'pest.remind',
  method: 'POST',
  path: `${site}/remind`,
  access: { rule: 'pest.change' },
  input: z.strictObject({ id: z.uuid(), to: emailValue.optional(), text }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Mails the customer of a site about the next visit there',
  errors: ['kit.notFound', 'pest.noVisit'],
})
export const whatsAppRemindPest = defineEndpoint({
  name: 'pest.remindWhatsApp',
  method: 'POST',
  path: `${site}/remindwhatsapp`,
  access: { rule: 'pest.change' },
  input: z.strictObject({
    id: z.uuid(),
    to: z.string().trim().max(30, { error: 'fields.tooLong' }).default(''),
    text,
  }),
  output: z.object({ url: z.string() }),
  summary:
    'The address at which WhatsApp opens with the reminder of the next visit; that it was sent is noted',
  errors: ['kit.notFound', 'pest.noVisit'],
})
export const openPest = defineEndpoint({
  name: 'pest.open',
  method: 'GET',
  path: '/api2/invoice/pestcertificate/{key}',
  access: 'open',
  file: true,
  input: z.object({ key: z.string().max(100) }),
  output: z.any(),
  summary: 'The sealed certificate of a treatment, for whoever was sent its link',
  errors: ['kit.notFound'],
})
