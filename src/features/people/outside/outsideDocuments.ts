import { defineResource } from '#kit/describe/resource.ts'
import { choice, longText, moment, number, ref, text } from '#kit/fields/field.ts'

export const outsideStates = ['uploaded', 'sent', 'opened', 'failed'] as const

/** The state of its signatures by others; nothing where none were requested. */
export const outsideSignStates = ['waiting', 'signed', 'declined', 'ended'] as const

/** External PDFs, sealed with the business's signature; uploading and sending are separate commands. */
export const outsideDocuments = defineResource({
  name: 'outsideDocuments',
  table: 'outside_documents',
  title: 'name',
  fields: {
    createdAt: moment({ need: true }),
    name: text({ need: true, max: 200 }),
    customerId: ref('customers'),
    note: longText({ max: 2000 }),
    pages: number({ computed: true }),
    state: choice(outsideStates, { computed: true }),
    sentAt: moment({ computed: true }),
    openedAt: moment({ computed: true }),
    signState: choice(outsideSignStates, { computed: true }),
    signedAt: moment({ computed: true }),
  },
  list: {
    columns: ['createdAt', 'name', 'customerId', 'state', 'sentAt', 'openedAt', 'signState'],
    filters: ['state', 'signState', 'customerId', 'createdAt', 'signedAt'],
    sort: ['createdAt', 'desc'],
  },
  form: [{ section: 'main', fields: ['name', 'customerId', 'note'] }],
  allow: { see: 'outside.see', change: 'outside.change' },
  searchIn: ['name'],
  screens: {
    list: '/invoice/documentsoutside',
    form: '/invoice/documentsoutside',
    card: '/invoice/documentoutside/$id',
  },
})
