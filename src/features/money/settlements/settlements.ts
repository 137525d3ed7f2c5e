import { z } from 'zod'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, money, text } from '#kit/fields/field.ts'

export const dealStates = [
  'matched',
  'unknown',
  'missing',
  'sum',
  'currency',
  'takenBack',
  'explained',
] as const
export type DealState = (typeof dealStates)[number]

/** Deals of acquirers beside our charges. */
export const acquirerDeals = defineResource({
  name: 'acquirerDeals',
  table: 'acquirer_deals',
  title: 'uid',
  fields: {
    day: day({ computed: true }),
    terminal: text({ computed: true }),
    uid: text({ computed: true }),
    last4: text({ computed: true, column: 'last4' }),
    toldAgorot: money({ computed: true }),
    ownAgorot: money({ computed: true }),
    differenceAgorot: money({ computed: true }),
    note: text({ computed: true }),
    state: choice(dealStates, { computed: true }),
  },
  extra: {
    /** The charge here that it was found to be. */
    chargeId: z.uuid().nullable(),
  },
  list: {
    columns: [
      'day',
      'terminal',
      'uid',
      'last4',
      'toldAgorot',
      'ownAgorot',
      'differenceAgorot',
      'note',
      'state',
    ],
    filters: ['state', 'day', 'toldAgorot'],
    sort: ['day', 'desc'],
    totals: ['toldAgorot', 'ownAgorot', 'differenceAgorot'],
  },
  form: [],
  allow: { see: 'settlements.see', change: 'settlements.change' },
  screens: { list: '/invoice/acquirerdeals', form: '/invoice/acquirerdeals' },
})
export type DealRow = Row<typeof acquirerDeals>

export const depositStates = ['found', 'booked'] as const
/** Money of acquirers that came to the bank. */
export const acquirerDeposits = defineResource({
  name: 'acquirerDeposits',
  table: 'acquirer_deposits',
  title: 'externalId',
  fields: {
    day: day({ computed: true }),
    terminal: text({ computed: true }),
    externalId: text({ computed: true }),
    netAgorot: money({ computed: true }),
    feeAgorot: money({ computed: true }),
    feeVatAgorot: money({ computed: true }),
    /** The bank line it is matched with. */
    matchNumber: text({ computed: true }),
    state: choice(depositStates, { computed: true }),
  },
  list: {
    columns: [
      'day',
      'terminal',
      'externalId',
      'netAgorot',
      'feeAgorot',
      'feeVatAgorot',
      'matchNumber',
      'state',
    ],
    filters: ['state', 'day', 'netAgorot'],
    sort: ['day', 'desc'],
    totals: ['netAgorot', 'feeAgorot', 'feeVatAgorot'],
  },
  form: [],
  allow: { see: 'settlements.see', change: 'settlements.change' },
  screens: { list: '/invoice/acquirerdeposits', form: '/invoice/acquirerdeposits' },
})
export type DepositRow = Row<typeof acquirerDeposits>
