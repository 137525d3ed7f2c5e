import { z } from 'zod'
import { documentStatusNames, paperLabels } from '#domain/documents/kinds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, day, flag, language, money, moment, number, ref, text } from '#kit/fields/field.ts'

/** The customer as the document names it. */
export const customerAnswer = z.object({
  name: z.string(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  city: z.string().nullable(),
})

/** What a document comes to, in its currency unless the name says otherwise. */
export const totalsAnswer = z.object({
  subtotalAgorot: z.number(),
  discountAgorot: z.number(),
  netTaxableAgorot: z.number(),
  netExemptAgorot: z.number(),
  netZeroAgorot: z.number(),
  vatAgorot: z.number(),
  roundingAgorot: z.number(),
  totalAgorot: z.number(),
  openAgorot: z.number(),
  /** The same in the document's currency. */
  openInCurrencyAgorot: z.number(),
  /** Of a payment request: asked and not paid yet. */
  askedAgorot: z.number(),
  creditedAgorot: z.number(),
  ilsTotalAgorot: z.number(),
})

/** The document as a resource; creating and issuing are separate commands. */
export const documents = defineResource({
  name: 'documents',
  table: 'documents',
  title: 'number',
  fields: {
    type: number({ need: true }),
    number: number(),
    status: choice(documentStatusNames, { need: true }),
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
    openAgorot: money({ need: true, inShekels: true }),
    // The same in the document's currency, beside its total.
    openInCurrencyAgorot: money({ need: true }),
    // What may still be paid on it, in its currency: what an invoice is owed, what a request asks for. Money
    // to somebody's credit is none.
    unpaidAgorot: money({ computed: true }),
    allocationState: choice(['notNeeded', 'waiting', 'granted', 'refused', 'away', 'manual'], { need: true }),
    allocationNumber: text(),
    sentAt: moment(),
    viewedAt: moment(),
  },
  extra: {
    /** What it is called in place of its type. */
    label: z.enum(paperLabels).nullable(),
    /** Whether its total is added to others: always, with its own type, or never. */
    adds: z.enum(['always', 'kind', 'never']),
    /** As the record calls them. */
    date: z.string(),
    dueDate: z.string().nullable(),
    customer: customerAnswer.nullable(),
    totals: totalsAnswer,
    issuedAt: z.string().nullable(),
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
    sums: { of: ['totalAgorot'], by: 'type', adds: 'adds' },
  },
  form: [],
  allow: { see: 'documents.see', change: 'documents.draft' },
  screens: { list: '/invoice/documents', form: '/invoice/InvoiceDocument', card: '/invoice/preview/$id' },
})

export type DocumentRow = Row<typeof documents> & { customerIdName: string | null }
