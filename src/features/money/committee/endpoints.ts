import { z } from 'zod'
import { reminderRhythms } from '#domain/committee/reminding.ts'
import { splitRules } from '#domain/committee/split.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, emailValue, languageValue, moneyValue, monthValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { payment as documentPayment } from '#features/sales/documents/endpoints.ts'
import { means as orderMeans, states as orderStates } from '#features/money/standingOrders/standingOrders.ts'
import { queryNumber } from '#kit/fields/query.ts'

const base = '/api4/invoice/committee'
const see = { rule: 'committee.see' }
const change = { rule: 'committee.change' }
const decide = { rule: 'committee.decide' }
const most = 1_000_000_000
const sum = moneyValue.refine((agorot) => agorot > 0 && agorot <= most, { error: 'fields.range' })
const sumOrNone = moneyValue.refine((agorot) => agorot >= 0 && agorot <= most, { error: 'fields.range' })
const rule = z.enum(splitRules, { error: 'fields.choice' })
const words = (max: number) => z.string().trim().max(max, { error: 'fields.tooLong' })
const needed = (max: number) => words(max).min(1, { error: 'fields.need' })
const done = z.object({ done: z.literal(true) })

export const cellStates = ['none', 'exempt', 'paid', 'part', 'open', 'ahead'] as const
const cell = z.object({
  month: z.string(),
  state: z.enum(cellStates),
  agorot: z.number(),
  paidAgorot: z.number(),
})
const row = z.object({
  flatId: z.string(),
  entrance: z.string(),
  number: z.string(),
  payerId: z.string().nullable(),
  payer: z.string().nullable(),
  role: z.string().nullable(),
  /** The person who pays today; two where each pays a part. */
  payers: z.array(
    z.object({ id: z.string(), name: z.string(), splitBp: z.number().nullable(), debtAgorot: z.number() }),
  ),
  /** The last payment method. */
  means: z.number().nullable(),
  cells: z.array(cell),
  debtAgorot: z.number(),
  aheadAgorot: z.number(),
})
export type GridRow = z.output<typeof row>
const levy = z.object({
  id: z.string(),
  name: z.string(),
  purpose: z.string(),
  rule,
  agorot: z.number(),
  paidAgorot: z.number(),
  instalments: z.number(),
  instalmentsDue: z.number(),
  firstMonth: z.string(),
  decidedOn: z.string(),
  votesFor: z.number(),
  votesAgainst: z.number(),
  /** Payers who owe something of it and were not asked yet. */
  toAsk: z.number(),
  /** Payers who owe an instalment whose month has come. */
  owing: z.number(),
})
export type Levy = z.output<typeof levy>
const spent = z.object({
  expenseId: z.string(),
  day: z.string(),
  supplier: z.string(),
  type: z.string(),
  said: z.string(),
  levy: z.string().nullable(),
  agorot: z.number(),
  files: z.number(),
})

export const grid = defineEndpoint({
  name: 'committee.grid',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: z.object({
    id: z.uuid(),
    year: queryNumber(z.int().min(2000).max(2999)).optional(),
    levyId: z.uuid().optional(),
  }),
  output: z.object({
    building: z.object({
      id: z.string(),
      name: z.string(),
      treasurer: z.string(),
      pageUrl: z.string().nullable(),
      namesDecision: z.string(),
      rate: z.object({ rule, agorot: z.number(), fromMonth: z.string() }).nullable(),
      /** Debtors are reminded automatically; null: only by hand. */
      reminders: z
        .object({ every: z.enum(reminderRhythms), firstDay: z.string(), nextOn: z.string() })
        .nullable(),
      /** Floors of its flats, with what a flat there bears; null where nothing was set. */
      floors: z.array(z.object({ floor: z.number(), weight: z.number().nullable() })),
    }),
    year: z.number(),
    firstYear: z.number(),
    months: z.array(z.string()),
    rows: z.array(row),
    levies: z.array(levy),
    spent: z.array(spent),
    figures: z.object({
      collectedAgorot: z.number(),
      expectedAgorot: z.number(),
      spentAgorot: z.number(),
      balanceAgorot: z.number(),
      reserveAgorot: z.number(),
      debtAgorot: z.number(),
      owing: z.number(),
    }),
  }),
  summary: 'A house: flats by months with what is paid and owed, levies, expenses and what is in the till',
  errors: ['kit.notFound', 'session.forbidden'],
})
export type Grid = z.output<typeof grid.output>

