import { z } from 'zod'
import { parseDecimal4 } from '#domain/quantity.ts'
import { shifts } from '#domain/bankDays.ts'
import { declineKinds, deeds } from '#domain/standingOrders/campaign.ts'
import { noticeKinds } from '#domain/standingOrders/notices.ts'
import { links } from '#domain/standingOrders/price.ts'
import { units } from '#domain/standingOrders/schedule.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import {
  bytesValue,
  currencyValue,
  dayValue,
  languageInput,
  languageValue,
  moneyValue,
} from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { letters, means, periodStates, states } from './standingOrders.ts'
import './rules.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/standingorders'
const see = { rule: 'standingOrders.see' } as const
const change = { rule: 'standingOrders.change' } as const
const run = { rule: 'standingOrders.run' } as const
const byId = z.object({ id: z.uuid() })
const whole = (min: number, max: number) =>
  z
    .number({ error: 'fields.need' })
    .int({ error: 'fields.range' })
    .min(min, { error: 'fields.range' })
    .max(max, { error: 'fields.range' })
const short = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })
const need = (max: number) => short(max).min(1, { error: 'fields.need' })
const decimal = z
  .union([z.string().max(24), z.number()], { error: 'fields.decimal' })
  .transform(String)
  .refine((v) => parseDecimal4(v) !== undefined, { error: 'fields.decimal' })

/** What a charge is for; its words know the charge: {month} {year} {from} {to} {n} {m}, and {n of m}. */
const line = z.strictObject({
  itemId: z.uuid({ error: 'fields.ref' }).nullish(),
  description: need(500),
  details: short(4000).optional(),
  quantity: decimal.default('1'),
  unitPrice: decimal,
  /** 1 before VAT, 2 including VAT, 3 trust deposit, 4 without VAT. */
  vatKind: z
    .union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], { error: 'fields.choice' })
    .optional(),
})
export type OrderLine = z.output<typeof line>
const lines = z.array(line).min(1, { error: 'fields.need' }).max(60, { error: 'fields.range' })

const plan = {
  startDay: dayValue,
  everyN: whole(1, 120).default(1),
  unit: z.enum(units, { error: 'fields.choice' }).default('month'),
  /** Of months and years: 0 the day it began, 1 to 28, 31 the last day. */
  billingDay: whole(0, 31)
    .refine((day) => day <= 28 || day === 31, { error: 'fields.range' })
    .default(0),
  /** On days of banks only: the next one, or the one before. */
  shift: z.enum(shifts, { error: 'fields.choice' }).default('none'),
  chargeToday: z.boolean().default(true),
  prorate: z.boolean().default(false),
  arrears: z.boolean().default(false),
  trialDays: whole(0, 366).default(0),
  untilDay: dayValue.nullish(),
  times: whole(1, 600).nullish(),
}
const money = {
  lines,
  currency: currencyValue.default('ILS'),
  firstPriceAgorot: moneyValue.min(0, { error: 'fields.range' }).nullish(),
  /** Basis points off the first charges. */
  discountBp: whole(0, 10_000).default(0),
  discountTurns: whole(0, 60).default(0),
  linked: z.enum(links, { error: 'fields.choice' }).default('none'),
  /** A fall of the index below the base lowers the sum. */
  linkFalls: z.boolean().default(false),
  /** The index or rate the prices are of; the one that is known on the first day when absent. */
  baseValue: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'fields.decimal' })
    .nullish(),
  baseOf: dayValue.nullish(),
}
const rest = {
  title: need(200),
  customerId: z.uuid({ error: 'fields.ref' }),
  means: z.enum(means, { error: 'fields.choice' }).default('bill'),
  cardId: z.uuid({ error: 'fields.ref' }).nullish(),
  /** 8 invoice, 5 request for payment, 9 invoice and receipt, 6 receipt, 11 receipt for a donation. */
  documentType: z.number().int(),
  language: languageInput.nullish(),
  agentId: z.uuid({ error: 'fields.ref' }).nullish(),
  projectId: z.uuid({ error: 'fields.ref' }).nullish(),
  send: z.enum(['mail', 'sms', 'none'], { error: 'fields.choice' }).default('mail'),
  sendTo: short(254).default(''),
  notes: short(1000).default(''),
  notesInternal: short(2000).default(''),
  partyKind: z.enum(['consumer', 'business'], { error: 'fields.choice' }).optional(),
  mayPause: z.boolean().default(false),
  mayCancel: z.boolean().default(true),
  yearlyReceipt: z.boolean().default(false),
  campaignId: z.uuid({ error: 'fields.ref' }).nullish(),
}
export const orderInput = z.strictObject({ ...plan, ...money, ...rest })
export type OrderGiven = z.output<typeof orderInput>
export type OrderInput = z.input<typeof orderInput>

