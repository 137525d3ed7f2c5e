import type { Day } from '#domain/day.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { timesQuantity, timesRate, type Agorot } from '#domain/money.ts'
import { parseDecimal4 } from '#domain/quantity.ts'
import { vatRateOn } from '#domain/vat/rates.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { gatewayNames } from '#features/money/acquirers/acquirers.ts'
import type { Item } from '#features/registers/items/items.ts'
import { choice, day, flag, moment, money, number, percent, ref, text } from '#kit/fields/field.ts'

export const kinds = ['charge', 'hold', 'subscription'] as const
export type PageKind = (typeof kinds)[number]
/** The state a page reports: full, nothing is left; over, its time is past. */
export const pageStates = ['draft', 'open', 'full', 'over', 'closed'] as const
export type PageState = (typeof pageStates)[number]
export const sumKinds = ['items', 'free', 'suggested'] as const
export const asking = ['no', 'may', 'must'] as const
/** The document that a page brings. 'usual' is the one that the law requires; a donation is for a non-profit. */
export const papers = ['usual', 'invoiceReceipt', 'receipt', 'donation'] as const
/** What a business chooses between: only a non-profit has a choice. */
export const papersFor = (kind: BusinessKind): readonly (typeof papers)[number][] =>
  kind === 'nonProfit' ? ['usual', 'donation'] : ['usual']
export const fieldKinds = ['text', 'long', 'number', 'day', 'choice', 'tick', 'file'] as const
/** What a buyer pays for an item of the catalogue, with VAT; undefined where it has no price in shekels. */
export function paidFor(
  item: Pick<Item, 'price' | 'currency' | 'vatKind'>,
  day: Day,
  hasVat: boolean,
): Agorot | undefined {
  const price = parseDecimal4(item.price ?? '0')
  if (!price || item.currency !== 'ILS') return undefined
  const sum = timesQuantity(price, 10_000)
  return hasVat && item.vatKind === 'beforeVat'
    ? sum + timesRate(sum, vatRateOn(day), 'halfAwayFromZero')
    : sum
}

/** What a payer attaches, in bytes, and how many files a page may ask for. */
export const maxPayerFileBytes = 8 * 1024 * 1024
export const mostFileFields = 5

/** Pages that anybody may open and pay by. */
export const payPages = defineResource({
  name: 'payPages',
  table: 'pay_pages',
  title: 'title',
  fields: {
    title: text({ computed: true }),
    kind: choice(kinds, { computed: true }),
    views: number({ computed: true }),
    started: number({ computed: true }),
    paid: number({ computed: true }),
    broughtAgorot: money({ computed: true }),
    placesLeft: number({ computed: true }),
    closesAt: moment({ computed: true }),
    /** Where a card is typed now; nothing where no terminal takes such a payment. */
    acquirer: choice(gatewayNames, { computed: true }),
    createdAt: moment({ computed: true }),
    state: choice(pageStates, { computed: true }),
  },
  list: {
    columns: [
      'title',
      'kind',
      'views',
      'started',
      'paid',
      'broughtAgorot',
      'placesLeft',
      'closesAt',
      'acquirer',
      'state',
    ],
    filters: ['state', 'kind', 'createdAt'],
    sort: ['createdAt', 'desc'],
    totals: ['broughtAgorot'],
  },
  form: [],
  allow: { see: 'payPages.see', change: 'payPages.change' },
  screens: { list: '/invoice/paypages', form: '/invoice/paypages/new', card: '/invoice/paypages/$id' },
})
export type PayPageRow = Row<typeof payPages>

export const purchaseStates = ['begun', 'freed', 'paid', 'held', 'released', 'subscribed', 'surplus'] as const
export type PurchaseState = (typeof purchaseStates)[number]

/** Who began to pay by a page, for what, and what became of it. */
export const payPurchases = defineResource({
  name: 'payPurchases',
  table: 'pay_purchases',
  title: 'payer',
  fields: {
    createdAt: moment({ computed: true }),
    pageId: ref('payPages', { computed: true }),
    payer: text({ computed: true }),
    email: text({ computed: true }),
    phone: text({ computed: true }),
    what: text({ computed: true }),
    sumAgorot: money({ computed: true }),
    /** What came in: of a hold, what was taken of it. */
    paidAgorot: money({ computed: true }),
    coupon: text({ computed: true }),
    /** What the payer attached. */
    files: number({ computed: true }),
    paperNumber: number({ computed: true }),
    heldUntil: moment({ computed: true }),
    state: choice(purchaseStates, { computed: true }),
  },
  list: {
    columns: ['createdAt', 'payer', 'what', 'sumAgorot', 'coupon', 'files', 'paperNumber', 'pageId', 'state'],
    filters: ['state', 'pageId', 'createdAt', 'sumAgorot', 'coupon'],
    sort: ['createdAt', 'desc'],
    totals: ['paidAgorot'],
  },
  form: [],
  allow: { see: 'payPages.payers', change: 'payPages.capture' },
  screens: { list: '/invoice/paypagepayers', form: '/invoice/paypagepayers' },
})
export type PurchaseRow = Row<typeof payPurchases> & { pageIdName: string | null }

export const couponKinds = ['percent', 'sum'] as const
export const couponStates = ['running', 'waiting', 'usedUp', 'over', 'stopped'] as const

/** What takes something off the price of a page. */
export const coupons = defineResource({
  name: 'coupons',
  table: 'coupons',
  title: 'code',
  fields: {
    code: text({ computed: true }),
    name: text({ computed: true }),
    kind: choice(couponKinds, { computed: true }),
    valueBp: percent({ computed: true }),
    valueAgorot: money({ computed: true }),
    pageId: ref('payPages', { computed: true }),
    firstOnly: flag({ computed: true }),
    fromDay: day({ computed: true }),
    toDay: day({ computed: true }),
    usesMax: number({ computed: true }),
    perCustomer: number({ computed: true }),
    leastAgorot: money({ computed: true }),
    used: number({ computed: true }),
    givenAgorot: money({ computed: true }),
    broughtAgorot: money({ computed: true }),
    createdAt: moment({ computed: true }),
    state: choice(couponStates, { computed: true }),
  },
  list: {
    columns: [
      'code',
      'name',
      'valueBp',
      'valueAgorot',
      'pageId',
      'toDay',
      'used',
      'usesMax',
      'givenAgorot',
      'broughtAgorot',
      'state',
    ],
    filters: ['state', 'kind', 'pageId', 'name', 'createdAt'],
    sort: ['createdAt', 'desc'],
    totals: ['givenAgorot', 'broughtAgorot'],
  },
  form: [],
  allow: { see: 'coupons.see', change: 'coupons.change' },
  screens: { list: '/invoice/coupons', form: '/invoice/coupons' },
})
export type CouponRow = Row<typeof coupons> & { pageIdName: string | null }
