import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { moneyValue, rawValue } from '#kit/fields/schema.ts'
import { abilities, gatewayNames, terminalStates } from './acquirers.ts'

const key = z.object({ key: z.string().min(1).max(100) })
const see = { rule: 'companies.see' } as const
const change = { rule: 'acquirers.change' } as const
const base = '/api4/invoice/terminals'
const byId = z.object({ id: z.uuid() })

const step = z.strictObject({
  fromAgorot: moneyValue.min(0, { error: 'fields.range' }),
  most: z.number().int().min(1, { error: 'fields.range' }).max(36, { error: 'fields.range' }),
})
const terminal = z.object({
  id: z.string(),
  gateway: z.enum(gatewayNames),
  /** As the business calls it; empty: as the acquirer is called. */
  name: z.string(),
  state: z.enum(terminalStates),
  isTest: z.boolean(),
  /** Its keys are of the acquirer's own test system: they can be proved, and no customer is led there. */
  isSandbox: z.boolean(),
  currencies: z.array(z.string()),
  fromAgorot: z.number().nullable(),
  /** It accepts amounts below this one. */
  toAgorot: z.number().nullable(),
  /** Up to so many instalments from that sum on. */
  instalments: z.array(z.object({ fromAgorot: z.number(), most: z.number() })),
  mayInstalments: z.boolean(),
  feeAccountId: z.string().nullable(),
  provedAt: z.string().nullable(),
  answeredAt: z.string().nullable(),
  failedAt: z.string().nullable(),
  lastError: z.string(),
  /**
   * The acquirer can come back to us, with the payer and with its notices: our address is public, by https.
   */
  isReached: z.boolean(),
  abilities: z.array(z.enum(abilities)),
})
export type Terminal = z.output<typeof terminal>
const terminalWhole = terminal.extend({
  mayCurrencies: z.array(z.string()),
  feeAccountName: z.string().nullable(),
  /** Where the acquirer sends its notices. */
  noticeTo: z.string(),
  /** The form of its settings. A secret is never given out: isSet says that there is one. */
  fields: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['text', 'secret', 'choice', 'flag']),
      optional: z.boolean(),
      choices: z.array(z.string()).nullable(),
      value: z.string().nullable(),
      isSet: z.boolean(),
    }),
  ),
  calls: z.array(
    z.object({
      at: z.string(),
      call: z.string(),
      status: z.number(),
      tookMs: z.number(),
      code: z.string(),
      words: z.string(),
    }),
  ),
  /**
   * What became of the charges of seven days: paid, or declined by code, with the class of each and its share
   * of all.
   */
  week: z.array(z.object({ kind: z.string(), code: z.string(), count: z.number(), shareBp: z.number() })),
  /** Cards kept at it. */
  cards: z.number(),
})
export type TerminalWhole = z.output<typeof terminalWhole>
const terminals = z.object({ rows: z.array(terminal) })
const settings = z.record(z.string().max(40), z.string().max(300, { error: 'fields.tooLong' }))
const name = z.string().trim().max(60, { error: 'fields.tooLong' })