const coming = z.object({
  no: z.number(),
  from: z.string(),
  to: z.string(),
  day: z.string(),
  /** The day it would be if banks never rested. */
  plannedDay: z.string(),
  partDays: z.number().nullable(),
  partOf: z.number().nullable(),
  reduced: z.enum(['', 'first', 'discount']),
  netAgorot: z.number(),
  vatAgorot: z.number(),
  totalAgorot: z.number(),
  description: z.string(),
  /** By how much the prices moved since the base, in basis points; null where they follow nothing. */
  linkBp: z.number().nullable(),
})
export type Coming = z.output<typeof coming>
const notice = z.object({
  kind: z.enum(noticeKinds),
  forDay: z.string(),
  fromDay: z.string(),
  toDay: z.string(),
  sentAt: z.string().nullable(),
})

export const previewOrder = defineEndpoint({
  name: 'standingOrders.preview',
  method: 'POST',
  path: `${base}/preview`,
  access: change,
  reads: true,
  input: orderInput,
  output: z.object({ coming: z.array(coming), endDay: z.string().nullable(), notices: z.array(notice) }),
  summary:
    'The next twelve charges of an order before it is kept: their days and sums, and what the law asks to tell the customer',
  errors: [
    'standingOrders.noIndex',
    'standingOrders.wrongType',
    'standingOrders.firstTooHigh',
    'standingOrders.nothing',
    'standingOrders.cardCurrency',
    'standingOrders.noCurrency',
  ],
})

const period = z.object({
  start: z.string(),
  end: z.string(),
  no: z.number(),
  dueDay: z.string(),
  state: z.enum(periodStates),
  reason: z.string(),
  totalAgorot: z.number(),
  partDays: z.number().nullable(),
  partOf: z.number().nullable(),
  reduced: z.string(),
  document: z
    .object({ id: z.string(), type: z.number(), number: z.number(), openAgorot: z.number() })
    .nullable(),
  failureClass: z.string(),
  failureCode: z.string(),
  tries: z.number(),
  stepAt: z.string().nullable(),
})
const step = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  periodStart: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  by: z.string().nullable(),
})
const version = z.object({
  no: z.number(),
  fromDay: z.string(),
  lines: z.array(line),
  baseValue: z.string().nullable(),
  baseOf: z.string().nullable(),
  raises: z.boolean(),
  why: z.string(),
})

