import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { rawValue } from '#kit/fields/schema.ts'

const key = z.object({ key: z.string().min(1).max(100) })

/** Whatever an acquirer sends; its own door reads and checks it. The answer is always the same and tells nothing. */
export const acquirerNotice = defineEndpoint({
  name: 'acquirers.notice',
  method: 'POST',
  path: '/api2/invoice/acquirer/{key}/notice',
  access: 'key',
  throttle: 3000,
  raw: { maxBytes: 65_536 },
  input: key.extend({ raw: rawValue }),
  output: z.object({ done: z.literal(true) }),
  summary: 'A notice of the acquirer: something happened to a charge',
  errors: ['kit.notFound'],
})

export const testForm = defineEndpoint({
  name: 'testAcquirer.form',
  method: 'GET',
  path: '/api2/invoice/testcard/{key}',
  access: 'key',
  input: key,
  output: z.object({
    business: z.string(),
    description: z.string(),
    amountAgorot: z.number(),
    /** charge, hold, or card: nothing is to be paid, only the card is kept. */
    deed: z.enum(['charge', 'hold', 'card']),
    keepsCard: z.boolean(),
    mostInstalments: z.number(),
    language: z.string(),
    state: z.enum(['open', 'declined', 'paid', 'closed']),
    returnTo: z.string(),
  }),
  summary: 'The card form of the test acquirer',
  errors: ['kit.notFound'],
})
export const testPay = defineEndpoint({
  name: 'testAcquirer.pay',
  method: 'POST',
  path: '/api2/invoice/testcard/{key}',
  access: 'key',
  throttle: 120,
  input: z.strictObject({
    key: z.string().min(1).max(100),
    number: z
      .string()
      .transform((text) => text.replace(/[\s\u200e\u200f-]/g, ''))
      .pipe(z.string().regex(/^\d{12,19}$/, { error: 'fields.code' })),
    month: z.number().int().min(1, { error: 'fields.range' }).max(12, { error: 'fields.range' }),
    year: z.number().int().min(2020, { error: 'fields.range' }).max(2099, { error: 'fields.range' }),
    cvv: z.string().regex(/^\d{3,4}$/, { error: 'fields.code' }),
    instalments: z.number().int().min(1, { error: 'fields.range' }).max(36, { error: 'fields.range' }).default(1),
  }),
  output: z.object({ state: z.enum(['paid', 'declined']), code: z.string(), returnTo: z.string() }),
  summary: 'Pays at the test acquirer; takes the numbers of test cards only',
  errors: ['kit.notFound', 'paymentLinks.notTestCard', 'paymentLinks.cardExpired', 'paymentLinks.formClosed', 'paymentLinks.acquirerAway'],
})
