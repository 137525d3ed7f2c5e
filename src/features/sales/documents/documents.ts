import type { PaperLabel } from '#domain/documents/kinds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, day, flag, language, money, moment, number, ref, text } from '#kit/fields/field.ts'

export const statuses = ['draft', 'issued', 'partlyClosed', 'closed', 'cancelled'] as const

/** The document as a listed thing; making and issuing are commands of their own. */
export const documents = defineResource({
  name: 'documents',
  table: 'documents',
  title: 'number',
  fields: {
    type: number({ need: true }),
    number: number(),
    status: choice(statuses, { need: true }),
    day: day({ need: true }),
    dueDay: day(),
    customerId: ref('customers'),
    subject: text(),
    currency: currency({ need: true }),
    language: language({ need: true }),
    orderNumber: text(),
    projectId: ref('projects'),
    // The worker who sold it.
    agentId: ref('agents'),
    validUntil: day(),
    // Of papers that go with goods, in one line.
    deliverTo: text({ computed: true }),
    branch: text(),
    // From a paper book, with its number there.
    byHand: flag({ need: true }),
    // Something of it is still to be supplied, invoiced or paid by a later paper.
    hasLeft: flag({ computed: true }),
    netAgorot: money({ computed: true }),
    vatAgorot: money({ need: true }),
    totalAgorot: money({ need: true }),
    openAgorot: money({ need: true }),
    // The same in the document's currency, beside its total.
    openInCurrencyAgorot: money({ need: true }),
    // What may still be paid on it, in its currency: what an invoice is owed, what a request asks for. Money to somebody's credit is none.
    unpaidAgorot: money({ computed: true }),
    allocationState: choice(['notNeeded', 'waiting', 'granted', 'refused', 'away', 'manual'], { need: true }),
    allocationNumber: text(),
    sentAt: moment(),
    viewedAt: moment(),
  },
  list: {
    columns: ['number', 'day', 'customerId', 'subject', 'dueDay', 'totalAgorot', 'openAgorot', 'status'],
    filters: [
      'type',
      'status',
      'day',
      'customerId',
      'currency',
      'totalAgorot',
      'openAgorot',
      'unpaidAgorot',
      'dueDay',
      'allocationState',
      'projectId',
      'agentId',
      'branch',
      'validUntil',
      'hasLeft',
      'byHand',
    ],
    sort: ['day', 'desc'],
    totals: ['totalAgorot', 'openAgorot'],
  },
  form: [],
  allow: { see: 'documents.see', change: 'documents.draft' },
  screens: { list: '/invoice/documents', form: '/invoice/InvoiceDocument', card: '/invoice/preview/$id' },
})

/** `label`: what it is called in place of its type. */
export type DocumentRow = Row<typeof documents> & { customerIdName: string | null; label: PaperLabel | null }