export const setRate = defineEndpoint({
  name: 'committee.setRate',
  method: 'PUT',
  path: `${base}/{id}/rate`,
  access: decide,
  input: z.strictObject({
    id: z.uuid(),
    fromMonth: monthValue,
    rule,
    agorot: sumOrNone,
    /** What a flat of each floor bears beside a whole part, which is 100; what was set before when absent. */
    floors: z
      .array(
        z.strictObject({
          floor: z.number().int().min(-20, { error: 'fields.range' }).max(200, { error: 'fields.range' }),
          weight: z
            .number({ error: 'fields.need' })
            .int()
            .min(0, { error: 'fields.range' })
            .max(10_000, { error: 'fields.range' }),
        }),
      )
      .max(221, { error: 'fields.tooMany' })
      .optional(),
  }),
  output: done,
  summary:
    'What the house pays a month from a month on, and how it is split; months before stay as they were',
  errors: [
    'kit.notFound',
    'committee.noFlats',
    'committee.noArea',
    'committee.noFloor',
    'committee.sharesNotWhole',
    'committee.noOwn',
  ],
})

export const charge = defineEndpoint({
  name: 'committee.charge',
  method: 'POST',
  path: `${base}/{id}/charge`,
  access: change,
  input: z.strictObject({ id: z.uuid(), from: monthValue, to: monthValue }),
  output: z.object({ made: z.number(), withoutPayer: z.number() }),
  summary: 'Makes the dues of months, each flat once; what was paid ahead pays them',
  errors: [
    'kit.notFound',
    'committee.noRate',
    'committee.monthsTooMany',
    'committee.noFlats',
    'committee.noArea',
    'committee.noFloor',
    'committee.sharesNotWhole',
    'committee.noOwn',
  ],
})

export const openingDebt = defineEndpoint({
  name: 'committee.openingDebt',
  method: 'POST',
  path: `${base}/{id}/opening`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    flatId: z.uuid({ error: 'fields.ref' }),
    month: monthValue,
    agorot: sum,
  }),
  output: done,
  summary: 'What a flat owed before the house came here',
  errors: ['kit.notFound', 'kit.conflict'],
})

const payment = z.strictObject({
  flatId: z.uuid({ error: 'fields.ref' }),
  /** Who paid; the person who pays for the flat today when absent. */
  customerId: z.uuid({ error: 'fields.ref' }).optional(),
  agorot: sum,
  means: z.number().int().min(1, { error: 'fields.choice' }).max(8, { error: 'fields.choice' }),
  day: dayValue.optional(),
  reference: words(100).default(''),
  /** The line of the bank it came by: entered twice it is refused. */
  bankLineId: z.uuid({ error: 'fields.ref' }).optional(),
  /** A series of cheques, one a month from this day; the sum is of all of them. */
  cheques: z.number().int().min(1, { error: 'fields.range' }).max(36, { error: 'fields.range' }).optional(),
  firstCheque: dayValue.optional(),
  /** Of a cheque, or of the account that money was transferred from. */
  bank: documentPayment.shape.bank,
  branch: documentPayment.shape.branch,
  account: documentPayment.shape.account,
  /** Of a cheque; of a series, its first number: the others follow. */
  number: documentPayment.shape.number,
})

export const takePayments = defineEndpoint({
  name: 'committee.pay',
  method: 'POST',
  path: `${base}/{id}/payments`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    payments: z.array(payment).min(1, { error: 'fields.need' }).max(200, { error: 'fields.tooMany' }),
    /** The caller's key of this action: sent twice, it is done once. */
    clientKey: words(60).optional(),
  }),
  output: z.object({
    receipts: z.array(z.object({ documentId: z.string(), number: z.number(), customer: z.string() })),
    aheadAgorot: z.number(),
  }),
  summary:
    'Enters what tenants paid and gives each his receipt, in bulk; the oldest dues are paid first, what is left pays the next ones',
  errors: [
    'kit.notFound',
    'committee.nobodyPays',
    'committee.lineTaken',
    'documents.dateInFuture',
    'payments.cashAboveLimit',
  ],
})

