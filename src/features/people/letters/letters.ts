import { defineResource } from '#kit/describe/resource.ts'
import { choice, language, longText, moment, number, ref, text } from '#kit/fields/field.ts'

/**
 * What became of a letter: written, on its way, waiting for the next day, sent, kept where there is no mail server, opened, refused,
 * given up, or printed instead of mailed.
 */
export const letterStates = [
  'draft',
  'queued',
  'postponed',
  'sent',
  'kept',
  'opened',
  'bounced',
  'failed',
  'printed',
] as const

/** Letters on the business's paper: drafts, and what was sent, one to each customer. */
export const letters = defineResource({
  name: 'letters',
  table: 'letters',
  title: 'title',
  fields: {
    createdAt: moment({ need: true }),
    title: text({ need: true }),
    customerId: ref('customers'),
    /** Of a draft: for how many it is written. */
    addressees: number({ computed: true }),
    documentId: ref('documents'),
    language: language(),
    state: choice(letterStates, { computed: true }),
    sentAt: moment(),
  },
  list: {
    columns: ['createdAt', 'title', 'customerId', 'state', 'sentAt'],
    filters: ['state', 'customerId', 'createdAt', 'language'],
    sort: ['createdAt', 'desc'],
  },
  form: [],
  allow: { see: 'letters.see', change: 'letters.change' },
  screens: {
    list: '/invoice/InvoiceDocumentLetter',
    form: '/invoice/InvoiceDocumentLetter',
    card: '/invoice/previewle/$id',
  },
})

/** Letters to begin from. */
export const letterTemplates = defineResource({
  name: 'letterTemplates',
  table: 'letter_templates',
  title: 'name',
  fields: {
    name: text({ need: true, max: 80 }),
    language: language(),
    title: text({ max: 200 }),
    body: longText({ max: 20_000 }),
  },
  list: { columns: ['name', 'title', 'language'], filters: ['language'], sort: ['name', 'asc'] },
  form: [{ section: 'main', fields: ['name', 'language', 'title', 'body'] }],
  allow: { see: 'letters.see', change: 'letters.change' },
  searchIn: ['name', 'title'],
  unique: ['name'],
  screens: { list: '/invoice/InvoiceDocumentLetter', form: '/invoice/InvoiceDocumentLetter' },
})
