import { z } from 'zod'
import { labelAnswer } from '#features/sales/documents/endpoints.ts'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue, inputOf, outputOf } from '#kit/fields/schema.ts'
import { emailValue, moneyValue, phoneValue, taxIdValue } from '#kit/fields/schema.ts'
import { markFields } from '#kit/fields/marks.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { refundStates, wallets } from '#features/money/acquirers/acquirers.ts'
import { chargeStates, disputeStates, paymentLinks } from './paymentLinks.ts'

const see = { rule: 'paymentLinks.see' } as const
const change = { rule: 'paymentLinks.change' } as const
const refund = { rule: 'charges.refund' } as const
const base = '/api4/invoice/paymentLinks'
const byId = z.object({ id: z.uuid() })
const key = z.object({ key: z.string().min(1).max(100) })
/** What the payer's browser brought back from the acquirer's form; some can be asked about nothing else. */
const told = z.string().max(4000).optional()

const metadata = { metadata: markFields.metadata }
const linkAnswer = outputOf(paymentLinks).extend({ url: z.string() })

export const createLink = defineEndpoint({
  name: 'paymentLinks.create',
  method: 'POST',
  path: base,
  access: change,
  input: inputOf(paymentLinks.fields, 'create').extend(metadata),
  output: linkAnswer,
  summary: 'Makes a payment link, of a sum or of one document',
  errors: [
    'paymentLinks.off',
    'paymentLinks.sumOrDocument',
    'paymentLinks.nothingDue',
    'paymentLinks.onlyShekels',
    'paymentLinks.onlyNonProfit',
    'paymentLinks.paperNot',
    'paymentLinks.badUrl',
    'fields.taken',
  ],
})
export const changeLink = defineEndpoint({
  name: 'paymentLinks.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: change,
  input: inputOf(paymentLinks.fields, 'change').extend({ id: z.uuid(), ...metadata }),
  output: linkAnswer,
  summary: 'Changes a link that is not paid yet',
  errors: [
    'kit.notFound',
    'paymentLinks.notOpen',
    'paymentLinks.sumOrDocument',
    'paymentLinks.nothingDue',
    'paymentLinks.paperNot',
    'paymentLinks.badUrl',
    'fields.taken',
  ],
})
export const linkOfDocument = defineEndpoint({
  name: 'paymentLinks.ofDocument',
  method: 'POST',
  path: `/api4/invoice/documents/{id}/paymentlink`,
  access: change,
  input: byId,
  output: linkAnswer,
  summary: 'The open payment link of a document; made when there is none',
  errors: ['kit.notFound', 'paymentLinks.nothingDue', 'paymentLinks.onlyShekels'],
})
export const cancelLink = defineEndpoint({
  name: 'paymentLinks.cancel',
  method: 'POST',
  path: `${base}/{id}/cancel`,
  access: change,
  input: byId,
  output: linkAnswer,
  summary: 'Cancels a link: nothing can be paid by it any more',
  errors: ['kit.notFound', 'paymentLinks.notOpen'],
})
export const sendLink = defineEndpoint({
  name: 'paymentLinks.send',
  method: 'POST',
  path: `${base}/{id}/send`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    to: emailValue,
    text: z.string().trim().max(2000, { error: 'fields.tooLong' }).optional(),
  }),
  output: linkAnswer,
  summary: 'Sends a link by mail',
  errors: ['kit.notFound', 'paymentLinks.notOpen'],
})

