import { defineResource } from '#kit/describe/resource.ts'
import { choice, flag, longText, moment, money, number, ref, text } from '#kit/fields/field.ts'

/**
 * A paper with its fields, to be sent as often as one likes; file and fields are changed by commands of their
 * own.
 */
export const signTemplates = defineResource({
  name: 'signTemplates',
  table: 'sign_templates',
  title: 'name',
  fields: {
    createdAt: moment({ need: true }),
    name: text({ need: true, max: 200 }),
    note: longText({ max: 2000, start: '' }),
    pages: number({ computed: true }),
    fields: number({ computed: true }),
    version: number({ computed: true }),
    isOpen: flag({ computed: true }),
    sent: number({ computed: true }),
    signed: number({ computed: true }),
  },
  list: {
    columns: ['name', 'pages', 'fields', 'version', 'sent', 'signed', 'isOpen', 'createdAt'],
    filters: ['isOpen', 'createdAt'],
    sort: ['createdAt', 'desc'],
  },
  form: [{ section: 'main', fields: ['name', 'note'] }],
  allow: { see: 'signing.see', change: 'signing.templates' },
  searchIn: ['name', 'note'],
  screens: {
    list: '/invoice/signtemplates',
    form: '/invoice/signtemplates',
    card: '/invoice/signtemplate/$id',
  },
})

export const requestStates = [
  'sent',
  'inProgress',
  'sealing',
  'done',
  'declined',
  'expired',
  'recalled',
] as const
export type RequestState = (typeof requestStates)[number]

/** Papers that were sent to be signed. */
export const signRequests = defineResource({
  name: 'signRequests',
  table: 'sign_requests',
  title: 'name',
  fields: {
    sentAt: moment({ need: true }),
    name: text({ need: true, max: 200 }),
    templateId: ref('signTemplates'),
    customerId: ref('customers'),
    state: choice(requestStates, { computed: true }),
    signers: text({ computed: true }),
    signedCount: number({ computed: true }),
    signerCount: number({ computed: true }),
    openedAt: moment({ computed: true }),
    expiresAt: moment({ computed: true }),
    endedAt: moment({ computed: true }),
    sumAgorot: money({ computed: true }),
    sender: text({ computed: true }),
  },
  list: {
    columns: ['name', 'signers', 'state', 'sentAt', 'expiresAt', 'endedAt'],
    filters: ['state', 'templateId', 'customerId', 'sentAt'],
    sort: ['sentAt', 'desc'],
  },
  form: [],
  allow: { see: 'signing.see', change: 'signing.send' },
  searchIn: ['name'],
  screens: { list: '/invoice/signrequests', form: '/invoice/signrequests', card: '/invoice/signrequest/$id' },
})

/** Groups of signers, saved under a name; its people are changed by a separate command. */
export const signGroups = defineResource({
  name: 'signGroups',
  table: 'sign_groups',
  title: 'name',
  fields: {
    name: text({ need: true, max: 120 }),
    members: text({ computed: true }),
    inTurn: flag({ computed: true }),
    count: number({ computed: true }),
    createdAt: moment({ need: true }),
  },
  list: {
    columns: ['name', 'members', 'inTurn', 'count', 'createdAt'],
    filters: ['inTurn', 'createdAt'],
    sort: ['name', 'asc'],
  },
  form: [{ section: 'main', fields: ['name'] }],
  allow: { see: 'signing.see', change: 'signing.templates' },
  searchIn: ['name'],
  screens: { list: '/invoice/signgroups', form: '/invoice/signgroups' },
})