export const orderAnswer = z.object({
  id: z.string(),
  number: z.number(),
  title: z.string(),
  customerId: z.string(),
  customer: z.string(),
  means: z.enum(means),
  card: z
    .object({
      id: z.string(),
      brand: z.string(),
      last4: z.string(),
      expires: z.string(),
      isGone: z.boolean(),
    })
    .nullable(),
  cardId: z.string().nullable(),
  mandate: z.string().nullable(),
  documentType: z.number(),
  language: z.string().nullable(),
  currency: z.string(),
  agentId: z.string().nullable(),
  projectId: z.string().nullable(),
  send: z.enum(['mail', 'sms', 'none']),
  sendTo: z.string(),
  notes: z.string(),
  notesInternal: z.string(),
  startDay: z.string(),
  everyN: z.number(),
  unit: z.enum(units),
  billingDay: z.number(),
  shift: z.enum(shifts),
  chargeToday: z.boolean(),
  prorate: z.boolean(),
  arrears: z.boolean(),
  trialDays: z.number(),
  untilDay: z.string().nullable(),
  times: z.number().nullable(),
  firstPriceAgorot: z.number().nullable(),
  discountBp: z.number(),
  discountTurns: z.number(),
  linked: z.enum(links),
  linkFalls: z.boolean(),
  partyKind: z.enum(['consumer', 'business']),
  mayPause: z.boolean(),
  mayCancel: z.boolean(),
  yearlyReceipt: z.boolean(),
  campaignId: z.string().nullable(),
  campaign: z.string(),
  campaignSteps: z.array(z.object({ days: z.number(), on: z.enum(declineKinds), deed: z.enum(deeds) })),
  state: z.enum(states),
  heldWhy: z.string(),
  pausedUntil: z.string().nullable(),
  failingSince: z.string().nullable(),
  endReason: z.string(),
  endBy: z.string(),
  endedOn: z.string().nullable(),
  nextDay: z.string().nullable(),
  nextFrom: z.string().nullable(),
  sumAgorot: z.number(),
  broughtAgorot: z.number(),
  turns: z.number(),
  /** Until the planned end, a begun month counted whole; null where no end was agreed. */
  monthsLeft: z.number().nullable(),
  openAgorot: z.number(),
  /** Charges whose day is past and that were not made. */
  missed: z.number(),
  lines: z.array(line),
  versions: z.array(version),
  coming: z.array(coming),
  periods: z.array(period),
  steps: z.array(step),
  notices: z.array(notice),
  pageUrl: z.string(),
  pageSeenAt: z.string().nullable(),
})
export type OrderAnswer = z.output<typeof orderAnswer>

const gives = { output: orderAnswer }
export const getOrder = defineEndpoint({
  name: 'standingOrders.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  secret: true,
  input: byId,
  ...gives,
  summary: 'One standing order: its plan, what comes, every charge and everything that happened to it',
  errors: ['kit.notFound'],
})
const refusals = [
  'standingOrders.wrongType',
  'standingOrders.noMandate',
  'standingOrders.noCard',
  'standingOrders.cardCurrency',
  'standingOrders.noCurrency',
  'standingOrders.noIndex',
  'standingOrders.nothing',
  'standingOrders.firstTooHigh',
  'standingOrders.onlyShekels',
] as const
export const createOrder = defineEndpoint({
  name: 'standingOrders.create',
  method: 'POST',
  path: base,
  access: change,
  input: orderInput,
  ...gives,
  summary: 'Sets up a standing order; its first charge is made on its day, at once where that is today',
  errors: [...refusals],
})
export const changeOrder = defineEndpoint({
  name: 'standingOrders.change',
  method: 'PUT',
  path: `${base}/{id}`,
  access: change,
  /** `consent`: the consumer agreed to a longer term in so many words. */
  input: orderInput.omit({ lines: true }).extend({ id: z.uuid(), consent: z.boolean().default(false) }),
  ...gives,
  summary:
    'Changes how an order is charged, billed and sent; its days and benefits only before its first charge, its prices by a day of their own',
  errors: [
    'kit.notFound',
    'standingOrders.over',
    'standingOrders.rhythmFixed',
    'standingOrders.needConsent',
    ...refusals,
  ],
})
export const changePrices = defineEndpoint({
  name: 'standingOrders.changePrices',
  method: 'POST',
  path: `${base}/{id}/prices`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    fromDay: dayValue,
    lines,
    why: short(300).default(''),
    notify: z.boolean().default(true),
  }),
  ...gives,
  summary:
    'Other lines and prices from a day on; what was before stays in the history, and a consumer is told of a raise before it',
  errors: [
    'kit.notFound',
    'standingOrders.over',
    'standingOrders.periodMade',
    'standingOrders.noticeTooLate',
    ...refusals,
  ],
})
const deed = <N extends string, S extends z.ZodRawShape>(
  name: N,
  shape: S,
  summary: string,
  errors: readonly string[] = [],
  access: { readonly rule: string } = change,
) =>
  defineEndpoint({
    name: `standingOrders.${name}`,
    method: 'POST',
    path: `${base}/{id}/${name.toLowerCase()}`,
    access,
    input: z.strictObject({ id: z.uuid(), ...shape }),
    ...gives,
    summary,
    errors: ['kit.notFound', ...errors] as never,
  })
