import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import {
  bytesValue,
  dayValue,
  emailValue,
  languageValue,
  moneyValue,
  phoneValue,
  taxIdValue,
} from '#kit/fields/schema.ts'
import {
  asking,
  couponKinds,
  couponStates,
  fieldKinds,
  kinds,
  maxPayerFileBytes,
  pageStates,
  papers,
  purchaseStates,
  sumKinds,
} from './payPages.ts'
import { wallets } from '#features/money/acquirers/acquirers.ts'
import './rules.ts'

const see = { rule: 'payPages.see' } as const
const change = { rule: 'payPages.change' } as const
const payers = { rule: 'payPages.payers' } as const
const capture = { rule: 'payPages.capture' } as const
const base = '/api4/invoice/paypages'
const byId = z.object({ id: z.uuid() })
const short = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })
const need = (max: number) => short(max).min(1, { error: 'fields.need' })
const whole = (min: number, max: number) =>
  z
    .number({ error: 'fields.need' })
    .int({ error: 'fields.range' })
    .min(min, { error: 'fields.range' })
    .max(max, { error: 'fields.range' })
const sum = moneyValue.min(1, { error: 'fields.range' }).max(100_000_000, { error: 'fields.range' })

const textsOfPage = z.strictObject({
  title: need(120),
  text: short(4000).default(''),
  button: short(40).default(''),
  thanks: short(2000).default(''),
  terms: short(10_000).default(''),
})
const item = z.strictObject({
  id: z.uuid({ error: 'fields.ref' }),
  itemId: z.uuid({ error: 'fields.ref' }).nullish(),
  names: z
    .partialRecord(languageValue, need(200))
    .refine((names) => Object.keys(names).length > 0, { error: 'fields.need' }),
  /** With VAT, as the buyer pays it. */
  priceAgorot: sum,
  mostQuantity: whole(1, 10_000).default(1),
  /** Always in the basket; else it is chosen. */
  isFixed: z.boolean().default(false),
  /** How many there are in all; null: as many as one likes. */
  stock: whole(0, 1_000_000).nullish(),
})
const field = z.strictObject({
  key: z.string().regex(/^[a-z0-9]{1,20}$/, { error: 'fields.text' }),
  kind: z.enum(fieldKinds, { error: 'fields.choice' }),
  labels: z
    .partialRecord(languageValue, need(120))
    .refine((labels) => Object.keys(labels).length > 0, { error: 'fields.need' }),
  must: z.boolean().default(false),
  choices: z.partialRecord(languageValue, z.array(need(80)).max(30, { error: 'fields.range' })).default({}),
})

export const pageInput = z.strictObject({
  kind: z.enum(kinds, { error: 'fields.choice' }),
  language: languageValue.default('he'),
  texts: z.partialRecord(languageValue, textsOfPage),
  accent: z.union([z.literal(''), z.string().regex(/^#[0-9a-f]{6}$/, { error: 'fields.color' })]).default(''),
  sumKind: z.enum(sumKinds, { error: 'fields.choice' }).default('items'),
  suggested: z.array(sum).max(8, { error: 'fields.range' }).default([]),
  leastAgorot: sum.nullish(),
  mostAgorot: sum.nullish(),
  mostInstalments: whole(1, 36).default(1),
  items: z.array(item).max(60, { error: 'fields.range' }).default([]),
  fields: z.array(field).max(20, { error: 'fields.range' }).default([]),
  asksEmail: z.enum(asking, { error: 'fields.choice' }).default('must'),
  asksPhone: z.enum(asking, { error: 'fields.choice' }).default('may'),
  asksTaxId: z.enum(asking, { error: 'fields.choice' }).default('no'),
  mustAgree: z.boolean().default(false),
  takesCoupons: z.boolean().default(true),
  places: whole(1, 1_000_000).nullish(),
  closesAt: z.iso.datetime({ error: 'fields.moment' }).nullish(),
  thanksUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https$/, error: 'payPages.badUrl' }).max(500, { error: 'fields.tooLong' }),
    ])
    .default(''),
  paper: z.enum(papers, { error: 'fields.choice' }).default('usual'),
  told: z.array(emailValue).max(10, { error: 'fields.range' }).default([]),
  /** Origins of sites that may frame it, as https://example.com. */
  sites: z.array(short(200)).max(20, { error: 'fields.range' }).default([]),
  everyN: whole(1, 36).default(1),
  billingDay: whole(0, 28).default(0),
  chargeToday: z.boolean().default(true),
  firstPriceAgorot: sum.nullish(),
  trialDays: whole(0, 366).default(0),
  times: whole(2, 600).nullish(),
})
export type PageContent = z.output<typeof pageInput>
export type PageInput = z.input<typeof pageInput>

