import { z } from 'zod'
import { alongWith, recordInput } from '#kit/fields/along.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { emailValue, moneyValue } from '#kit/fields/schema.ts'
import { faceFields } from '#features/base/companies/face.ts'
import { gatewayNames } from '#features/money/acquirers/acquirers.ts'
import { shownStates } from './savedCards.ts'

const base = '/api4/invoice/savedCards'
const byId = z.object({ id: z.uuid() })
const key = z.object({ key: z.string().min(1).max(100) })
const see = { rule: 'savedCards.see' } as const
const change = { rule: 'savedCards.change' } as const

const card = z.object({
  id: z.string(),
  customerId: z.string(),
  customerName: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  brand: z.string(),
  last4: z.string(),
  /** The month it ends with, 'YYYY-MM'. */
  expiry: z.string(),
  /** The last day it can be charged on: sooner than its month where the acquirer forgets it before. */
  lastDay: z.string(),
  state: z.enum(shownStates),
  isDefault: z.boolean(),
  /** As the business calls its terminal; empty: as the acquirer is called. */
  terminal: z.string(),
  gateway: z.enum(gatewayNames),
  consent: z.string(),
  consentAt: z.string(),
  lastUsedAt: z.string().nullable(),
  createdAt: z.string(),
  /** What is charged to it automatically. */
  uses: z.array(z.object({ name: z.string(), href: z.string() })),
  charges: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      description: z.string(),
      sumAgorot: z.number(),
      state: z.string(),
      declineClass: z.string(),
      declineCode: z.string(),
    }),
  ),
})
export type CardAnswer = z.output<typeof card>

export const getCard = defineEndpoint({
  name: 'savedCards.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: recordInput,
  output: card.extend(alongWith),
  summary:
    'One saved card: what it is, what its owner agreed to, what it was charged; never a number or a token',
  errors: ['kit.notFound'],
})
export const setDefault = defineEndpoint({
  name: 'savedCards.default',
  method: 'POST',
  path: `${base}/{id}/default`,
  access: change,
  input: byId,
  output: card,
  summary: 'Makes a card the one its customer is charged by',
  errors: ['kit.notFound', 'savedCards.gone'],
})
export const removeCard = defineEndpoint({
  name: 'savedCards.remove',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: change,
  input: byId,
  output: z.object({ done: z.literal(true) }),
  summary: 'Removes a card: at the acquirer, then here. What was charged to it needs another one',
  errors: ['kit.notFound', 'savedCards.gone'],
})
export const chargeCard = defineEndpoint({
  name: 'savedCards.charge',
  method: 'POST',
  path: `${base}/{id}/charge`,
  access: { rule: 'savedCards.charge' },
  input: z.strictObject({
    id: z.uuid(),
    /** Of the person who asks, one for each charge: the same again charges nothing again. */
    once: z.uuid(),
    amountAgorot: moneyValue.min(1, { error: 'fields.range' }).max(99_999_999, { error: 'fields.range' }),
    description: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' }),
    /** A document of the customer that it pays. */
    documentId: z.uuid().optional(),
    instalments: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(36, { error: 'fields.range' })
      .optional(),
  }),
  output: z.object({
    chargeId: z.string(),
    /**
     * paid; declined; unknown while the acquirer has not answered: it is asked, and nothing is charged again.
     */
    state: z.string(),
    declineCode: z.string(),
    declineClass: z.string(),
    paper: z.object({ id: z.string(), type: z.number(), number: z.number() }).nullable(),
  }),
  summary: 'Charges a saved card now and issues the document of it',
  errors: [
    'savedCards.beyondLimit',
    'kit.notFound',
    'savedCards.gone',
    'savedCards.askAgain',
    'savedCards.terminalOff',
    'savedCards.notTaken',
    'paymentLinks.cardExpired',
    'paymentLinks.nothingDue',
    'paymentLinks.onlyShekels',
  ],
})