export const offeredAcquirers = defineEndpoint({
  name: 'acquirers.offered',
  method: 'GET',
  path: '/api4/invoice/acquirers',
  access: see,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        name: z.enum(gatewayNames),
        isTest: z.boolean(),
        abilities: z.array(z.enum(abilities)),
        currencies: z.array(z.string()),
        /** The form of its settings. */
        fields: z.array(
          z.object({
            name: z.string(),
            kind: z.enum(['text', 'secret', 'choice', 'flag']),
            optional: z.boolean(),
            choices: z.array(z.string()).nullable(),
            start: z.string(),
          }),
        ),
        terminals: z.array(z.object({ id: z.string(), name: z.string(), state: z.enum(terminalStates) })),
      }),
    ),
  }),
  summary: 'Acquirers that can be connected, what each can do, and the terminals of each',
})
export const listTerminals = defineEndpoint({
  name: 'terminals.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({}),
  output: terminals,
  summary: 'The terminals of the business in the order they are tried',
})
export const getTerminal = defineEndpoint({
  name: 'terminals.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: byId,
  output: terminalWhole,
  summary: 'One terminal with the form of its settings, its last calls and its week; never a key',
  errors: ['kit.notFound'],
})
export const addTerminal = defineEndpoint({
  name: 'terminals.add',
  method: 'POST',
  path: base,
  access: change,
  input: z.strictObject({
    gateway: z.enum(gatewayNames),
    name: name.optional(),
    settings: settings.optional(),
  }),
  output: terminalWhole,
  summary: 'Connects a terminal; it takes charges once it is proved',
  errors: ['paymentLinks.off', 'acquirers.onlyOne'],
})
export const changeTerminal = defineEndpoint({
  name: 'terminals.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    name: name.optional(),
    settings: settings.optional(),
    currencies: z.array(z.string().max(3)).max(20).optional(),
    fromAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().optional(),
    toAgorot: moneyValue.min(1, { error: 'fields.range' }).nullable().optional(),
    instalments: z.array(step).max(12).optional(),
    feeAccountId: z.uuid().nullable().optional(),
    isOff: z.boolean().optional(),
  }),
  output: terminalWhole,
  summary: 'Changes a terminal. An empty secret stays as it was; new keys are to be proved again',
  errors: ['kit.notFound', 'acquirers.noKind', 'acquirers.overlap'],
})
export const moveTerminal = defineEndpoint({
  name: 'terminals.move',
  method: 'POST',
  path: `${base}/{id}/move`,
  access: change,
  input: z.strictObject({ id: z.uuid(), by: z.enum(['up', 'down']) }),
  output: terminals,
  summary: 'Moves a terminal in the order in which they are tried',
  errors: ['kit.notFound'],
})
export const dropTerminal = defineEndpoint({
  name: 'terminals.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: change,
  input: byId,
  output: terminals,
  summary: 'Takes a terminal away by which nothing was ever charged',
  errors: ['kit.notFound', 'acquirers.used'],
})
export const proveTerminal = defineEndpoint({
  name: 'terminals.prove',
  method: 'POST',
  path: `${base}/{id}/prove`,
  access: change,
  input: byId,
  output: z.object({
    proofs: z.array(
      z.object({
        ability: z.enum(abilities),
        isGood: z.boolean(),
        why: z.enum(['', 'refused', 'away', 'notReached']),
        code: z.string(),
        words: z.string(),
      }),
    ),
    terminal: terminalWhole,
  }),
  summary: 'Proves a terminal by what moves no money, and says what went and what did not',
  errors: ['kit.notFound'],
})

/**
 * Whatever an acquirer sends; its own door reads and checks it. The answer is always the same and tells
 * nothing.
 */
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
    instalments: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(36, { error: 'fields.range' })
      .default(1),
  }),
  output: z.object({ state: z.enum(['paid', 'declined']), code: z.string(), returnTo: z.string() }),
  summary: 'Pays at the test acquirer; takes the numbers of test cards only',
  errors: [
    'kit.notFound',
    'paymentLinks.notTestCard',
    'paymentLinks.cardExpired',
    'paymentLinks.formClosed',
    'paymentLinks.acquirerAway',
  ],
})

export const cardFrame = defineEndpoint({
  name: 'acquirers.frame',
  method: 'GET',
  path: '/api2/invoice/cardframe/{key}',
  access: 'key',
  input: key,
  output: z.object({
    business: z.string(),
    language: z.string(),
    description: z.string(),
    amountAgorot: z.number(),
    deed: z.enum(['charge', 'hold', 'card']),
    isOpen: z.boolean(),
    returnTo: z.string(),
    /** The address of the acquirer's frame, and the message it gets once its payer presses. */
    src: z.string(),
    post: z.record(z.string(), z.string()),
  }),
  summary: 'The page that holds the frame of an acquirer without a page of its own',
  errors: ['kit.notFound'],
})