export const pauseOrder = deed(
  'pause',
  { until: dayValue.nullish(), reason: short(300).default('') },
  'Makes no charges until a day, or until it is resumed',
  ['standingOrders.over'],
)
export const resumeOrder = deed('resume', {}, 'Goes on with the first charge that begins today or later', [
  'standingOrders.notPaused',
  'standingOrders.over',
])
export const skipTurn = deed('skip', { reason: short(300).default('') }, 'Leaves the next charge out', [
  'standingOrders.over',
  'standingOrders.nothingAhead',
])
export const cancelOrder = deed(
  'cancel',
  {
    when: z.enum(['now', 'periodEnd'], { error: 'fields.choice' }),
    reason: need(300),
    notify: z.boolean().default(true),
  },
  'Ends an order at once or with the days that were charged; the customer is told in writing',
  ['standingOrders.over'],
)
export const chargeNow = deed(
  'chargeNow',
  /**
   * `nextFrom` of the order as it was seen: of two presses the second finds these days charged, and takes no
   * others.
   */
  { start: dayValue },
  'Makes the next charge now and not on its day; the same days again charge nothing again',
  ['standingOrders.over', 'standingOrders.nothingAhead', 'standingOrders.notNext'],
  run,
)
export const decideMissed = deed(
  'decide',
  { how: z.enum(['all', 'last', 'none'], { error: 'fields.choice' }) },
  'Says what becomes of charges that were missed: all are made, the last alone, or none; a missed notice is let be by the same word',
  ['standingOrders.notHeld'],
  run,
)
export const retryTurn = deed(
  'retry',
  { start: dayValue },
  'Tries a charge that failed again now',
  ['standingOrders.notFailed', 'standingOrders.noCard'],
  run,
)
export const giveUpTurn = deed(
  'giveUp',
  { start: dayValue, how: z.enum(['forgive', 'debt'], { error: 'fields.choice' }) },
  'Ends the tries of a charge that failed: it is let go, or stands as an open debt',
  ['standingOrders.notFailed'],
  run,
)
export const moveCard = deed(
  'moveCard',
  { cardId: z.uuid({ error: 'fields.ref' }) },
  'Charges another saved card from now on',
  ['standingOrders.over', 'standingOrders.noCard', 'standingOrders.cardCurrency'],
)
export const askCustomer = deed(
  'ask',
  { channel: z.enum(['mail', 'sms'], { error: 'fields.choice' }) },
  'Sends the customer the address of his own page of the order, where he pays, renews his card or cancels',
)

export const raiseMany = defineEndpoint({
  name: 'standingOrders.raise',
  method: 'POST',
  path: `${base}/raise`,
  access: change,
  input: z.strictObject({
    ids: z.array(z.uuid()).min(1, { error: 'fields.need' }).max(5000, { error: 'fields.range' }),
    /** By its share in basis points, or by its sum for each unit price in agorot. */
    by: z.union([
      z.strictObject({ basisPoints: whole(-5000, 10_000) }),
      z.strictObject({
        agorot: moneyValue
          .min(-100_000_000, { error: 'fields.range' })
          .max(100_000_000, { error: 'fields.range' }),
      }),
    ]),
    /** To whole shekels, to tenths, or to the agora. */
    round: z.enum(['whole', 'tenths', 'none'], { error: 'fields.choice' }).default('none'),
    fromDay: dayValue,
    why: short(300).default(''),
    notify: z.boolean().default(true),
    look: z.boolean().default(false),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        customer: z.string(),
        beforeAgorot: z.number(),
        afterAgorot: z.number(),
        /** The first charge with the new price. */
        firstDay: z.string().nullable(),
        /** A code of errors; null when it can be done. */
        hindrance: z.string().nullable(),
      }),
    ),
    changed: z.number(),
  }),
  summary:
    'Raises (or lowers) the prices of many orders from a day on; `look` only tells what would be. Each customer is told before it',
  errors: ['kit.notFound'],
})