export const transfers = defineEndpoint({
  name: 'committee.transfers',
  method: 'GET',
  path: `${base}/{id}/transfers`,
  access: change,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    rows: z.array(
      z.object({
        lineId: z.string(),
        day: z.string(),
        agorot: z.number(),
        text: z.string(),
        reference: z.string(),
        flatId: z.string().nullable(),
        /** By the number of the flat in the text, or by the name of its payer. */
        by: z.enum(['number', 'name']).nullable(),
      }),
    ),
  }),
  summary: 'Money that came to the bank and is nobody’s yet, with the flat its text names; nothing is kept',
  errors: ['kit.notFound'],
})
export const cancelTaken = defineEndpoint({
  name: 'committee.cancelPayment',
  method: 'POST',
  path: `/api4/invoice/committeepayments/{id}/cancel`,
  access: change,
  input: z.strictObject({ id: z.uuid(), reason: needed(200) }),
  output: done,
  summary: 'Cancels the receipt of a payment: what it paid is owed again',
  errors: ['kit.notFound', 'committee.alreadyCancelled'],
})

const instalments = queryNumber(z.int().min(1, { error: 'fields.range' }).max(60, { error: 'fields.range' }))
export const levyShares = defineEndpoint({
  name: 'committee.levyShares',
  method: 'GET',
  path: `${base}/{id}/levyshares`,
  access: decide,
  input: z.object({
    id: z.uuid(),
    rule,
    agorot: queryNumber(
      z
        .number()
        .int({ error: 'fields.money' })
        .min(1, { error: 'fields.range' })
        .max(most, { error: 'fields.range' }),
    ),
    instalments,
  }),
  output: z.object({
    rows: z.array(
      z.object({
        flatId: z.string(),
        entrance: z.string(),
        number: z.string(),
        isExempt: z.boolean(),
        agorot: z.number(),
        firstAgorot: z.number().describe('Of it the first instalment, which is the largest'),
      }),
    ),
  }),
  summary: 'What each flat would pay of a levy, before it is made; nothing is kept',
  errors: [
    'kit.notFound',
    'committee.noFlats',
    'committee.noArea',
    'committee.noFloor',
    'committee.sharesNotWhole',
    'committee.noOwn',
  ],
})

export const makeLevy = defineEndpoint({
  name: 'committee.levy',
  method: 'POST',
  path: `${base}/{id}/levies`,
  access: decide,
  input: z.strictObject({
    id: z.uuid(),
    name: needed(120),
    purpose: words(1000).default(''),
    rule,
    agorot: sum,
    instalments: z.number().int().min(1, { error: 'fields.range' }).max(60, { error: 'fields.range' }),
    firstMonth: monthValue,
    decidedOn: dayValue,
    votesFor: z.number().int().min(1, { error: 'fields.range' }).max(10_000, { error: 'fields.range' }),
    votesAgainst: z
      .number()
      .int()
      .min(0, { error: 'fields.range' })
      .max(10_000, { error: 'fields.range' })
      .default(0),
    /** The most the meeting allowed; the sum itself when absent. */
    votedAgorot: sum.optional(),
    /** The protocol, kept before. */
    fileIds: z.array(z.uuid()).max(10, { error: 'fields.tooMany' }).default([]),
  }),
  output: z.object({ id: z.string() }),
  summary: 'A one-time collection that the meeting decided, split over the flats and into instalments',
  errors: [
    'kit.notFound',
    'committee.aboveVote',
    'committee.votesLost',
    'committee.noFlats',
    'committee.noArea',
    'committee.noFloor',
    'committee.sharesNotWhole',
    'committee.noOwn',
  ],
})

export const dropLevy = defineEndpoint({
  name: 'committee.dropLevy',
  method: 'POST',
  path: `/api4/invoice/committeelevies/{id}/cancel`,
  access: decide,
  input: z.strictObject({ id: z.uuid() }),
  output: done,
  summary: 'Takes back a levy of which nobody paid anything yet',
  errors: ['kit.notFound', 'committee.levyPaid'],
})

export const addExpense = defineEndpoint({
  name: 'committee.addExpense',
  method: 'POST',
  path: `${base}/{id}/expenses`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    supplier: needed(200),
    typeId: z.uuid({ error: 'fields.ref' }),
    agorot: sum,
    day: dayValue,
    means: z.enum(['bank', 'card', 'cash', 'cheque'], { error: 'fields.choice' }),
    number: words(40).default(''),
    /** What all tenants read of it. */
    said: words(200).default(''),
    levyId: z.uuid({ error: 'fields.ref' }).optional(),
    fileIds: z.array(z.uuid()).max(20, { error: 'fields.tooMany' }).default([]),
  }),
  output: z.object({ id: z.string() }),
  summary:
    'Enters what the house spent, with its paper: an expense of the books that stands on the page of the house',
  errors: ['kit.notFound', 'session.forbidden', 'ledger.periodClosed'],
})