/** What the payer of the acquirer's form enters, where the business does not know the payer. */
const payer = z.strictObject({
  name: z
    .string({ error: 'fields.need' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(200, { error: 'fields.tooLong' }),
  email: z.union([z.literal(''), emailValue]).optional(),
  phone: z.union([z.literal(''), phoneValue]).optional(),
  taxId: z.union([z.literal(''), taxIdValue]).optional(),
})
export type Payer = z.output<typeof payer>

/** Means that the form can be opened for alone, beside the card, for the sum there is to pay. */
const offered = z.array(z.enum(wallets))
const wallet = z.enum(wallets, { error: 'fields.choice' }).optional()

const paperLink = z.object({ key: z.string(), type: z.number(), number: z.number() })
const outcome = z.object({
  state: z.enum(['open', 'declined', 'inDoubt', 'paid', 'surplus', 'lapsed']),
  code: z.string(),
  /** The receipt, once it is issued. */
  paper: paperLink.nullable(),
})
export type Outcome = z.output<typeof outcome>

export const linkPage = defineEndpoint({
  name: 'paymentLinks.page',
  method: 'GET',
  path: '/api2/invoice/payment/{key}',
  access: 'key',
  input: key,
  output: z.object({
    ...faceFields,
    language: z.string(),
    description: z.string(),
    customer: z.string(),
    amountAgorot: z.number(),
    mostInstalments: z.number(),
    wallets: offered,
    expiresOn: z.string().nullable(),
    state: z.enum(['open', 'paid', 'expired', 'cancelled']),
    donation: z.boolean(),
    asksPayer: z.boolean(),
    /** An optional consent of the payer: the card is saved for later payments. Empty: it is not offered. */
    keeping: z.string(),
    /** Cards are taken; `test`: by the test acquirer, and no money moves. */
    online: z.boolean(),
    test: z.boolean(),
    bankDetails: z.string(),
    phonePayment: z.string(),
    thanks: z.string(),
    /** Where the payer is led after paying, and the way back without paying; '': nowhere. */
    successUrl: z.string(),
    errorUrl: z.string(),
    paper: paperLink.nullable(),
  }),
  summary: 'A payment link as its payer sees it',
  errors: ['kit.notFound'],
})
export const linkLogo = defineEndpoint({
  name: 'paymentLinks.logo',
  method: 'GET',
  path: '/api2/invoice/payment/{key}/logo',
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business',
  errors: ['kit.notFound'],
})
const paying = [
  'kit.notFound',
  'paymentLinks.off',
  'paymentLinks.notOpen',
  'paymentLinks.nothingDue',
  'paymentLinks.inDoubt',
  'paymentLinks.noWallet',
  'paymentLinks.acquirerAway',
] as const
export const beginLink = defineEndpoint({
  name: 'paymentLinks.begin',
  method: 'POST',
  path: '/api2/invoice/payment/{key}/begin',
  access: 'key',
  throttle: 60,
  input: key.extend({ payer: payer.optional(), keepsCard: z.boolean().optional(), wallet }).strict(),
  output: z.object({ url: z.string() }),
  summary:
    'Opens the acquirer’s form for a link; answers its address. Asked again while it is open, the same one',
  errors: paying,
})
export const checkLink = defineEndpoint({
  name: 'paymentLinks.check',
  method: 'POST',
  path: '/api2/invoice/payment/{key}/check',
  access: 'key',
  throttle: 300,
  input: key.extend({ charge: z.uuid(), told }).strict(),
  output: outcome,
  summary: 'Asks the acquirer what became of a payment, and issues the receipt',
  errors: ['kit.notFound', 'paymentLinks.acquirerAway'],
})

export const documentPay = defineEndpoint({
  name: 'paymentLinks.documentPay',
  method: 'GET',
  path: '/api2/invoice/page/{key}/pay',
  access: 'key',
  input: key,
  output: z.object({
    online: z.boolean(),
    test: z.boolean(),
    /** In shekels; 0 when nothing is open or the document is in another currency. */
    openAgorot: z.number(),
    mostInstalments: z.number(),
    wallets: offered,
    phonePayment: z.string(),
    thanks: z.string(),
  }),
  summary: 'How a document can be paid from its page',
  errors: ['kit.notFound'],
})
export const beginDocument = defineEndpoint({
  name: 'paymentLinks.beginDocument',
  method: 'POST',
  path: '/api2/invoice/page/{key}/pay',
  access: 'key',
  throttle: 60,
  input: key.extend({ wallet }).strict(),
  output: z.object({ url: z.string() }),
  summary: 'Opens the acquirer’s form for what a document has open',
  errors: paying,
})
export const checkDocument = defineEndpoint({
  name: 'paymentLinks.checkDocument',
  method: 'POST',
  path: '/api2/invoice/page/{key}/paycheck',
  access: 'key',
  throttle: 300,
  input: key.extend({ charge: z.uuid(), told }).strict(),
  output: outcome,
  summary: 'Asks the acquirer what became of a payment of a document',
  errors: ['kit.notFound', 'paymentLinks.acquirerAway'],
})

/** A paper that waits for the signature of the person who sees the page. */
const toSign = z.object({
  name: z.string(),
  /** Where it is signed. */
  url: z.string(),
  /** The last day on which it can be. */
  until: z.string(),
})
export type ToSign = z.output<typeof toSign>
export const documentSign = defineEndpoint({
  name: 'customerPages.documentSign',
  method: 'GET',
  path: '/api2/invoice/page/{key}/sign',
  access: 'key',
  input: key,
  output: z.object({ rows: z.array(toSign) }),
  summary: 'What waits for the customer’s own signature, on the page of the document it is about',
  errors: ['kit.notFound'],
})

export const bankAccounts = defineEndpoint({
  name: 'paymentLinks.bankAccounts',
  method: 'GET',
  path: '/api4/invoice/acquirer/accounts',
  access: { rule: 'companies.see' },
  input: z.object({}),
  output: z.object({ rows: z.array(z.object({ id: z.string(), number: z.string(), name: z.string() })) }),
  summary: 'The accounts of the books a transfer may land on',
})

const chargesBase = '/api4/invoice/cardCharges'
const chargeAnswer = z.object({
  id: z.string(),
  createdAt: z.string(),
  customerId: z.string().nullable(),
  payer: z.string(),
  sumAgorot: z.number(),
  givenBackAgorot: z.number(),
  /** What may still be refunded. */
  leftAgorot: z.number(),
  state: z.enum(chargeStates),
  declineCode: z.string(),
  declineClass: z.string(),
  cardBrand: z.string(),
  cardLast4: z.string(),
  instalments: z.number().nullable(),
  acquirer: z.string(),
  reference: z.string(),
  approval: z.string(),
  paper: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
  paperFailure: z.string(),
  paysDocument: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
  link: z.object({ id: z.string(), description: z.string() }).nullable(),
  wholeOnly: z.boolean(),
  refunds: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      amountAgorot: z.number(),
      reason: z.string(),
      state: z.enum(refundStates),
      automatic: z.boolean(),
      code: z.string(),
      paper: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
      paperFailure: z.string(),
    }),
  ),
  /** The payer disputed it at the bank. */
  dispute: z
    .object({
      state: z.enum(disputeStates),
      toldOn: z.string(),
      answerBy: z.string().nullable(),
      reason: z.string(),
      amountAgorot: z.number(),
    })
    .nullable(),
  events: z.array(z.object({ at: z.string(), kind: z.string(), details: z.record(z.string(), z.any()) })),
})
export type ChargeAnswer = z.output<typeof chargeAnswer>
/** A link with the card payment that tells what became of it: the one it was paid by, else the newest try. */
const wholeLink = linkAnswer.extend({ charge: chargeAnswer.nullable() })
export type WholeLink = z.output<typeof wholeLink>
export const getLink = defineEndpoint({
  name: 'paymentLinks.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: recordInput,
  output: wholeLink.extend(alongWith),
  summary: 'One payment link, with its address and what became of it',
  errors: ['kit.notFound'],
})
export const linkByReference = defineEndpoint({
  name: 'paymentLinks.byReference',
  method: 'GET',
  path: '/api4/invoice/paymentLinkReferences/{reference}',
  former: { path: `${base}/byreference/{reference}`, since: '2026-11-30', until: '2027-11-30' },
  access: see,
  input: z.object({ reference: z.string().min(1).max(100) }),
  output: wholeLink,
  summary: 'The payment link that is known by a reference of your own, and what became of it',
  errors: ['kit.notFound'],
})
export const refundLink = defineEndpoint({
  name: 'paymentLinks.refund',
  method: 'POST',
  path: `${base}/{id}/refund`,
  access: refund,
  input: z.strictObject({
    id: z.uuid(),
    /** All that is left of it when absent. */
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    /** Under one key money goes back once, however often it is asked. */
    clientKey: z
      .string()
      .trim()
      .min(1, { error: 'fields.need' })
      .max(100, { error: 'fields.tooLong' })
      .optional(),
  }),
  output: wholeLink,
  summary: 'Gives money that was paid by a link back, all or a part, by the acquirer and in the books',
  errors: [
    'kit.notFound',
    'paymentLinks.notPaid',
    'paymentLinks.refundsTooMuch',
    'paymentLinks.refundBeyondLimit',
    'paymentLinks.donationWhole',
    'fields.taken',
  ],
})
export const getCharge = defineEndpoint({
  name: 'cardCharges.get',
  method: 'GET',
  path: `${chargesBase}/{id}`,
  access: see,
  input: recordInput,
  output: chargeAnswer.extend(alongWith),
  summary: 'One card payment with everything that happened to it',
  errors: ['kit.notFound'],
})
export const checkCharge = defineEndpoint({
  name: 'cardCharges.check',
  method: 'POST',
  path: `${chargesBase}/{id}/check`,
  access: see,
  input: byId,
  output: chargeAnswer,
  summary: 'Asks the acquirer now what became of a charge',
  errors: ['kit.notFound', 'paymentLinks.off', 'paymentLinks.acquirerAway'],
})
export const refundCharge = defineEndpoint({
  name: 'cardCharges.refund',
  method: 'POST',
  path: `${chargesBase}/{id}/refund`,
  access: refund,
  input: z.strictObject({
    id: z.uuid(),
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
  }),
  output: chargeAnswer,
  summary: 'Gives money of a card payment back, all or a part, by the acquirer and in the books',
  errors: [
    'kit.notFound',
    'paymentLinks.notPaid',
    'paymentLinks.refundsTooMuch',
    'paymentLinks.refundBeyondLimit',
    'paymentLinks.donationWhole',
  ],
})
export const disputeCharge = defineEndpoint({
  name: 'cardCharges.dispute',
  method: 'POST',
  path: `${chargesBase}/{id}/dispute`,
  access: refund,
  input: z.strictObject({
    id: z.uuid(),
    reason: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' }),
    /** The disputed amount; all that was not refunded when absent. */
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }).optional(),
    /** The day the acquirer took the money back; today when absent. */
    toldOn: dayValue.optional(),
    /** Until when it can be answered. */
    answerBy: dayValue.nullish(),
  }),
  output: chargeAnswer,
  summary:
    'Writes down that the payer denied a payment, or a part of it, and the acquirer took it back: the debt stands again, and somebody is asked to answer',
  errors: [
    'kit.notFound',
    'paymentLinks.notPaid',
    'paymentLinks.disputed',
    'paymentLinks.cannotDispute',
    'paymentLinks.donationWhole',
    'payments.cannotBounce',
  ],
})
export const endDispute = defineEndpoint({
  name: 'cardCharges.endDispute',
  method: 'POST',
  path: `${chargesBase}/{id}/enddispute`,
  access: refund,
  input: z.strictObject({ id: z.uuid(), isWon: z.boolean() }),
  output: chargeAnswer,
  summary: 'Says how a denied payment was decided: won, the money is back; lost, the debt stays',
  errors: ['kit.notFound', 'paymentLinks.notDisputed', 'payments.cannotUndo'],
})
export const sayUnpaid = defineEndpoint({
  name: 'cardCharges.unpaid',
  method: 'POST',
  path: `${chargesBase}/{id}/unpaid`,
  access: change,
  input: byId,
  output: chargeAnswer,
  summary: 'Says that nothing was paid by a charge in doubt, so that what it stood for can be paid anew',
  errors: ['kit.notFound', 'paymentLinks.notInDoubt'],
})
export const sayRefund = defineEndpoint({
  name: 'cardCharges.refundSaid',
  method: 'POST',
  path: `${chargesBase}/{id}/refundsaid`,
  access: refund,
  input: z.strictObject({ id: z.uuid(), refundId: z.uuid(), isDone: z.boolean() }),
  output: chargeAnswer,
  summary: 'Says what became of money that the acquirer was asked to give back and never answered about',
  errors: ['kit.notFound', 'paymentLinks.notInDoubt'],
})
export const paperAgain = defineEndpoint({
  name: 'cardCharges.paper',
  method: 'POST',
  path: `${chargesBase}/{id}/paper`,
  access: change,
  input: byId,
  output: chargeAnswer,
  summary: 'Issues the paper of money that came and has none yet',
  errors: ['kit.notFound', 'paymentLinks.notPaid', 'paymentLinks.hasPaper'],
})