const pageAnswer = z.object({
  id: z.string(),
  content: pageInput,
  state: z.enum(pageStates),
  version: z.number(),
  hasPicture: z.boolean(),
  pictureVersion: z.string().nullable(),
  url: z.string(),
  frameUrl: z.string(),
  shortUrl: z.string(),
  placesTaken: z.number(),
  taken: z.record(z.string(), z.number()),
  views: z.number(),
  framedViews: z.number(),
  started: z.number(),
  paid: z.number(),
  held: z.number(),
  broughtAgorot: z.number(),
  days: z.array(z.object({ day: z.string(), views: z.number(), paid: z.number() })),
  createdAt: z.string(),
})
export type PageAnswer = z.output<typeof pageAnswer>

const refusals = [
  'payPages.noItems',
  'payPages.noSite',
  'payPages.takenMore',
  'payPages.onlyNonProfit',
  'payPages.paperNot',
  'payPages.mostFiles',
] as const
export const getPage = defineEndpoint({
  name: 'payPages.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: byId,
  output: pageAnswer,
  summary: 'A payment page: what it says, its addresses, and what it has brought',
  errors: ['kit.notFound'],
})
export const createPage = defineEndpoint({
  name: 'payPages.create',
  method: 'POST',
  path: base,
  access: change,
  maxBody: 524_288,
  input: pageInput,
  output: pageAnswer,
  summary: 'Makes a payment page; it can be paid by once it is opened',
  errors: [...refusals],
})
export const changePage = defineEndpoint({
  name: 'payPages.change',
  method: 'PUT',
  path: `${base}/{id}`,
  access: change,
  maxBody: 524_288,
  input: z.strictObject({ id: z.uuid(), version: z.number().int(), content: pageInput }),
  output: pageAnswer,
  summary: 'Changes a payment page; who is paying at the moment pays what he saw',
  errors: ['kit.notFound', 'payPages.changedMeanwhile', ...refusals],
})
export const openPayPage = defineEndpoint({
  name: 'payPages.open',
  method: 'POST',
  path: `${base}/{id}/open`,
  access: change,
  input: byId,
  output: pageAnswer,
  summary: 'Opens a page to whoever has its address',
  errors: [
    'kit.notFound',
    'payPages.needCards',
    'payPages.needHolds',
    'payPages.needTokens',
    'acquirers.byPaymentOnly',
    'payPages.noItems',
  ],
})
export const closePayPage = defineEndpoint({
  name: 'payPages.close',
  method: 'POST',
  path: `${base}/{id}/close`,
  access: change,
  input: byId,
  output: pageAnswer,
  summary: 'Closes a page: nobody begins to pay by it any more',
  errors: ['kit.notFound'],
})
export const copyPage = defineEndpoint({
  name: 'payPages.copy',
  method: 'POST',
  path: `${base}/{id}/copy`,
  makes: { see: 'payPages.get' },
  access: change,
  input: byId,
  output: pageAnswer,
  summary: 'A new draft that says what another page says, with addresses of its own',
  errors: ['kit.notFound'],
})
export const thanksKey = defineEndpoint({
  name: 'payPages.thanksKey',
  method: 'GET',
  path: `${base}/{id}/thankskey`,
  access: change,
  secret: true,
  input: byId,
  output: z.object({ signingKey: z.string() }),
  summary: 'The key by which a page signs what it tells the address of thanks',
  errors: ['kit.notFound'],
})
export const getPicture = defineEndpoint({
  name: 'payPages.picture',
  method: 'GET',
  path: `${base}/{id}/picture`,
  access: see,
  input: byId.extend({ v: z.string().optional() }),
  output: z.any(),
  file: true,
  summary: 'The picture of a page',
  errors: ['kit.notFound'],
})
export const setPicture = defineEndpoint({
  name: 'payPages.setPicture',
  method: 'PUT',
  path: `${base}/{id}/picture`,
  access: change,
  maxBody: 4_000_000,
  input: z.strictObject({ id: z.uuid(), image: z.string().max(3_900_000, { error: 'fields.tooLong' }) }),
  output: pageAnswer,
  summary: 'Sets the picture of a page: a JPEG or PNG as base64',
  errors: ['kit.notFound', 'payPages.badImage'],
})
export const dropPicture = defineEndpoint({
  name: 'payPages.dropPicture',
  method: 'DELETE',
  path: `${base}/{id}/picture`,
  access: change,
  input: byId,
  output: pageAnswer,
  summary: 'Takes the picture of a page away',
  errors: ['kit.notFound'],
})