export const askLevy = defineEndpoint({
  name: 'committee.askLevy',
  method: 'POST',
  path: `/api4/invoice/committeelevies/{id}/ask`,
  access: change,
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ sent: z.number(), withoutMail: z.number() }),
  summary:
    'Writes to each payer of a levy once: what was decided, his part, its instalments, and his own page to pay on',
  errors: ['kit.notFound', 'committee.allAsked'],
})

export const remindTenants = defineEndpoint({
  name: 'committee.remind',
  method: 'POST',
  path: `${base}/{id}/remind`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    customers: z.array(z.uuid()).max(500, { error: 'fields.tooMany' }).optional(),
    /** Of this levy alone: instalments whose month has come. */
    levyId: z.uuid({ error: 'fields.ref' }).optional(),
  }),
  output: z.object({
    sent: z.number(),
    recently: z.number(),
    withoutMail: z.number(),
    copies: z.number().describe('Owners who were told of what their flats’ payers owe'),
  }),
  summary:
    'Writes politely to whoever owes for past months, or instalments of a levy whose month has come; each at most once a week; owners too, where the house wants that',
  errors: ['kit.notFound', 'committee.nobodyOwes'],
})

export const setReminders = defineEndpoint({
  name: 'committee.setReminders',
  method: 'PUT',
  path: `${base}/{id}/reminders`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    every: z.enum(['never', ...reminderRhythms], { error: 'fields.choice' }),
    /** The first day; later ones are counted from it. */
    firstDay: dayValue,
  }),
  output: z.object({ nextOn: z.string().nullable() }),
  summary:
    'How often whoever owes is reminded by itself, and from which day on; Fridays and Saturdays become Sunday',
  errors: ['kit.notFound', 'session.forbidden'],
})

export const setPage = defineEndpoint({
  name: 'committee.setPage',
  method: 'PUT',
  path: `${base}/{id}/page`,
  access: decide,
  input: z.strictObject({
    id: z.uuid(),
    on: z.boolean(),
    /** A new link; the old one opens nothing any more. */
    renew: z.boolean().default(false),
    /** What the house decided about names of those who owe; empty: no names. */
    namesDecision: words(300).default(''),
  }),
  output: z.object({ url: z.string().nullable() }),
  summary:
    'The page for all tenants: opens and closes it, makes a new link, and shows names only by a decision of the house',
  errors: ['kit.notFound'],
})

export const handOver = defineEndpoint({
  name: 'committee.handOver',
  method: 'POST',
  path: `${base}/{id}/handover`,
  access: decide,
  input: z.strictObject({
    id: z.uuid(),
    to: needed(120),
    /** Where the link to the package is sent; without it the person who hands over passes it on. */
    email: z.union([z.literal(''), emailValue]).default(''),
    things: words(2000).default(''),
    /** Whether the next committee works in the business too, and with what. */
    joins: z.enum(['none', 'committee', 'everything'], { error: 'fields.choice' }).default('none'),
    /** People whose access to the business ends. */
    ends: z.array(z.uuid()).max(50, { error: 'fields.tooMany' }).default([]),
    confirmed: z.literal(true, { error: 'fields.need' }),
  }),
  output: z.object({ balanceAgorot: z.number(), debtsAgorot: z.number(), pageUrl: z.string() }),
  summary:
    'Hands the house over to the next committee: a package of what there is, a page on which it is taken, access, the new treasurer and a new link for tenants',
  errors: [
    'kit.notFound',
    'session.forbidden',
    'fields.need',
    'team.alreadyHere',
    'team.beyondYours',
    'team.yourself',
    'team.lastOwner',
    'kit.tooMany',
  ],
})

export const listHandOvers = defineEndpoint({
  name: 'committee.handOvers',
  method: 'GET',
  path: `${base}/{id}/handovers`,
  access: see,
  secret: true,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        at: z.string(),
        fromName: z.string(),
        toName: z.string(),
        /** The person who pressed the button. */
        byName: z.string().nullable(),
        email: z.string(),
        balanceAgorot: z.number(),
        debtsAgorot: z.number(),
        things: z.string(),
        residents: z.number(),
        papers: z.number(),
        hasPackage: z.boolean(),
        pageUrl: z.string().nullable(),
        closesOn: z.string().nullable(),
        takenAt: z.string().nullable(),
      }),
    ),
  }),
  summary: 'Who handed a house over to whom and when, with what, and whether it was taken',
  errors: ['kit.notFound', 'session.forbidden'],
})
export type HandOver = z.output<typeof listHandOvers.output>['rows'][number]

