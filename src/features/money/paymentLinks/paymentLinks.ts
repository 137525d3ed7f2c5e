import { z } from 'zod'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { gatewayNames } from '#features/money/acquirers/acquirers.ts'
import { choice, day, email, flag, language, moment, money, number, ref, text } from '#kit/fields/field.ts'

export const linkStates = ['open', 'paid', 'expired', 'cancelled'] as const
/**
 * The document that a payment brings: 'usual' is the one that the law requires. A receipt or a tax invoice/receipt by
 * name is accepted only where it is that one, and payments never depend on it.
 */
export const linkPapers = ['usual', 'receipt', 'invoiceReceipt', 'donation'] as const
/** What a business chooses between: only a non-profit has a choice, between the price of something and a donation. */
export const papersFor = (kind: BusinessKind): readonly (typeof linkPapers)[number][] =>
  kind === 'nonProfit' ? ['usual', 'donation'] : ['usual']

/** A link somebody pays by: so much, or what one document has open. */
export const paymentLinks = defineResource({
  name: 'paymentLinks',
  table: 'payment_links',
  title: 'description',
  fields: {
    description: text({ need: true, max: 200 }),
    customerId: ref('customers'),
    documentId: ref('documents'),
    amountAgorot: money(),
    mostInstalments: number({ start: 1 }),
    expiresOn: day(),
    email: email(),
    language: language({ start: 'he' }),
    remindDays: text({ max: 40, start: '' }),
    paper: choice(linkPapers, { start: 'usual' }),
    mailsPaper: flag({ start: true }),
    /** As the person who made it calls it; by it programs ask what became of the payment. */
    reference: text({ max: 100 }),
    successUrl: text({ max: 1000, start: '' }),
    errorUrl: text({ max: 1000, start: '' }),
    // What there is to pay, or was paid.
    sumAgorot: money({ computed: true }),
    state: choice(linkStates, { computed: true }),
    sentAt: moment({ computed: true }),
    viewedAt: moment({ computed: true }),
    paidAt: moment({ computed: true }),
    createdAt: moment({ computed: true }),
  },
  extra: {
    metadata: z.record(z.string(), z.any()),
    phone: z.string().nullable(),
  },
  list: {
    columns: [
      'createdAt',
      'description',
      'customerId',
      'sumAgorot',
      'expiresOn',
      'sentAt',
      'viewedAt',
      'state',
    ],
    filters: ['state', 'createdAt', 'expiresOn', 'customerId', 'reference'],
    sort: ['createdAt', 'desc'],
    totals: ['sumAgorot'],
  },
  form: [
    { section: 'what', fields: ['description', 'amountAgorot', 'documentId', 'paper'] },
    { section: 'who', fields: ['customerId', 'email', 'language'] },
    { section: 'how', fields: ['mostInstalments', 'expiresOn', 'remindDays', 'mailsPaper'] },
    { section: 'site', fields: ['reference', 'successUrl', 'errorUrl'] },
  ],
  allow: { see: 'paymentLinks.see', change: 'paymentLinks.change' },
  screens: { list: '/invoice/paymentkeys', form: '/invoice/paymentkeys' },
})
export type PaymentLink = Row<typeof paymentLinks> & {
  customerIdName: string | null
  url: string
}

export const disputeStates = ['open', 'won', 'lost'] as const
export const chargeStates = [
  'begun',
  'declined',
  'unknown',
  'needsPerson',
  'paid',
  'held',
  'released',
  'saved',
  'givenBack',
  'disputed',
  'surplus',
  'lapsed',
] as const

/** Every form of the acquirer that was opened, and what became of it. */
export const cardCharges = defineResource({
  name: 'cardCharges',
  table: 'charges',
  title: 'reference',
  fields: {
    createdAt: moment({ computed: true }),
    customerId: ref('customers', { computed: true }),
    payer: text({ computed: true }),
    sumAgorot: money({ computed: true }),
    state: choice(chargeStates, { computed: true }),
    declineCode: text({ computed: true }),
    cardBrand: text({ computed: true }),
    cardLast4: text({ computed: true, column: 'card_last4' }),
    instalments: number({ computed: true }),
    acquirer: choice(gatewayNames, { computed: true }),
    reference: text({ computed: true }),
    paperNumber: number({ computed: true }),
    /** What came in: nothing of a charge that was declined or never finished. */
    paidAgorot: money({ computed: true }),
    givenBackAgorot: money({ computed: true }),
    /** Money that came and has no paper yet. */
    noPaper: text({ computed: true }),
  },
  list: {
    columns: [
      'createdAt',
      'payer',
      'sumAgorot',
      'state',
      'cardLast4',
      'instalments',
      'paperNumber',
      'givenBackAgorot',
      'acquirer',
    ],
    filters: ['state', 'createdAt', 'customerId', 'sumAgorot', 'acquirer', 'declineCode', 'noPaper'],
    sort: ['createdAt', 'desc'],
    totals: ['paidAgorot', 'givenBackAgorot'],
  },
  form: [],
  allow: { see: 'paymentLinks.see', change: 'paymentLinks.change' },
  screens: {
    list: '/invoice/historypayments',
    form: '/invoice/historypayments',
    card: '/invoice/historypayments/$id',
  },
})
export type CardCharge = Row<typeof cardCharges> & { customerIdName: string | null }