const pageBase = '/api4/invoice/customers/{id}/page'
const customerPage = z.object({
  url: z.string().nullable(),
  madeAt: z.string().nullable(),
  sentAt: z.string().nullable(),
  viewedAt: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})
export const getCustomerPage = defineEndpoint({
  name: 'customerPages.get',
  method: 'GET',
  path: pageBase,
  access: { rule: 'customers.see' },
  secret: true,
  input: byId,
  output: customerPage,
  summary: 'The address of a customer’s own page, when he has one',
  errors: ['kit.notFound'],
})
export const makeCustomerPage = defineEndpoint({
  name: 'customerPages.make',
  method: 'POST',
  path: pageBase,
  access: { rule: 'documents.send' },
  input: byId,
  output: customerPage,
  summary: 'Gives a customer a page of his own, or a new address for it: the old one opens nothing any more',
  errors: ['kit.notFound'],
})
export const dropCustomerPage = defineEndpoint({
  name: 'customerPages.drop',
  method: 'DELETE',
  path: pageBase,
  access: { rule: 'documents.send' },
  input: byId,
  output: customerPage,
  summary: 'Takes a customer’s page away',
  errors: ['kit.notFound'],
})
export const sendCustomerPage = defineEndpoint({
  name: 'customerPages.send',
  method: 'POST',
  path: `${pageBase}/send`,
  access: { rule: 'documents.send' },
  input: z.strictObject({ id: z.uuid(), to: emailValue }),
  output: customerPage,
  summary: 'Sends a customer the address of his page',
  errors: ['kit.notFound', 'documents.onlyToCustomer'],
})