const campaignStep = z.strictObject({
  days: whole(0, 120),
  on: z.enum(declineKinds, { error: 'fields.choice' }),
  deed: z.enum(deeds, { error: 'fields.choice' }),
})
const campaign = z.strictObject({
  name: need(80),
  isUsual: z.boolean().default(false),
  steps: z.array(campaignStep).min(1, { error: 'fields.need' }).max(20, { error: 'fields.range' }),
})
export const listCampaigns = defineEndpoint({
  name: 'standingOrders.campaigns',
  method: 'GET',
  path: `${base}/campaigns`,
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(campaign.extend({ id: z.string(), orders: z.number() })) }),
  summary: 'What is done when a charge fails, by name',
})
export const keepCampaign = defineEndpoint({
  name: 'standingOrders.keepCampaign',
  method: 'PUT',
  path: `${base}/campaigns`,
  access: change,
  input: campaign.extend({ id: z.uuid().optional() }),
  output: z.object({ id: z.string() }),
  summary:
    'Keeps what is done when a charge fails: tries, letters and messages by day and kind of decline, and what stands at the end',
  errors: ['kit.notFound', 'standingOrders.campaignNeedsEnd'],
})
export const dropCampaign = defineEndpoint({
  name: 'standingOrders.dropCampaign',
  method: 'DELETE',
  path: '/api4/invoice/standingOrderCampaigns/{id}',
  former: { path: `${base}/campaigns/{id}`, since: '2026-11-30', until: '2027-11-30' },
  access: change,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Takes a campaign away; its orders follow the usual one',
  errors: ['kit.notFound'],
})

const settings = z.strictObject({
  mostMissed: whole(0, 24),
  hour: whole(0, 23),
  ratePerMinute: whole(1, 1000),
})
export const orderSettings = defineEndpoint({
  name: 'standingOrders.settings',
  method: 'GET',
  path: `${base}/settings`,
  access: see,
  input: z.object({}),
  output: settings,
  summary:
    'How charges are made: at which hour, how many missed ones ask a person, how many of a terminal in a minute',
})
export const keepSettings = defineEndpoint({
  name: 'standingOrders.keepSettings',
  method: 'PUT',
  path: `${base}/settings`,
  access: run,
  input: settings,
  output: settings,
  summary: 'Keeps how charges are made',
})

const letterWords = {
  subject: need(200),
  text: need(4000),
  /** Empty of a letter that goes by mail alone. */
  sms: z.string({ error: 'fields.need' }).trim().max(300, { error: 'fields.tooLong' }),
}
const orderLetter = z.object({
  letter: z.enum(letters),
  ...letterWords,
  /** In words of the business; else the ready ones. */
  isOwn: z.boolean(),
  /** The value that replaces the name in braces. */
  gaps: z.array(z.string()),
})
export type OrderLetter = z.output<typeof orderLetter>
export const listOrderWords = defineEndpoint({
  name: 'standingOrders.words',
  method: 'GET',
  path: `${base}/words`,
  access: see,
  input: z.object({ language: languageValue }),
  output: z.object({ rows: z.array(orderLetter) }),
  summary: 'What customers are written of their orders in a language: own words, or the ready ones',
})
export const keepOrderWords = defineEndpoint({
  name: 'standingOrders.keepWords',
  method: 'PUT',
  path: `${base}/words`,
  access: change,
  input: z.strictObject({
    letter: z.enum(letters, { error: 'fields.choice' }),
    language: languageValue,
    /** null: back to the ready words. */
    words: z.strictObject(letterWords).nullable(),
  }),
  output: z.object({ rows: z.array(orderLetter) }),
  summary:
    'Keeps a letter in words of the business, or goes back to the ready ones; facts that have to be told stay in it',
  errors: ['standingOrders.gapUnknown', 'standingOrders.gapMissing', 'standingOrders.onlyMail'],
})

const progress = z.object({
  /** Due and not made yet. */
  left: z.number(),
  made: z.number(),
  failed: z.number(),
  held: z.number(),
  skipped: z.number(),
  madeAgorot: z.number(),
  stoppedAt: z.string().nullable(),
  stoppedBy: z.string().nullable(),
})
export type Progress = z.output<typeof progress>
export const runProgress = defineEndpoint({
  name: 'standingOrders.progress',
  method: 'GET',
  path: `${base}/progress`,
  access: see,
  input: z.object({}),
  output: progress,
  summary: 'How far the charges of today are',
})
export const stopRun = defineEndpoint({
  name: 'standingOrders.stop',
  method: 'POST',
  path: `${base}/stop`,
  access: run,
  input: z.strictObject({ stopped: z.boolean() }),
  output: progress,
  summary:
    'Stops all charges of the business, or lets them go on; one that was asked for already is finished',
})