export const pageWords = defineEndpoint({
  name: 'payPages.words',
  method: 'GET',
  path: '/api4/invoice/paypagewords',
  access: see,
  input: z.object({ language: languageValue }),
  output: z.object({
    words: z.record(z.string(), z.string()),
    business: z.object({ name: z.string(), taxId: z.string(), phone: z.string(), email: z.string() }),
    accent: z.string(),
    hasLogo: z.boolean(),
    online: z.boolean(),
    /** What its payers are offered beside the card. */
    wallets: z.array(z.enum(wallets)),
  }),
  summary: 'What a payment page says of itself in a language, for the picture beside its editor',
})

const purchaseAnswer = z.object({
  id: z.string(),
  page: z.object({ id: z.string(), title: z.string() }),
  state: z.enum(purchaseStates),
  kind: z.enum(kinds),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  heldUntil: z.string().nullable(),
  payer: z.object({ name: z.string(), email: z.string(), phone: z.string(), taxId: z.string() }),
  answers: z.array(
    z.object({
      label: z.string(),
      value: z.string(),
      /** Of a file that was attached to what is paid. */
      fileId: z.string().nullable(),
    }),
  ),
  terms: z.string(),
  lines: z.array(
    z.object({ name: z.string(), quantity: z.number(), priceAgorot: z.number(), discountAgorot: z.number() }),
  ),
  coupon: z.string(),
  discountAgorot: z.number(),
  sumAgorot: z.number(),
  takenAgorot: z.number().nullable(),
  instalments: z.number(),
  site: z.string(),
  source: z.string(),
  chargeId: z.string().nullable(),
  orderId: z.string().nullable(),
  customerId: z.string().nullable(),
  paper: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
  /** What can be taken of the hold. */
  canCapture: z.boolean(),
})
export type PurchaseAnswer = z.output<typeof purchaseAnswer>
export const getPurchase = defineEndpoint({
  name: 'payPurchases.get',
  method: 'GET',
  path: '/api4/invoice/paypurchases/{id}',
  access: payers,
  input: byId,
  output: purchaseAnswer,
  summary: 'One who paid or began to: for what, what he filled in and agreed to, and what became of it',
  errors: ['kit.notFound'],
})
export const getPurchaseFile = defineEndpoint({
  name: 'payPurchases.file',
  method: 'GET',
  path: '/api4/invoice/paypurchases/{id}/files/{fileId}',
  access: payers,
  input: byId.extend({ fileId: z.uuid() }),
  output: z.any(),
  file: true,
  summary: 'A file that a payer attached',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const capturePurchase = defineEndpoint({
  name: 'payPurchases.capture',
  method: 'POST',
  path: '/api4/invoice/paypurchases/{id}/capture',
  access: capture,
  input: z.strictObject({ id: z.uuid(), amountAgorot: moneyValue.min(1, { error: 'fields.range' }) }),
  output: purchaseAnswer,
  summary: 'Takes what was set aside, or a part of it, and issues its paper',
  errors: ['kit.notFound', 'paymentLinks.notHeld', 'paymentLinks.inDoubt'],
})
export const releasePurchase = defineEndpoint({
  name: 'payPurchases.release',
  method: 'POST',
  path: '/api4/invoice/paypurchases/{id}/release',
  access: capture,
  input: byId,
  output: purchaseAnswer,
  summary: 'Lets go of what was set aside; what was kept for the payer is free again',
  errors: ['kit.notFound', 'paymentLinks.notHeld', 'paymentLinks.inDoubt'],
})

const couponTerms = {
  name: short(80).default(''),
  kind: z.enum(couponKinds, { error: 'fields.choice' }),
  /** Basis points. */
  valueBp: whole(1, 9_999).nullish(),
  valueAgorot: sum.nullish(),
  pageId: z.uuid({ error: 'fields.ref' }).nullish(),
  itemIds: z
    .array(z.uuid({ error: 'fields.ref' }))
    .max(60, { error: 'fields.range' })
    .default([]),
  firstOnly: z.boolean().default(true),
  fromDay: dayValue.nullish(),
  toDay: dayValue.nullish(),
  usesMax: whole(1, 1_000_000).nullish(),
  perCustomer: whole(1, 100).nullish(),
  leastAgorot: sum.nullish(),
}
const code = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(40, { error: 'fields.tooLong' })
export const couponInput = z.strictObject({ code, ...couponTerms })
export type CouponGiven = z.output<typeof couponInput>
const couponAnswer = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  kind: z.enum(couponKinds),
  valueBp: z.number().nullable(),
  valueAgorot: z.number().nullable(),
  pageId: z.string().nullable(),
  itemIds: z.array(z.string()),
  firstOnly: z.boolean(),
  fromDay: z.string().nullable(),
  toDay: z.string().nullable(),
  usesMax: z.number().nullable(),
  perCustomer: z.number().nullable(),
  leastAgorot: z.number().nullable(),
  state: z.enum(couponStates),
  used: z.number(),
  givenAgorot: z.number(),
  broughtAgorot: z.number(),
})
export type CouponAnswer = z.output<typeof couponAnswer>
const couponBase = '/api4/invoice/couponcodes'
export const getCoupon = defineEndpoint({
  name: 'coupons.get',
  method: 'GET',
  path: `${couponBase}/{id}`,
  access: { rule: 'coupons.see' },
  input: byId,
  output: couponAnswer,
  summary: 'A coupon, its terms and what became of it',
  errors: ['kit.notFound'],
})
export const createCoupon = defineEndpoint({
  name: 'coupons.create',
  method: 'POST',
  path: couponBase,
  access: { rule: 'coupons.change' },
  input: couponInput,
  output: couponAnswer,
  summary: 'Makes a coupon',
  errors: ['coupons.codeUsed'],
})
export const changeCoupon = defineEndpoint({
  name: 'coupons.change',
  method: 'PUT',
  path: `${couponBase}/{id}`,
  access: { rule: 'coupons.change' },
  input: couponInput.extend({ id: z.uuid() }),
  output: couponAnswer,
  summary: 'Changes a coupon; uses that were had stay as they were',
  errors: ['kit.notFound', 'coupons.codeUsed', 'coupons.belowUsed'],
})
export const stopCoupon = defineEndpoint({
  name: 'coupons.stop',
  method: 'POST',
  path: `${couponBase}/{id}/stop`,
  access: { rule: 'coupons.change' },
  input: z.strictObject({ id: z.uuid(), stopped: z.boolean() }),
  output: couponAnswer,
  summary: 'Stops a coupon, or lets it run again',
  errors: ['kit.notFound'],
})
export const makeCoupons = defineEndpoint({
  name: 'coupons.makeMany',
  method: 'POST',
  path: `${couponBase}/many`,
  access: { rule: 'coupons.change' },
  input: z.strictObject({
    ...couponTerms,
    name: need(80),
    count: whole(1, 2000),
    prefix: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{0,12}$/, { error: 'coupons.badCode' })
      .default(''),
  }),
  output: z.object({ codes: z.array(z.string()) }),
  summary: 'Makes many coupons with codes of their own, each for so many uses as is said',
})