export const handOverPackage = defineEndpoint({
  name: 'committee.package',
  method: 'GET',
  path: '/api4/invoiceexport/committeehandovers/{id}',
  access: see,
  file: true,
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  summary:
    'What was handed over with a house as an archive: residents, debts, levies, the till line by line, and the papers',
  errors: ['kit.notFound', 'session.forbidden'],
})

export const setHandOverPage = defineEndpoint({
  name: 'committee.setHandOverPage',
  method: 'PUT',
  path: `/api4/invoice/committeehandovers/{id}/page`,
  access: decide,
  input: z.strictObject({ id: z.uuid(), on: z.boolean() }),
  output: z.object({ url: z.string().nullable() }),
  summary:
    'Closes the page of whoever took the house, or makes a new link to it; the one before opens nothing',
  errors: ['kit.notFound', 'session.forbidden'],
})

const byKey = z.object({ key: z.string().max(100) })
export const housePage = defineEndpoint({
  name: 'committee.page',
  method: 'GET',
  path: '/api2/invoice/vaadpage/{key}',
  access: 'key',
  input: byKey.extend({ year: queryNumber(z.int().min(2000).max(2999)).optional() }),
  output: z.object({
    ...faceFields,
    language: languageValue,
    house: z.string(),
    address: z.string(),
    treasurer: z.string(),
    year: z.number(),
    firstYear: z.number(),
    balanceAgorot: z.number(),
    reserveAgorot: z.number(),
    months: z.array(z.object({ month: z.string(), cameAgorot: z.number(), wentAgorot: z.number() })),
    spent: z.array(
      z.object({
        day: z.string(),
        said: z.string(),
        agorot: z.number(),
        files: z.array(z.object({ id: z.string(), name: z.string() })),
      }),
    ),
    levies: z.array(
      z.object({
        name: z.string(),
        purpose: z.string(),
        agorot: z.number(),
        paidAgorot: z.number(),
        decidedOn: z.string(),
      }),
    ),
    debts: z.object({
      agorot: z.number(),
      flats: z.number(),
      /** Only where the house decided it. */
      names: z.array(z.object({ flat: z.string(), name: z.string(), agorot: z.number() })).nullable(),
    }),
  }),
  summary: 'What came in and what was spent on what, with the papers, for all tenants of a house',
  errors: ['kit.notFound'],
})
export const housePaper = defineEndpoint({
  name: 'committee.pagePaper',
  method: 'GET',
  path: '/api2/invoice/vaadpage/{key}/papers/{fileId}',
  access: 'key',
  file: true,
  input: byKey.extend({ fileId: z.uuid() }),
  output: z.any(),
  summary: 'The paper of an expense on that page',
  errors: ['kit.notFound'],
})
export const houseLogo = defineEndpoint({
  name: 'committee.pageLogo',
  method: 'GET',
  path: '/api2/invoice/vaadpage/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on that page',
  errors: ['kit.notFound'],
})

export const handOverPage = defineEndpoint({
  name: 'committee.handOverPage',
  method: 'GET',
  path: '/api2/invoice/vaadhandover/{key}',
  access: 'key',
  input: byKey,
  output: z.object({
    ...faceFields,
    language: languageValue,
    house: z.string(),
    address: z.string(),
    day: z.string(),
    fromName: z.string(),
    toName: z.string(),
    balanceAgorot: z.number(),
    reserveAgorot: z.number(),
    debtsAgorot: z.number(),
    things: z.string(),
    rate: z.object({ rule, agorot: z.number() }).nullable(),
    residents: z.array(z.object({ flat: z.string(), name: z.string(), role: z.string(), pays: z.boolean() })),
    debts: z.array(z.object({ flat: z.string(), name: z.string(), agorot: z.number() })),
    levies: z.array(
      z.object({
        name: z.string(),
        purpose: z.string(),
        agorot: z.number(),
        paidAgorot: z.number(),
        decidedOn: z.string(),
      }),
    ),
    papers: z.number(),
    closesOn: z.string(),
    takenAt: z.string().nullable(),
  }),
  summary: 'What the next committee takes over with a house',
  errors: ['kit.notFound'],
})
export const handOverFile = defineEndpoint({
  name: 'committee.handOverFile',
  method: 'GET',
  path: '/api2/invoice/vaadhandover/{key}/file',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The package of that page as an archive',
  errors: ['kit.notFound'],
})
export const takeHandOver = defineEndpoint({
  name: 'committee.takeHandOver',
  method: 'POST',
  path: '/api2/invoice/vaadhandover/{key}/take',
  access: 'key',
  input: z.strictObject({ key: z.string().max(100) }),
  output: z.object({ takenAt: z.string() }),
  summary: 'Whoever takes a house says that he took it',
  errors: ['kit.notFound'],
})
export const handOverLogo = defineEndpoint({
  name: 'committee.handOverLogo',
  method: 'GET',
  path: '/api2/invoice/vaadhandover/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on that page',
  errors: ['kit.notFound'],
})