/** A document that asks for money, all of them with the first page, what is due first at the top. */
const openDocument = z.object({
  key: z.string(),
  name: z.string(),
  subject: z.string(),
  date: z.string(),
  dueDate: z.string().nullable(),
  isLate: z.boolean(),
  /** What is to be paid of it, in shekels. */
  dueAgorot: z.number(),
  /** Documents of one kind are paid by one charge. */
  together: z.enum(['invoice', 'request']),
})
export type OpenDocument = z.output<typeof openDocument>

const quote = z.object({
  key: z.string(),
  number: z.number(),
  date: z.string(),
  validUntil: z.string().nullable(),
  /** Its last day has passed: it can no longer be accepted. */
  isOver: z.boolean(),
  subject: z.string(),
  totalAgorot: z.number(),
  currency: z.string(),
  answer: z.enum(['accepted', 'declined']).nullable(),
  comment: z.string().nullable(),
  answeredAt: z.string().nullable(),
})
export type Quote = z.output<typeof quote>

/** What the customer has with the business beside documents. */
const holding = z.object({
  kind: z.enum(['card', 'order', 'booking']),
  title: z.string(),
  /** Of a card its end, as MM/YY; of an order or booking the day. */
  when: z.string(),
  agorot: z.number().nullable(),
  /** Where it is looked at or changed; empty where there is no page. */
  url: z.string(),
})
export type Holding = z.output<typeof holding>