const key = z.object({ key: z.string().min(1).max(100) })
const publicBase = '/api2/invoice/paymentpage/{key}'
const shownPage = z.object({
  kind: z.enum(kinds),
  state: z.enum(pageStates),
  language: languageValue,
  languages: z.array(languageValue),
  business: z.object({ name: z.string(), taxId: z.string(), phone: z.string(), email: z.string() }),
  accent: z.string(),
  logo: z.string(),
  picture: z.string(),
  title: z.string(),
  text: z.string(),
  button: z.string(),
  thanks: z.string(),
  terms: z.string(),
  sumKind: z.enum(sumKinds),
  suggested: z.array(z.number()),
  leastAgorot: z.number().nullable(),
  mostAgorot: z.number().nullable(),
  mostInstalments: z.number(),
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      priceAgorot: z.number(),
      most: z.number(),
      left: z.number().nullable(),
      isFixed: z.boolean(),
    }),
  ),
  fields: z.array(
    z.object({
      key: z.string(),
      kind: z.enum(fieldKinds),
      label: z.string(),
      must: z.boolean(),
      choices: z.array(z.string()),
    }),
  ),
  asksEmail: z.enum(asking),
  asksPhone: z.enum(asking),
  asksTaxId: z.enum(asking),
  mustAgree: z.boolean(),
  takesCoupons: z.boolean(),
  placesLeft: z.number().nullable(),
  plan: z
    .object({
      everyN: z.number(),
      billingDay: z.number(),
      chargeToday: z.boolean(),
      firstPriceAgorot: z.number().nullable(),
      trialDays: z.number(),
      times: z.number().nullable(),
    })
    .nullable(),
  wallets: z.array(z.enum(wallets)),
  online: z.boolean(),
  test: z.boolean(),
})

