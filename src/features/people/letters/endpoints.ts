import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, languageValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { askErrors, askValues } from '#features/sales/signing/shapes.ts'
import { letterStates } from './letters.ts'

const base = '/api4/invoice/letters'
const byId = z.object({ id: z.uuid() })
const see = { rule: 'letters.see' }
const change = { rule: 'letters.change' }

const content = {
  title: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
  /** With fields such as {customer.name} in it; src/domain/letters/merge.ts names them all. */
  body: z.string().max(20_000, { error: 'fields.tooLong' }).default(''),
  /** null: each customer's own. */
  language: languageValue.nullable().default(null),
  /** An issued document the letter is about; of the one customer it goes to. */
  documentId: z.uuid().nullable().default(null),
  /** The signature of the business by hand is printed, while there is one and it is switched on. */
  signed: z.boolean().default(true),
}
const draft = { ...content, customerIds: z.array(z.uuid()).max(200, { error: 'fields.range' }).default([]) }
export const draftInput = z.strictObject(draft)
export type LetterDraft = z.output<typeof draftInput>

const answer = z.object({
  id: z.string(),
  status: z.enum(['draft', 'sent']),
  state: z.enum(letterStates),
  title: z.string(),
  body: z.string(),
  language: languageValue.nullable(),
  signed: z.boolean(),
  day: z.string().nullable(),
  sentAt: z.string().nullable(),
  updatedAt: z.string(),
  customers: z.array(
    z.object({ id: z.string(), name: z.string(), email: z.string().nullable(), language: languageValue }),
  ),
  document: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
  /** The customer's page; null for a draft, a printed letter and letters from before there were pages. */
  url: z.string().nullable(),
  /** To whom it was mailed and what became of that, newest first. */
  messages: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      recipient: z.string(),
      state: z.string(),
      error: z.string().nullable(),
      openedAt: z.string().nullable(),
    }),
  ),
})
export type LetterAnswer = z.output<typeof answer>

export const getLetter = defineEndpoint({
  name: 'letters.text',
  method: 'GET',
  path: `${base}/{id}/text`,
  access: see,
  input: byId,
  output: answer,
  summary: 'A letter with its text: a draft with its fields, a letter sent as it was sent',
  errors: ['kit.notFound'],
})
export const makeLetter = defineEndpoint({
  name: 'letters.make',
  method: 'POST',
  path: base,
  access: change,
  forDrafts: true,
  input: draftInput,
  output: answer,
  summary: 'Begins a letter as a draft',
  errors: ['kit.notFound'],
})
export const changeLetter = defineEndpoint({
  name: 'letters.change',
  method: 'PUT',
  path: `${base}/{id}`,
  access: change,
  forDrafts: true,
  input: draftInput.extend({ id: z.uuid() }),
  output: answer,
  summary: 'Changes the draft of a letter',
  errors: ['kit.notFound', 'letters.isSent'],
})
export const dropLetter = defineEndpoint({
  name: 'letters.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: change,
  forDrafts: true,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Throws the draft of a letter away',
  errors: ['kit.notFound', 'letters.isSent'],
})
export const previewLetter = defineEndpoint({
  name: 'letters.preview',
  method: 'POST',
  path: `${base}/preview`,
  access: see,
  reads: true,
  input: z.strictObject({ ...content, customerId: z.uuid().nullable().default(null) }),
  output: z.object({
    pages: z.array(z.string()),
    /** Fields nobody knows, as they were typed. */
    unknown: z.array(z.string()),
    /** Fields that stay empty for this customer. */
    empty: z.array(z.string()),
  }),
  summary: 'How a letter would look to one customer, as SVG pages of the real paper',
  errors: ['kit.notFound'],
})
export const picturesOfLetter = defineEndpoint({
  name: 'letters.pictures',
  method: 'GET',
  path: `${base}/{id}/pictures`,
  access: see,
  input: byId.extend({ customerId: z.uuid().optional() }),
  output: z.object({ pages: z.array(z.string()) }),
  summary: 'The pages of a letter: as it was sent, or the draft as one of its customers would get it',
  errors: ['kit.notFound'],
})
export const pdfOfLetter = defineEndpoint({
  name: 'letters.pdf',
  method: 'GET',
  path: `${base}/{id}/pdf`,
  access: see,
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The sealed PDF of a letter that was sent: always the same bytes',
  errors: ['kit.notFound', 'letters.stillDraft'],
})
export const dispatchLetter = defineEndpoint({
  name: 'letters.dispatch',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    /** print: sealed and kept as sent, to be printed and posted. */
    way: z.enum(['mail', 'print'], { error: 'fields.choice' }).default('mail'),
    /** In place of the mail in the register; for one customer. */
    to: z.preprocess((v) => (v === '' ? undefined : v), emailValue.optional()),
  }),
  output: z.object({
    sent: z.array(z.string()),
    /** Who has no mail; the draft stays for them. */
    without: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  summary:
    'Sends a letter to its customers, each in his language with his own details, sealed and kept for ever',
  errors: [
    'kit.notFound',
    'letters.isSent',
    'letters.nobody',
    'letters.empty',
    'letters.unknownField',
    'letters.needsDocument',
    'letters.documentOfAnother',
  ],
})

export const signLetter = defineEndpoint({
  name: 'letters.sign',
  method: 'POST',
  path: `${base}/{id}/sign`,
  makes: { see: 'signRequests.get' },
  access: change,
  input: z.strictObject({ id: z.uuid(), ...askValues }),
  output: z.object({ id: z.string() }),
  summary: 'Sends a letter to be signed by whom it was written to, with a page of approval behind it',
  errors: [...askErrors, 'letters.stillDraft'],
})

const byKey = z.object({ key: z.string().max(100) })
/** The customer's page: the key in the address is the right. */
export const pageOfLetter = defineEndpoint({
  name: 'letters.page',
  method: 'GET',
  path: '/api2/invoice/letter/{key}',
  access: 'key',
  input: byKey,
  output: z.object({
    ...faceFields,
    title: z.string(),
    customer: z.string(),
    day: z.string(),
    language: languageValue,
    pages: z.array(z.string()),
  }),
  summary: 'A letter on its customer’s page',
  errors: ['kit.notFound'],
})
export const pagePdfOfLetter = defineEndpoint({
  name: 'letters.pagePdf',
  method: 'GET',
  path: '/api2/invoice/letter/{key}/pdf',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The sealed letter for its customer: the bytes that were mailed',
  errors: ['kit.notFound'],
})
export const pageLogoOfLetter = defineEndpoint({
  name: 'letters.pageLogo',
  method: 'GET',
  path: '/api2/invoice/letter/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on the page of a letter',
  errors: ['kit.notFound'],
})