export const customerHistory = defineEndpoint({
  name: 'customerPages.history',
  method: 'GET',
  path: '/api2/invoice/historydoc/{key}',
  access: 'key',
  input: key.extend({ before: z.string().max(60).optional() }),
  output: z.object({
    ...faceFields,
    language: z.string(),
    customer: z.string(),
    /** The debt in shekels, less credits. */
    openAgorot: z.number(),
    rows: z.array(
      z.object({
        key: z.string(),
        date: z.string(),
        type: z.number(),
        number: z.number(),
        label: labelAnswer,
        /** Of a debt from before the books began here: its number of the time. There is no paper of it. */
        opening: z.string().nullable(),
        status: z.string(),
        currency: z.string(),
        totalAgorot: z.number(),
        /** In its currency: what is to be paid of it. */
        dueAgorot: z.number(),
        dueDate: z.string().nullable(),
      }),
    ),
    /** Where the next page begins; null at the end. */
    next: z.string().nullable(),
    /** What waits for this customer's signature; sent with the first page of documents. */
    toSign: z.array(
      toSign.extend({
        /** The document it is about, where it is about one. */
        documentKey: z.string().nullable(),
      }),
    ),
    open: z.array(openDocument),
    /** Whether documents can be paid by card here. */
    online: z.boolean(),
    test: z.boolean(),
    mostInstalments: z.number(),
    phonePayment: z.string(),
    thanks: z.string(),
    quotes: z.array(quote),
    holdings: z.array(holding),
  }),
  summary: 'A customer’s documents on his own page, and what waits for his signature',
  errors: ['kit.notFound'],
})
export const payOnCustomerPage = defineEndpoint({
  name: 'customerPages.pay',
  method: 'POST',
  path: '/api2/invoice/historydoc/{key}/pay',
  access: 'key',
  throttle: 60,
  input: key.extend({ documents: z.array(z.string().max(120)).min(1).max(100), wallet }).strict(),
  output: z.object({ url: z.string() }),
  summary: 'Opens the acquirer’s form for several documents at once',
  errors: [...paying, 'paymentLinks.apart'],
})
export const checkOnCustomerPage = defineEndpoint({
  name: 'customerPages.check',
  method: 'POST',
  path: '/api2/invoice/historydoc/{key}/paycheck',
  access: 'key',
  throttle: 300,
  input: key.extend({ charge: z.uuid(), told }).strict(),
  output: outcome,
  summary: 'Asks the acquirer what became of a payment on a customer’s page',
  errors: ['kit.notFound', 'paymentLinks.acquirerAway'],
})
export const answerQuote = defineEndpoint({
  name: 'customerPages.answer',
  method: 'POST',
  path: '/api2/invoice/historydoc/{key}/answer',
  access: 'key',
  throttle: 30,
  input: key
    .extend({
      document: z.string().max(120),
      answer: z.enum(['accepted', 'declined', 'comment']),
      comment: z.string().trim().max(2000, { error: 'fields.tooLong' }).default(''),
    })
    .strict()
    .refine(({ answer, comment }) => answer !== 'comment' || comment !== '', {
      error: 'fields.need',
      path: ['comment'],
    }),
  output: z.object({ quotes: z.array(quote) }),
  summary: 'A customer accepts or declines a quote, or comments on it',
  errors: ['kit.notFound', 'paymentLinks.quoteOver'],
})
export const customerPageStatement = defineEndpoint({
  name: 'customerPages.statement',
  method: 'GET',
  path: '/api2/invoice/historydoc/{key}/statement',
  access: 'key',
  throttle: 30,
  file: true,
  input: key,
  output: z.any(),
  summary: 'A customer’s statement of account',
  errors: ['kit.notFound'],
})
export const quoteAnswers = defineEndpoint({
  name: 'customerPages.answers',
  method: 'GET',
  path: '/api4/invoice/documents/{id}/answers',
  access: { rule: 'documents.see' },
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        answer: z.enum(['accepted', 'declined', 'comment']),
        comment: z.string(),
        at: z.string(),
      }),
    ),
  }),
  summary: 'What the customer said of a quote, the newest first',
  errors: ['kit.notFound'],
})
export const customerPageLogo = defineEndpoint({
  name: 'customerPages.logo',
  method: 'GET',
  path: '/api2/invoice/historydoc/{key}/logo',
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business',
  errors: ['kit.notFound'],
})
