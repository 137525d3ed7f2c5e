import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, flag, moment, money, number, ref, text } from '#kit/fields/field.ts'

/** All that can be connected, in the order they are shown. */
export const gatewayNames = [
  'cardcom',
  'payplus',
  'grow',
  'tranzila',
  'hyp',
  'pelecard',
  'icredit',
  'nedarim',
  'paypal',
  'test',
] as const
export type GatewayName = (typeof gatewayNames)[number]

/** What an acquirer may be able to do. */
export const abilities = [
  'page',
  'saves',
  'token',
  'check',
  'hold',
  'void',
  'refund',
  'refundPart',
  'asksByKey',
  'day',
  'forget',
  'instalments',
  'credit',
  'threeDs',
] as const
export type Ability = (typeof abilities)[number]

export const wallets = ['bit', 'googlePay', 'applePay', 'paypal'] as const
export type Wallet = (typeof wallets)[number]
export const terminalMeans = ['card', ...wallets] as const

export const terminalStates = ['draft', 'proved', 'failing', 'off'] as const
export type TerminalState = (typeof terminalStates)[number]

/**
 * Why a card was declined, as far as it tells what to do: soft, again on another day; hard, another card; fraud, neither is tried; expired, renew;
 * details, typed wrongly; technical, the terminal and not the card.
 */
export const declineClasses = ['soft', 'hard', 'fraud', 'expired', 'details', 'technical'] as const
export type DeclineClass = (typeof declineClasses)[number]

export const chargeStates = [
  'begun',
  'asked',
  'unknown',
  'needsPerson',
  'declined',
  'held',
  'paid',
  'partBack',
  'givenBack',
  'surplus',
  'saved',
  'released',
  'lapsed',
] as const

/** Everything that was asked of an acquirer, and what became of it. */
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
    declineClass: choice(declineClasses, { computed: true }),
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
    columns: ['createdAt', 'payer', 'sumAgorot', 'state', 'cardLast4', 'instalments', 'paperNumber', 'givenBackAgorot', 'acquirer'],
    filters: ['state', 'createdAt', 'customerId', 'sumAgorot', 'noPaper', 'acquirer'],
    sort: ['createdAt', 'desc'],
    totals: ['paidAgorot', 'givenBackAgorot'],
  },
  form: [],
  allow: { see: 'paymentLinks.see', change: 'paymentLinks.change' },
  screens: { list: '/invoice/historypayments', form: '/invoice/historypayments', card: '/invoice/historypayments/$id' },
})
export type CardCharge = Row<typeof cardCharges> & { customerIdName: string | null }

export const cardStates = ['active', 'expiring', 'expired', 'replaced', 'removed'] as const

/** Cards that acquirers keep for us, by token; of the card itself its brand, last digits and last month. */
export const savedCards = defineResource({
  name: 'savedCards',
  table: 'cards',
  title: 'last4',
  fields: {
    customerId: ref('customers', { computed: true }),
    brand: text({ computed: true }),
    last4: text({ computed: true }),
    expiry: text({ computed: true }),
    goodUntil: day({ computed: true }),
    state: choice(cardStates, { computed: true }),
    isDefault: flag({ computed: true }),
    terminal: text({ computed: true }),
    /** How many standing orders charge it. */
    usedBy: number({ computed: true }),
    lastUsedAt: moment({ computed: true }),
    createdAt: moment({ computed: true }),
  },
  list: {
    columns: ['customerId', 'brand', 'expiry', 'state', 'usedBy', 'lastUsedAt', 'terminal', 'createdAt'],
    filters: ['state', 'customerId', 'goodUntil', 'createdAt'],
    sort: ['createdAt', 'desc'],
  },
  form: [],
  allow: { see: 'cards.see', change: 'cards.charge' },
  screens: { list: '/invoice/savecards', form: '/invoice/savecards' },
})
export type SavedCard = Row<typeof savedCards> & { customerIdName: string | null }
