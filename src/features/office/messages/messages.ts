import { choice, moment, ref, text } from '#kit/fields/field.ts'
import { defineResource } from '#kit/describe/resource.ts'
import { letterKinds } from './kinds.ts'

/** What was sent, or would be sent when no mail server is set: then it is 'kept'. */
export const messages = defineResource({
  name: 'messages',
  table: 'messages',
  title: 'subject',
  fields: {
    createdAt: moment({ need: true }),
    /** What it holds, by which it is decided who reads it and sends it again. */
    kind: choice([...Object.keys(letterKinds), 'unknown'] as const, { need: true }),
    channel: choice(['mail', 'sms', 'whatsapp'], { need: true }),
    recipient: text({ need: true }),
    subject: text({ need: true }),
    body: text({ need: true }),
    state: choice(['queued', 'postponed', 'sent', 'kept', 'bounced', 'failed'], { need: true }),
    documentId: ref('documents'),
    letterId: ref('letters'),
    outsideId: ref('outsideDocuments'),
    /** Names of the files that went along with the paper itself. */
    attachments: text({ computed: true }),
    sentAt: moment(),
    openedAt: moment(),
    /** What the receiving server said when it refused, or why nothing got through. */
    error: text(),
  },
  list: {
    columns: ['createdAt', 'recipient', 'documentId', 'subject', 'state', 'openedAt'],
    filters: ['state', 'kind', 'createdAt', 'openedAt', 'channel'],
    sort: ['createdAt', 'desc'],
  },
  form: [],
  allow: { see: 'documents.see', change: 'documents.send' },
  screens: { list: '/invoice/emailreport', form: '/invoice/emailreport' },
})