export const showPayPage = defineEndpoint({
  name: 'payPages.page',
  method: 'GET',
  path: publicBase,
  access: 'key',
  input: key.extend({ language: z.string().max(5).optional(), framed: z.enum(['0', '1']).optional() }),
  output: z.object({
    page: shownPage,
    words: z.record(z.string(), z.string()),
    key: z.string(),
    /** Who may frame it. */
    sites: z.array(z.string()),
  }),
  summary: 'A payment page as its payer sees it, with its words in his language',
  errors: ['kit.notFound'],
})
export const payPageLogo = defineEndpoint({
  name: 'payPages.logo',
  method: 'GET',
  path: `${publicBase}/logo`,
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business',
  errors: ['kit.notFound'],
})
export const payPagePicture = defineEndpoint({
  name: 'payPages.pagePicture',
  method: 'GET',
  path: `${publicBase}/picture`,
  access: 'key',
  file: true,
  input: key.extend({ v: z.string().max(40).optional() }),
  output: z.any(),
  summary: 'The picture of a payment page',
  errors: ['kit.notFound'],
})

export const addPageFile = defineEndpoint({
  name: 'payPages.addFile',
  method: 'POST',
  path: `${publicBase}/files/{field}`,
  access: 'key',
  throttle: 40,
  upload: { maxBytes: maxPayerFileBytes },
  input: key.extend({
    field: z.string().max(20),
    visit: z.uuid(),
    name: z.string().trim().min(1).max(200),
    bytes: bytesValue,
  }),
  output: z.object({ id: z.string(), name: z.string() }),
  summary:
    'A file for a field of a payment page that asks for one: PDF, PNG or JPEG; it is kept with what is paid, and else thrown away',
  errors: [
    'kit.notFound',
    'payPages.notOpen',
    'payPages.over',
    'payPages.full',
    'payPages.soldOut',
    'payPages.badFile',
    'payPages.filesFull',
  ],
})

