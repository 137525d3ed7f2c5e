import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, emailValue, languageValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { askErrors, askValues } from '#features/sales/signing/shapes.ts'
import { outsideStates } from './outsideDocuments.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/outsideDocuments'
const byId = z.object({ id: z.uuid() })
const see = { rule: 'outside.see' }
const change = { rule: 'outside.change' }
/** Of the PDF that is brought in. */
export const maxOutsideBytes = 15 * 1024 * 1024

const answer = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string(),
  customer: z
    .object({ id: z.string(), name: z.string(), email: z.string().nullable(), language: languageValue })
    .nullable(),
  pages: z.number(),
  size: z.number(),
  state: z.enum(outsideStates),
  createdAt: z.string(),
  by: z.string().nullable(),
  sentAt: z.string().nullable(),
  openedAt: z.string().nullable(),
  archivedAt: z.string().nullable(),
  /** The customer's page. */
  url: z.string(),
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
  /** Ready in the customer's language. */
  mail: z.object({ subject: z.string(), text: z.string() }),
})
export type OutsideAnswer = z.output<typeof answer>

export const uploadOutside = defineEndpoint({
  name: 'outsideDocuments.upload',
  method: 'POST',
  path: base,
  access: change,
  upload: { maxBytes: maxOutsideBytes },
  input: z.object({
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    customerId: z.uuid().optional(),
    bytes: bytesValue,
  }),
  output: z.object({ id: z.string() }),
  summary: 'Takes in a PDF from elsewhere and seals it; scripts, locks and what cannot be opened are refused',
  errors: [
    'outside.notPdf',
    'outside.broken',
    'outside.locked',
    'outside.active',
    'outside.tooLong',
    'outside.signedElsewhere',
    'files.overQuota',
    'kit.notFound',
  ],
})
export const getOutside = defineEndpoint({
  name: 'outsideDocuments.whole',
  method: 'GET',
  path: `${base}/{id}/whole`,
  access: see,
  input: byId,
  output: answer,
  summary: 'A document from elsewhere with what became of it',
  errors: ['kit.notFound'],
})
export const pdfOfOutside = defineEndpoint({
  name: 'outsideDocuments.pdf',
  method: 'GET',
  path: `${base}/{id}/pdf`,
  access: see,
  file: true,
  input: byId,
  output: z.any(),
  summary: 'The sealed PDF: always the same bytes',
  errors: ['kit.notFound'],
})
export const sendOutside = defineEndpoint({
  name: 'outsideDocuments.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    to: emailValue,
    subject: z.string().trim().max(200, { error: 'fields.tooLong' }).optional(),
    text: z.string().trim().max(4000, { error: 'fields.tooLong' }).optional(),
    attach: z.boolean().default(true),
  }),
  output: z.object({ messageId: z.string() }),
  summary: 'Mails the link of the document’s page, with the sealed file or without it',
  errors: ['kit.notFound'],
})

export const signOutside = defineEndpoint({
  name: 'outsideDocuments.sign',
  method: 'POST',
  path: `${base}/{id}/sign`,
  makes: { see: 'signRequests.get' },
  access: change,
  input: z.strictObject({ id: z.uuid(), ...askValues }),
  output: z.object({ id: z.string() }),
  summary: 'Sends a document from elsewhere to be signed as it is, with a page of approval behind it',
  errors: askErrors,
})
export const templateOfOutside = defineEndpoint({
  name: 'outsideDocuments.template',
  method: 'POST',
  path: `${base}/{id}/template`,
  makes: { see: 'signTemplates.get' },
  access: { rule: 'signing.templates' },
  input: byId,
  output: z.object({ id: z.string() }),
  summary: 'Makes a signing template of a document from elsewhere, so that fields can be placed on its pages',
  errors: ['kit.notFound', 'files.overQuota'],
})

const byKey = z.object({ key: z.string().max(100) })
export const pageOfOutside = defineEndpoint({
  name: 'outsideDocuments.page',
  method: 'GET',
  path: '/api2/invoice/outside/{key}',
  access: 'key',
  input: byKey,
  output: z.object({
    ...faceFields,
    name: z.string(),
    customer: z.string(),
    day: z.string(),
    language: languageValue,
    pages: z.number(),
    size: z.number(),
  }),
  summary: 'A document from elsewhere on its customer’s page',
  errors: ['kit.notFound'],
})
export const pagePdfOfOutside = defineEndpoint({
  name: 'outsideDocuments.pagePdf',
  method: 'GET',
  path: '/api2/invoice/outside/{key}/pdf',
  access: 'key',
  file: true,
  input: byKey.extend({ inline: queryFlag.optional() }),
  output: z.any(),
  summary: 'The sealed file for the customer',
  errors: ['kit.notFound'],
})
export const pageLogoOfOutside = defineEndpoint({
  name: 'outsideDocuments.pageLogo',
  method: 'GET',
  path: '/api2/invoice/outside/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on the customer’s page',
  errors: ['kit.notFound'],
})
