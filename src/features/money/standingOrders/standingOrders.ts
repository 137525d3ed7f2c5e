import { typeFacts } from '#domain/documents/facts.ts'
import {
  documentTypeById,
  documentTypes,
  mayIssue,
  type BusinessKind,
  type DocumentTypeName,
} from '#domain/documents/kinds.ts'
import { neededByCard } from '#domain/documents/needed.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, day, moment, money, number, ref, text } from '#kit/fields/field.ts'
import { units } from '#domain/standingOrders/schedule.ts'

export const means = ['bill', 'masav', 'card'] as const
export type Means = (typeof means)[number]
export const storedStates = ['draft', 'active', 'paused', 'failing', 'held', 'ended', 'cancelled'] as const
/**
 * The state as it is shown: an order in its free days is on trial, one with a last day is ending, one that nothing
 * can be charged to needs a card.
 */
export const states = [
  'draft',
  'trial',
  'active',
  'ending',
  'paused',
  'failing',
  'needsCard',
  'held',
  'ended',
  'cancelled',
] as const
export type OrderState = (typeof states)[number]
/** Whatever somebody has for a time: of a pass also that it has not begun, rests, or waits for its money. */
export const subscriptionStates = [
  'draft',
  'ahead',
  'unpaid',
  'trial',
  'active',
  'ending',
  'paused',
  'frozen',
  'failing',
  'needsCard',
  'held',
  'ended',
  'cancelled',
] as const
export type SubscriptionState = (typeof subscriptionStates)[number]
export const periodStates = ['asked', 'inFile', 'billed', 'failed', 'done', 'givenUp', 'skipped'] as const
export type PeriodState = (typeof periodStates)[number]

/** What is charged or billed again and again without anybody asking. */
export const standingOrders = defineResource({
  name: 'standingOrders',
  table: 'standing_orders',
  title: 'title',
  fields: {
    number: number({ computed: true }),
    title: text({ need: true, max: 200 }),
    customerId: ref('customers', { need: true }),
    means: choice(means, { start: 'bill' }),
    startDay: day({ need: true }),
    everyN: number({ start: 1 }),
    unit: choice(units, { start: 'month' }),
    untilDay: day(),
    /** What the next charge comes to. */
    sumAgorot: money({ computed: true }),
    currency: currency({ computed: true }),
    nextDay: day({ computed: true }),
    /** Until its planned end, a begun month counted whole; nothing where no end was agreed. */
    monthsLeft: number({ computed: true }),
    state: choice(states, { computed: true }),
    /** What it has brought. */
    broughtAgorot: money({ computed: true }),
    turns: number({ computed: true }),
    /** What failed and is not mended. */
    failedAgorot: money({ computed: true }),
    failure: text({ computed: true }),
    failingSince: day({ computed: true }),
    stepDay: day({ computed: true }),
    heldWhy: text({ computed: true }),
    endedOn: day({ computed: true }),
    endReason: text({ computed: true }),
    agentId: ref('agents', { computed: true }),
    projectId: ref('projects', { computed: true }),
    createdAt: moment({ computed: true }),
  },
  list: {
    columns: [
      'number',
      'title',
      'customerId',
      'sumAgorot',
      'everyN',
      'means',
      'nextDay',
      'monthsLeft',
      'state',
    ],
    filters: [
      'state',
      'customerId',
      'means',
      'nextDay',
      'failure',
      'startDay',
      'endedOn',
      'agentId',
      'projectId',
      'unit',
    ],
    sort: ['number', 'desc'],
    totals: ['sumAgorot', 'broughtAgorot', 'failedAgorot'],
  },
  form: [],
  allow: { see: 'standingOrders.see', change: 'standingOrders.change' },
  screens: { list: '/invoice/retainers', form: '/invoice/retainers/new', card: '/invoice/retainers/$id' },
})
export type OrderRow = Row<typeof standingOrders> & { customerIdName: string | null }

/** The messages to a customer about an order or a card, whose text a business may change. */
export const letters = [
  'invite',
  'failed',
  'failedHard',
  'card',
  'pausedByCampaign',
  'cancelledByCampaign',
  'cancelled',
  'benefit',
  'raise',
  'end',
  'endShort',
  'cardAsk',
  'cardRenew',
  'cardExpiring',
] as const
/** Letters about a saved card, with or without an order; they go by mail alone. */
export const cardLetters: ReadonlySet<string> = new Set(['cardAsk', 'cardRenew', 'cardExpiring'])

const idsOf = (...names: DocumentTypeName[]): number[] => names.map((name) => documentTypes[name].id)
/** Types of paper each means may be given. A paper that says money came is made when it came. */
export const typesOf: Readonly<Record<Means, readonly number[]>> = {
  bill: idsOf('taxInvoice', 'paymentRequest'),
  masav: idsOf('taxInvoice', 'paymentRequest'),
  card: idsOf('taxInvoiceReceipt', 'receipt', 'donationReceipt', 'taxInvoice'),
}

/**
 * The type of the document for money that a card brings, where an order names this one: an invoice is issued before its
 * money, and its receipt after it. Any other is the one that the money needs, whatever was named.
 */
export function typeByCard(named: number, kind: BusinessKind): number {
  const needed = neededByCard(kind, {
    for: typeFacts(named).isDonation ? 'donation' : 'sale',
    pays: 'nothing',
  })
  return named === documentTypes.taxInvoice.id && typeFacts(needed).isInvoice
    ? named
    : documentTypes[needed].id
}

/** The types that a business chooses between, for orders paid by these means; the usual one first. */
export const typesFor = (way: Means, kind: BusinessKind): readonly number[] =>
  typesOf[way].filter((type) =>
    way === 'card' ? typeByCard(type, kind) === type : mayIssue(kind, documentTypeById(type)!),
  )