const basket = {
  lines: z
    .array(z.strictObject({ id: z.uuid({ error: 'fields.ref' }), quantity: whole(1, 10_000) }))
    .max(60, { error: 'fields.range' })
    .default([]),
  /** Where the payer says how much. */
  sumAgorot: sum.nullish(),
  coupon: z.string().max(60, { error: 'fields.tooLong' }).default(''),
}
const couponRefusals = [
  'payPages.couponUnknown',
  'payPages.couponOver',
  'payPages.couponUsedUp',
  'payPages.couponOncePerCustomer',
  'payPages.couponNeedsWho',
  'payPages.couponLeast',
  'payPages.couponOther',
  'payPages.couponNothingLeft',
] as const
const basketRefusals = [
  'kit.notFound',
  'payPages.notOpen',
  'payPages.over',
  'payPages.soldOut',
  'payPages.sumRange',
  'payPages.itemGone',
] as const
const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).default('')
export const payerInput = z.strictObject({
  name: need(200),
  email: optional(emailValue),
  phone: optional(phoneValue),
  taxId: optional(taxIdValue),
})
export type Payer = z.output<typeof payerInput>

export const pricePage = defineEndpoint({
  name: 'payPages.price',
  method: 'POST',
  path: `${publicBase}/price`,
  access: 'key',
  throttle: 60,
  reads: true,
  input: key.extend(basket).strict(),
  output: z.object({
    grossAgorot: z.number(),
    discountAgorot: z.number(),
    totalAgorot: z.number(),
    code: z.string(),
    firstOnly: z.boolean(),
  }),
  summary: 'What a basket of a payment page comes to with a coupon',
  errors: [...basketRefusals, ...couponRefusals],
})
export const beginPage = defineEndpoint({
  name: 'payPages.begin',
  method: 'POST',
  path: `${publicBase}/begin`,
  access: 'key',
  throttle: 60,
  input: key
    .extend({
      ...basket,
      /** Made by the page when it is opened: what it sends twice is one purchase. */
      visit: z.uuid(),
      language: languageValue.optional(),
      payer: payerInput,
      answers: z
        .record(
          z.string().max(20),
          z.union([z.string().max(4000, { error: 'fields.tooLong' }), z.boolean(), z.number()]),
        )
        .default({}),
      agrees: z.boolean().default(false),
      /**
       * The acquirer’s form is opened for this means alone; without it, for the card and whatever else it
       * takes.
       */
      wallet: z.enum(wallets, { error: 'fields.choice' }).optional(),
      /** What the page told that it comes to; another sum is never charged. */
      seenAgorot: z.number().int(),
      framed: z.boolean().default(false),
      site: short(200).default(''),
      utm: z.record(z.string().regex(/^[a-z_]{1,20}$/), short(100)).default({}),
    })
    .strict(),
  output: z.object({ url: z.string(), chargeId: z.string() }),
  summary:
    'Keeps what was chosen for fifteen minutes and opens the acquirer’s form for it; the same again while it stands open',
  errors: [
    ...basketRefusals,
    ...couponRefusals,
    'payPages.fileGone',
    'payPages.full',
    'payPages.reservedTooOften',
    'payPages.sumChanged',
    'payPages.noWallet',
    'payPages.agreeFirst',
    'paymentLinks.off',
    'paymentLinks.inDoubt',
    'paymentLinks.acquirerAway',
  ],
})
const paperLink = z.object({ key: z.string(), type: z.number(), number: z.number(), name: z.string() })
export const checkPage = defineEndpoint({
  name: 'payPages.check',
  method: 'POST',
  path: `${publicBase}/check`,
  access: 'key',
  throttle: 300,
  input: key.extend({ charge: z.uuid(), told: z.string().max(4000).optional() }).strict(),
  output: z.object({
    state: z.enum(['open', 'declined', 'inDoubt', 'paid', 'held', 'subscribed', 'surplus', 'lapsed']),
    code: z.string(),
    sumAgorot: z.number(),
    paper: paperLink.nullable(),
    /** The page on which subscribers see a subscription, renew the card and end it. */
    orderUrl: z.string(),
    thanksUrl: z.string(),
  }),
  summary: 'Asks the acquirer what became of a payment by a page',
  errors: ['kit.notFound', 'paymentLinks.acquirerAway'],
})