/** Whether digits are the number of a card: no token may be one. */
const isCardNumber = (text: string): boolean => {
  const digits = text.replace(/[ -]/g, '')
  if (!/^\d{12,16}$/.test(digits)) return false
  const sum = [...digits].toReversed().reduce((all, digit, i) => {
    const twice = Number(digit) * (i % 2 ? 2 : 1)
    return all + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return sum % 10 === 0
}
export const bringCard = defineEndpoint({
  name: 'savedCards.bring',
  method: 'POST',
  path: base,
  access: change,
  input: z.strictObject({
    customerId: z.uuid(),
    /** The terminal at which the token was made; the first one that keeps cards when it is not said. */
    terminalId: z.uuid().optional(),
    /** What the acquirer gave for the card; never its number. */
    token: z
      .string({ error: 'fields.need' })
      .trim()
      .min(4, { error: 'fields.need' })
      .max(200, { error: 'fields.tooLong' })
      .refine((text) => !isCardNumber(text), { error: 'savedCards.isNumber' }),
    /** The month it ends with, 'YYYY-MM'. */
    expiry: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, { error: 'fields.code' }),
    last4: z.string().regex(/^\d{4}$/, { error: 'fields.code' }),
    brand: z.string().trim().max(30, { error: 'fields.tooLong' }).optional(),
    /** What the owner of the card agreed to, and where. */
    consent: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(2000, { error: 'fields.tooLong' }),
  }),
  output: card,
  summary:
    'Brings a card in that a terminal of the business keeps already, by its token; never by its number',
  errors: [
    'kit.notFound',
    'savedCards.noTerminal',
    'savedCards.isNumber',
    'savedCards.notKnown',
    'paymentLinks.acquirerAway',
  ],
})

const request = z.object({
  id: z.string(),
  url: z.string(),
  state: z.enum(['open', 'done', 'cancelled', 'expired']),
  expiresOn: z.string(),
  sentTo: z.string(),
  sentAt: z.string().nullable(),
  viewedAt: z.string().nullable(),
  customerName: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})
export type CardRequest = z.output<typeof request>
export const askCard = defineEndpoint({
  name: 'cardRequests.make',
  method: 'POST',
  path: '/api4/invoice/cardRequests',
  access: change,
  input: z.strictObject({ customerId: z.uuid(), renewsCardId: z.uuid().optional() }),
  output: request,
  summary:
    'The link by which a customer gives his card to keep, or a new one in place of another; made when there is none',
  errors: ['kit.notFound', 'savedCards.noTerminal', 'acquirers.byPaymentOnly'],
})
export const sendRequest = defineEndpoint({
  name: 'cardRequests.send',
  method: 'POST',
  path: '/api4/invoice/cardRequests/{id}/send',
  access: change,
  input: z.strictObject({ id: z.uuid(), to: emailValue }),
  output: request,
  summary: 'Sends the link by mail, in the customer’s language',
  errors: ['kit.notFound', 'savedCards.notOpen'],
})
export const cancelRequest = defineEndpoint({
  name: 'cardRequests.cancel',
  method: 'POST',
  path: '/api4/invoice/cardRequests/{id}/cancel',
  access: change,
  input: byId,
  output: request,
  summary: 'Takes a link back: it opens nothing any more',
  errors: ['kit.notFound', 'savedCards.notOpen'],
})

export const cardPage = defineEndpoint({
  name: 'cardRequests.page',
  method: 'GET',
  path: '/api2/invoice/savecard/{key}',
  access: 'key',
  input: key,
  output: z.object({
    ...faceFields,
    language: z.string(),
    customer: z.string(),
    state: z.enum(['open', 'done', 'cancelled', 'expired']),
    /** What the customer agrees to. */
    consent: z.string(),
    /** The card it takes the place of. */
    renews: z.object({ brand: z.string(), last4: z.string(), expiry: z.string() }).nullable(),
    saved: z.object({ brand: z.string(), last4: z.string(), expiry: z.string() }).nullable(),
    online: z.boolean(),
    test: z.boolean(),
  }),
  summary: 'A request for a card as its owner sees it',
  errors: ['kit.notFound'],
})
export const cardLogo = defineEndpoint({
  name: 'cardRequests.logo',
  method: 'GET',
  path: '/api2/invoice/savecard/{key}/logo',
  access: 'key',
  file: true,
  input: key,
  output: z.any(),
  summary: 'The logo of the business',
  errors: ['kit.notFound'],
})
export const beginCard = defineEndpoint({
  name: 'cardRequests.begin',
  method: 'POST',
  path: '/api2/invoice/savecard/{key}/begin',
  access: 'key',
  throttle: 60,
  input: key.extend({ agrees: z.literal(true, { error: 'fields.need' }) }).strict(),
  output: z.object({ url: z.string() }),
  summary: 'Opens the acquirer’s form in which the card is typed; what was agreed to is kept',
  errors: [
    'kit.notFound',
    'savedCards.notOpen',
    'savedCards.noTerminal',
    'paymentLinks.off',
    'paymentLinks.inDoubt',
    'paymentLinks.acquirerAway',
  ],
})
export const checkCard = defineEndpoint({
  name: 'cardRequests.check',
  method: 'POST',
  path: '/api2/invoice/savecard/{key}/check',
  access: 'key',
  throttle: 300,
  input: key.extend({ charge: z.uuid(), told: z.string().max(4000).optional() }).strict(),
  output: z.object({ state: z.enum(['open', 'declined', 'done', 'inDoubt', 'lapsed']), code: z.string() }),
  summary: 'Asks the acquirer whether the card is kept',
  errors: ['kit.notFound', 'paymentLinks.acquirerAway'],
})