const index = z.object({
  month: z.string(),
  value: z.string(),
  coefficient: z.string(),
  source: z.enum(['typed', 'file']),
})
const indexValue = (places: number) =>
  z
    .union([z.string(), z.number()])
    .transform(String)
    .pipe(
      z
        .string()
        .regex(new RegExp(`^(?!0+(\\.0+)?$)\\d{1,5}(\\.\\d{1,${places}})?$`), { error: 'fields.decimal' }),
    )
export const listIndices = defineEndpoint({
  name: 'priceIndices.list',
  method: 'GET',
  path: '/api4/invoice/priceindices',
  access: see,
  input: z.object({}),
  output: z.object({ rows: z.array(index) }),
  summary: 'The consumer price indices this business keeps, the newest first',
})
export const keepIndex = defineEndpoint({
  name: 'priceIndices.keep',
  method: 'PUT',
  path: '/api4/invoice/priceindices',
  access: change,
  /** `coefficient`: what links a new base to the one before; 1 on the first. */
  input: z.strictObject({ month: dayValue, value: indexValue(4), coefficient: indexValue(7).default('1') }),
  output: z.object({ rows: z.array(index) }),
  summary: 'Keeps the index of a month',
  errors: ['rates.future'],
})
export const dropIndex = defineEndpoint({
  name: 'priceIndices.drop',
  method: 'DELETE',
  path: '/api4/invoice/priceindices/{month}',
  access: change,
  input: z.object({ month: dayValue }),
  output: z.object({ rows: z.array(index) }),
  summary: 'Takes the index of a month away; charges that were made keep what they were worked out with',
  errors: ['kit.notFound'],
})
export const importIndices = defineEndpoint({
  name: 'priceIndices.import',
  method: 'POST',
  path: '/api4/invoice/priceindices/import',
  access: change,
  upload: { maxBytes: 1024 * 1024 },
  input: z.object({ look: queryFlag.default('false'), bytes: bytesValue }),
  output: z.object({ count: z.number(), from: z.string(), to: z.string(), skipped: z.number() }),
  summary:
    'Brings indices in from a file of the Central Bureau of Statistics (CSV or XLSX): a month and a value in each row',
  errors: ['standingOrders.indexNotFound'],
})

export const ordersOfCustomer = defineEndpoint({
  name: 'standingOrders.ofCustomer',
  method: 'GET',
  path: '/api4/invoice/customers/{id}/standingorders',
  access: see,
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        state: z.enum(states),
        means: z.enum(means),
        everyN: z.number(),
        unit: z.enum(units),
        nextDay: z.string().nullable(),
        sumAgorot: z.number(),
        broughtAgorot: z.number(),
        currency: z.string(),
      }),
    ),
  }),
  summary: 'The standing orders of a customer',
  errors: ['kit.notFound'],
})