const module = z.object({ id: z.string(), name: z.string(), priceAgorot: z.number(), isOn: z.boolean() })
const plan = z.object({
  /** The key of the page it is bought by. */
  key: z.string(),
  title: z.string(),
  text: z.string(),
  priceAgorot: z.number(),
  everyN: z.number(),
  trialDays: z.number(),
  /** What is in its price, by name. */
  includes: z.array(z.string()),
  modules: z.array(module.omit({ isOn: true })),
})
/** One price for visitors who ask before signing up and for customers who pay: `mainPayment` answers the same plans. */
export const pricing = defineEndpoint({
  name: 'billing.pricing',
  method: 'GET',
  path: '/api/user/pricing',
  access: 'open',
  throttle: 300,
  input: z.object({ domain: z.string().max(253).optional() }),
  output: z.object({
    isOn: z.boolean(),
    plans: z.array(plan),
    /** What every plan holds; null is without limit. */
    limits: z.object({
      documents: z.number().nullable(),
      users: z.number().nullable(),
      companies: z.number(),
      roomBytes: z.number(),
      /** With the module of room so many more. */
      moreRoomBytes: z.number(),
      callsPerMinute: z.number(),
    }),
  }),
  summary:
    'What the product costs and what a plan holds: the plans of whoever runs the installation, where he takes money for it',
})
const billing = {
  output: z.object({
    /** The person who runs the installation takes money for it. */
    isOn: z.boolean(),
    operator: z.string(),
    plan: z
      .object({
        title: z.string(),
        state: z.string(),
        nextDay: z.string().nullable(),
        nextAgorot: z.number(),
        card: z.string(),
        /** What was not collected. */
        failedAgorot: z.number(),
        /** Where the card is renewed, what failed is paid, and the plan ended. */
        url: z.string(),
        /** What can be had beside the plan; a change holds from the next charge on. */
        modules: z.array(module),
      })
      .nullable(),
    papers: z.array(
      z.object({
        key: z.string(),
        type: z.number(),
        number: z.number(),
        day: z.string(),
        totalAgorot: z.number(),
      }),
    ),
    plans: z.array(plan.extend({ url: z.string() })),
  }),
}
export const mainPayment = defineEndpoint({
  name: 'billing.get',
  method: 'GET',
  path: '/api4/invoice/mainpayment',
  access: { rule: 'billing.see' },
  input: z.object({}),
  ...billing,
  summary:
    'What the business pays for the product, where its operator takes money: plan, next charge, card and invoices',
})
export const chooseModules = defineEndpoint({
  name: 'billing.modules',
  method: 'POST',
  path: '/api4/invoice/mainpayment/modules',
  access: { rule: 'billing.change' },
  input: z.strictObject({
    modules: z.array(z.uuid({ error: 'fields.ref' })).max(60, { error: 'fields.range' }),
  }),
  ...billing,
  summary: 'Says which modules the business has beside its plan, from the next charge on',
  errors: ['billing.noPlan', 'payPages.itemGone', 'standingOrders.nothingAhead', 'standingOrders.periodMade'],
})