export const setTenantPage = defineEndpoint({
  name: 'committee.setTenantPage',
  method: 'PUT',
  path: `${base}/{id}/tenantpage`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    customerId: z.uuid({ error: 'fields.ref' }),
    on: z.boolean().default(true),
    renew: z.boolean().default(false),
  }),
  output: z.object({ url: z.string().nullable() }),
  summary: 'The page of one tenant alone: opens and closes it, and makes a new link',
  errors: ['kit.notFound', 'fields.ref'],
})
export const tenantOrders = defineEndpoint({
  name: 'committee.orders',
  method: 'GET',
  path: `${base}/{id}/orders`,
  access: change,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        customer: z.string(),
        title: z.string(),
        state: z.enum(orderStates),
        nextDay: z.string().nullable(),
        nextAgorot: z.number(),
      }),
    ),
    /** Who pays in the house today, with the amount of the newest month for each. */
    payers: z.array(
      z.object({ customerId: z.string(), name: z.string(), flats: z.string(), agorot: z.number() }),
    ),
  }),
  summary: 'The standing orders by which tenants pay a house, and who could have one',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const orderForTenant = defineEndpoint({
  name: 'committee.order',
  method: 'POST',
  path: `${base}/{id}/orders`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    customerId: z.uuid({ error: 'fields.ref' }),
    agorot: sum,
    means: z.enum(orderMeans, { error: 'fields.choice' }).default('card'),
    cardId: z.uuid({ error: 'fields.ref' }).nullish(),
    startDay: dayValue,
  }),
  output: z.object({ orderId: z.string() }),
  summary:
    'A monthly standing order of a tenant: what it brings pays his dues, the oldest first, with its receipt',
  errors: ['kit.notFound', 'session.forbidden', 'fields.ref', 'standingOrders.wrongType'],
})
export const tenantPage = defineEndpoint({
  name: 'committee.tenantPage',
  method: 'GET',
  path: '/api2/invoice/vaadtenant/{key}',
  access: 'key',
  input: byKey,
  output: z.object({
    ...faceFields,
    language: languageValue,
    house: z.string(),
    treasurer: z.string(),
    name: z.string(),
    flats: z.array(
      z.object({ flat: z.string(), role: z.string(), fromDay: z.string(), toDay: z.string().nullable() }),
    ),
    dues: z.array(
      z.object({
        month: z.string(),
        flat: z.string(),
        /** The levy it is of; the month's own without one. */
        what: z.string().nullable(),
        agorot: z.number(),
        paidAgorot: z.number(),
        /** The viewer pays it; for their own flat owners see the others, too. */
        isMine: z.boolean(),
        /** Its month has not come yet. */
        isAhead: z.boolean(),
      }),
    ),
    paid: z.array(
      z.object({ day: z.string(), agorot: z.number(), receipt: z.number().nullable(), flat: z.string() }),
    ),
    openAgorot: z.number(),
    paysOnline: z.boolean(),
    housePage: z.string().nullable(),
  }),
  summary: 'What a tenant owes and paid, for himself alone',
  errors: ['kit.notFound'],
})
export const payByTenant = defineEndpoint({
  name: 'committee.payByTenant',
  method: 'POST',
  path: '/api2/invoice/vaadtenant/{key}/pay',
  access: 'key',
  input: z.strictObject({ key: z.string().max(100) }),
  output: z.object({ url: z.string() }),
  summary: 'A page on which a tenant pays what he owes by card',
  errors: ['kit.notFound', 'kit.tooMany', 'committee.nobodyOwes', 'committee.notOnline'],
})
export const tenantLogo = defineEndpoint({
  name: 'committee.tenantLogo',
  method: 'GET',
  path: '/api2/invoice/vaadtenant/{key}/logo',
  access: 'key',
  file: true,
  input: byKey,
  output: z.any(),
  summary: 'The business’s logo on that page',
  errors: ['kit.notFound'],
})