const key = z.object({ key: z.string().min(1).max(100) })
const page = z.object({
  ...faceFields,
  language: z.string(),
  customer: z.string(),
  title: z.string(),
  state: z.enum(states),
  pausedUntil: z.string().nullable(),
  endDay: z.string().nullable(),
  everyN: z.number(),
  unit: z.enum(units),
  means: z.enum(means),
  currency: z.string(),
  nextDay: z.string().nullable(),
  nextAgorot: z.number().nullable(),
  coming: z.array(z.object({ day: z.string(), totalAgorot: z.number() })),
  card: z.object({ brand: z.string(), last4: z.string(), expires: z.string() }).nullable(),
  /** Charges that failed and can be paid here. */
  failed: z.array(
    z.object({ start: z.string(), day: z.string(), totalAgorot: z.number(), payKey: z.string().nullable() }),
  ),
  papers: z.array(
    z.object({
      key: z.string(),
      type: z.number(),
      number: z.number(),
      day: z.string(),
      totalAgorot: z.number(),
      isOpen: z.boolean(),
    }),
  ),
  mayPause: z.boolean(),
  mayCancel: z.boolean(),
  mayRenew: z.boolean(),
  /** A consumer who cancels at any time is out within so many business days. */
  cancelDays: z.number().nullable(),
})
export type OrderPage = z.output<typeof page>
const publicBase = '/api2/invoice/retainer/{key}'
export const showOrderPage = defineEndpoint({
  name: 'standingOrders.page',
  method: 'GET',
  path: publicBase,
  access: 'key',
  input: key,
  output: page,
  summary: 'What a customer sees of his standing order: what runs, the next charge, papers, what failed',
  errors: ['kit.notFound'],
})
export const orderPageLogo = defineEndpoint({
  name: 'standingOrders.pageLogo',
  method: 'GET',
  path: `${publicBase}/logo`,
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business whose order it is',
  errors: ['kit.notFound'],
})
export const pauseByKey = defineEndpoint({
  name: 'standingOrders.pagePause',
  method: 'POST',
  path: `${publicBase}/pause`,
  access: 'key',
  throttle: 30,
  input: key.extend({ until: dayValue }),
  output: page,
  summary: 'The customer himself pauses his order until a day, where he may',
  errors: ['kit.notFound', 'standingOrders.notAllowed', 'standingOrders.over'],
})
export const resumeByKey = defineEndpoint({
  name: 'standingOrders.pageResume',
  method: 'POST',
  path: `${publicBase}/resume`,
  access: 'key',
  throttle: 30,
  input: key,
  output: page,
  summary: 'The customer himself resumes his order',
  errors: ['kit.notFound', 'standingOrders.notAllowed', 'standingOrders.notPaused'],
})
export const cancelByKey = defineEndpoint({
  name: 'standingOrders.pageCancel',
  method: 'POST',
  path: `${publicBase}/cancel`,
  access: 'key',
  throttle: 30,
  input: key.extend({ reason: short(300).default('') }),
  output: page,
  summary:
    'The customer himself cancels his order, where he may; he is told in writing on which day it ended',
  errors: ['kit.notFound', 'standingOrders.notAllowed', 'standingOrders.over'],
})
const toForm = { output: z.object({ url: z.string() }) }
export const renewByKey = defineEndpoint({
  name: 'standingOrders.pageRenew',
  method: 'POST',
  path: `${publicBase}/card`,
  access: 'key',
  throttle: 30,
  input: key,
  ...toForm,
  summary:
    'The address of the acquirer’s form where the customer gives another card for his order; no card number ever reaches this server',
  errors: [
    'kit.notFound',
    'standingOrders.notAllowed',
    'standingOrders.over',
    'paymentLinks.off',
    'paymentLinks.acquirerAway',
  ],
})
export const payByKey = defineEndpoint({
  name: 'standingOrders.pagePay',
  method: 'POST',
  path: `${publicBase}/pay`,
  access: 'key',
  throttle: 30,
  input: key.extend({ start: dayValue }),
  ...toForm,
  summary:
    'The address of the acquirer’s form where a charge that failed is paid; the card stays with the order',
  errors: [
    'kit.notFound',
    'standingOrders.notAllowed',
    'paymentLinks.off',
    'paymentLinks.acquirerAway',
    'paymentLinks.inDoubt',
  ],
})

export const checkByKey = defineEndpoint({
  name: 'standingOrders.pageCheck',
  method: 'POST',
  path: `${publicBase}/check`,
  access: 'key',
  throttle: 60,
  input: key.extend({ charge: z.uuid(), told: z.string().max(4000).optional() }).strict(),
  output: page,
  summary: 'The customer came back from the acquirer’s form: asks what became of it, and answers his page',
  errors: ['kit.notFound'],
})

export const cardsForOrder = defineEndpoint({
  name: 'standingOrders.cards',
  method: 'GET',
  path: `${base}/cards/{customerId}`,
  access: change,
  input: z.object({ customerId: z.uuid() }),
  output: z.object({
    cards: z.array(
      z.object({
        id: z.string(),
        brand: z.string(),
        last4: z.string(),
        expires: z.string(),
        isDefault: z.boolean(),
      }),
    ),
    mandate: z.string().nullable(),
    isDealer: z.boolean(),
  }),
  summary:
    'How a customer can be charged: his saved cards, his debit mandate; and whether he buys for a business',
  errors: ['kit.notFound'],
})
