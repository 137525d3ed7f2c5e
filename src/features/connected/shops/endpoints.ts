import { z } from 'zod'
import { troubleCodes } from '#domain/shops/paper.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { rawValue } from '#kit/fields/schema.ts'
import { fieldMapping, orderStates, settingsPatch, shopKinds, shopSettings } from './shops.ts'

const see = { rule: 'shops.see' }
const connect = { rule: 'shops.connect' }
const base = '/api4/invoice/shops'
const byId = z.object({ id: z.uuid() })
const byOrder = z.object({ id: z.uuid(), orderId: z.uuid() })
const done = z.object({ done: z.literal(true) })
const name = z
  .string({ error: 'fields.need' })
  .trim()
  .min(1, { error: 'fields.need' })
  .max(80, { error: 'fields.tooLong' })
  .describe('What the business calls the shop')

const shop = z.object({
  id: z.string(),
  kind: z.enum(shopKinds),
  name: z.string(),
  outsideId: z
    .string()
    .describe('What it is known by where it stands; empty for a shop that is known by our key'),
  state: z.enum(['on', 'off', 'gone']).describe('gone: taken out at the shop'),
  settings: shopSettings,
  mapping: fieldMapping,
  address: z
    .string()
    .describe(
      'Where a shop of your own sends its orders; empty for the others, and for whoever may not connect',
    ),
  isSigned: z.boolean().describe('Its notices must bear a signature'),
  heardAt: z.string().nullable(),
  lastError: z.string().describe('Why the shop did not answer last time; empty when it did'),
  createdAt: z.string(),
  counts: z
    .object({
      issued: z.number().describe('Orders with their document'),
      trouble: z.number().describe('Orders that a person must look at'),
      waiting: z.number().describe('Orders that are not paid, or on their way'),
    })
    .describe('Orders by what came of them'),
})
export type Shop = z.output<typeof shop>

const paperRef = z.object({ id: z.string(), type: z.number(), number: z.number().nullable() })

const troubleParams = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe('What the sentence of the trouble is filled with')

const refund = z.object({
  id: z.string(),
  externalId: z.string(),
  state: z.enum(['new', 'issued', 'ignored', 'trouble']),
  trouble: z.enum(troubleCodes).nullable().describe('Why there is no credit'),
  troubleParams,
  amountAgorot: z.number(),
  day: z.string().nullable(),
  reason: z.string(),
  credit: paperRef.nullable().describe('The document that gives the money back'),
})

const order = z.object({
  id: z.string(),
  shopId: z.string().describe('The shop it came from'),
  externalId: z.string(),
  number: z.string(),
  state: z.enum(orderStates),
  trouble: z
    .enum(troubleCodes)
    .nullable()
    .describe('Why there is no document, or why the one there is differs'),
  troubleParams,
  differenceAgorot: z.number().nullable().describe("The order's total less its document's"),
  ignoredWhy: z
    .enum(['test', 'before', 'cancelled', 'person'])
    .nullable()
    .describe(
      'Why nothing is issued: a trial, paid before the day that was set, cancelled, or a person left it',
    ),
  note: z.string(),
  paidDay: z.string().nullable(),
  customer: z.string(),
  currency: z.string(),
  totalAgorot: z.number(),
  refundedAgorot: z.number(),
  hasRefundTrouble: z.boolean().describe('A refund of it has no credit and waits for a person'),
  document: paperRef.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Order = z.output<typeof order>

const orderWhole = order.extend({
  receipt: paperRef.nullable(),
  refunds: z.array(refund),
  lines: z.array(
    z.object({ name: z.string(), sku: z.string(), quantity: z.string(), totalAgorot: z.number() }),
  ),
  giftCardAgorot: z.number(),
  discountAgorot: z.number(),
})
export type OrderWhole = z.output<typeof orderWhole>

export const listShops = defineEndpoint({
  name: 'shops.list',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({}),
  output: z.object({
    rows: z.array(shop),
    offered: z.array(z.enum(shopKinds)).describe('Kinds that can be connected here'),
  }),
  summary: 'Shops whose orders become documents, and how each is doing',
})
export const createShop = defineEndpoint({
  name: 'shops.create',
  method: 'POST',
  path: base,
  access: connect,
  input: z.strictObject({
    kind: z.enum(['generic', 'woocommerce']),
    name,
    settings: settingsPatch.default({}),
  }),
  output: shop,
  summary: 'Adds a shop of your own, or one with WooCommerce',
  errors: ['shops.tooMany'],
})
export const changeShop = defineEndpoint({
  name: 'shops.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: connect,
  input: z.strictObject({
    id: z.uuid(),
    name: name.optional(),
    on: z.boolean().optional().describe('Turns it off: what it sends is refused, and nothing is issued'),
    settings: settingsPatch.optional(),
    mapping: fieldMapping.optional(),
  }),
  output: shop,
  summary: 'Changes how orders become documents; what was issued stays',
  errors: ['kit.notFound', 'shops.isOff'],
})
export const dropShop = defineEndpoint({
  name: 'shops.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: connect,
  input: byId,
  output: done,
  summary: 'Takes a shop out; its documents and the list of its orders stay',
  errors: ['kit.notFound'],
})
export const signShop = defineEndpoint({
  name: 'shops.sign',
  method: 'POST',
  path: `${base}/{id}/secret`,
  access: connect,
  input: z.strictObject({
    id: z.uuid(),
    off: z.boolean().default(false).describe('Signatures are needed no more'),
  }),
  output: z.object({ shop: shop.describe('The shop as it is now'), secret: z.string().nullable() }),
  summary: 'A secret by which the shop signs what it sends; told here and never again',
  errors: ['kit.notFound', 'shops.otherKind'],
})
export const trySample = defineEndpoint({
  name: 'shops.try',
  method: 'POST',
  path: `${base}/{id}/try`,
  access: connect,
  input: z.strictObject({
    id: z.uuid(),
    sample: z
      .string({ error: 'fields.need' })
      .min(2, { error: 'fields.need' })
      .max(200_000, { error: 'fields.tooLong' })
      .describe('An order as the shop sends it, as JSON'),
    mapping: fieldMapping.optional().describe('Found by the names in the sample when absent'),
  }),
  output: z.object({
    mapping: fieldMapping,
    missing: z.string().nullable().describe('The path of the first part that is missing or cannot be read'),
    trouble: z
      .object({ code: z.enum(troubleCodes), params: troubleParams, differenceAgorot: z.number().nullable() })
      .nullable()
      .describe('What stands in its way'),
    paper: z
      .object({
        type: z.number(),
        totalAgorot: z.number(),
        vatAgorot: z.number(),
        currency: z.string(),
        lines: z.array(
          z.object({
            description: z.string(),
            quantity: z.string(),
            unitPrice: z.string(),
            totalAgorot: z.number(),
          }),
        ),
      })
      .nullable(),
  }),
  summary: 'What would come of an order: its document, or what stands in its way; nothing is kept',
  errors: ['kit.notFound', 'kit.badInput'],
})
export const tryShop = defineEndpoint({
  name: 'shops.dryRun',
  method: 'POST',
  path: `${base}/{id}/dryrun`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({
    type: z.number(),
    totalAgorot: z.number(),
    currency: z.string(),
  }),
  summary: 'Goes through an order of one shekel as if it were paid today, and leaves nothing behind',
  about:
    'Proves that the caller can do what an order needs: the document that would be issued is answered, or what prevents it is refused in the language of the caller.',
  errors: ['kit.notFound', 'shops.isOff', 'shops.wouldNotIssue'],
})
export const makeShopKey = defineEndpoint({
  name: 'shops.makeKey',
  method: 'POST',
  path: `${base}/{id}/key`,
  access: { rule: 'shops.connect', person: true },
  input: z.strictObject({ id: z.uuid() }),
  output: z.object({ name: z.string(), secret: z.string().describe('Told here and never again') }),
  summary: 'Makes the key of a shop, which can issue the documents of orders and nothing else',
  errors: ['kit.notFound', 'shops.otherKind', 'apiKeys.tooMany'],
})
export const listOrders = defineEndpoint({
  name: 'shops.orders',
  method: 'GET',
  path: `${base}/{id}/orders`,
  access: see,
  input: z.object({
    id: z.uuid(),
    state: z.enum(orderStates).optional(),
    search: z.string().max(80).optional().describe('A number of an order or a name'),
    before: z.uuid().optional(),
  }),
  output: z.object({ rows: z.array(order), before: z.string().nullable().describe('For the next page') }),
  summary: 'Orders of a shop, newest first, with what came of each',
  errors: ['kit.notFound'],
})
export const getOrder = defineEndpoint({
  name: 'shops.order',
  method: 'GET',
  path: '/api4/invoice/shopOrders/{id}',
  access: see,
  input: byId,
  output: orderWhole,
  summary: 'One order: its lines, its document, its refunds and their credits',
  errors: ['kit.notFound'],
})
export const sendOrder = defineEndpoint({
  name: 'shops.send',
  method: 'POST',
  path: `${base}/{id}/orders`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({
    id: z.uuid(),
    order: z
      .record(z.string(), z.unknown())
      .describe('As the shop has it: of WooCommerce as its REST API shows it, of your own as it was mapped'),
  }),
  output: orderWhole.extend({
    urls: z
      .object({
        page: z.string().describe('The page of the document'),
        pdf: z.string().describe('Its file; asks for the key'),
      })
      .nullable()
      .describe('For the buyer'),
  }),
  summary:
    'An order of a shop: issues its document once it is paid and a credit for each refund, however often it is sent',
  errors: ['kit.notFound', 'shops.badOrder', 'shops.isOff'],
})
export const againOrder = defineEndpoint({
  name: 'shops.again',
  method: 'POST',
  path: `${base}/{id}/orders/{orderId}/again`,
  access: { rule: 'documents.issue' },
  input: byOrder,
  output: orderWhole,
  summary: 'Tries again, as the rules of the shop are now',
  errors: ['kit.notFound'],
})
export const againAll = defineEndpoint({
  name: 'shops.againAll',
  method: 'POST',
  path: `${base}/{id}/again`,
  access: { rule: 'documents.issue' },
  input: byId,
  output: z.object({ count: z.number() }),
  summary: 'Tries all orders in trouble again',
  errors: ['kit.notFound'],
})
export const ignoreOrder = defineEndpoint({
  name: 'shops.ignore',
  method: 'POST',
  path: `${base}/{id}/orders/{orderId}/ignore`,
  access: { rule: 'documents.issue' },
  input: z.strictObject({
    id: z.uuid(),
    orderId: z.uuid(),
    note: z
      .string({ error: 'fields.need' })
      .trim()
      .min(2, { error: 'fields.need' })
      .max(300, { error: 'fields.tooLong' })
      .describe('Why, for whoever asks later'),
  }),
  output: orderWhole,
  summary: 'Leaves an order in trouble as it is: a person saw to it',
  errors: ['kit.notFound', 'shops.notInTrouble'],
})
export const listDays = defineEndpoint({
  name: 'shops.days',
  method: 'GET',
  path: `${base}/{id}/days`,
  access: see,
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        day: z.string(),
        currency: z.string(),
        orders: z.number(),
        shopAgorot: z.number().describe('What was paid at the shop, less what went back'),
        booksAgorot: z.number().describe('What stands in the books for these orders'),
        differenceAgorot: z.number(),
        trouble: z.number().describe('Orders of the day that a person must look at'),
      }),
    ),
  }),
  summary: 'Shop and books beside each other, by the day of payment, the last 60 days',
  errors: ['kit.notFound'],
})
export const listNotices = defineEndpoint({
  name: 'shops.notices',
  method: 'GET',
  path: `${base}/{id}/notices`,
  access: connect,
  input: byId,
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        topic: z.string(),
        externalId: z.string(),
        outcome: z.string(),
      }),
    ),
  }),
  summary: 'What the shop told lately and what came of it',
  errors: ['kit.notFound'],
})
export const noticeOfShop = defineEndpoint({
  name: 'shops.notice',
  method: 'POST',
  path: '/api2/invoice/shop/{key}',
  access: 'key',
  throttle: 3000,
  raw: { maxBytes: 524_288 },
  input: z.object({ key: z.string().min(1).max(100), raw: rawValue }),
  output: z.object({ done: z.literal(true), state: z.enum(orderStates) }),
  summary:
    'An order of a shop of your own, sent by the shop: JSON, with X-Pinkas-Signature (hex HMAC-SHA256 of the body) where one is asked for',
  errors: ['kit.notFound', 'kit.badJson', 'shops.badSignature', 'shops.badOrder', 'shops.isOff'],
})
export const pluginFile = defineEndpoint({
  name: 'shops.plugin',
  method: 'GET',
  path: '/api4/invoice/shopplugin',
  access: see,
  input: z.object({}),
  output: z.any(),
  file: true,
  summary: 'The plug-in for WooCommerce, as WordPress takes it',
})

const query = z
  .record(z.string().max(60), z.string().max(4000))
  .refine((given) => Object.keys(given).length <= 30, { error: 'fields.range' })
const away = [
  'shops.notOffered',
  'shops.badAddress',
  'shops.tieEnded',
  'shops.refused',
  'shops.away',
  'shops.taken',
  'shops.tooMany',
] as const

export const beginTie = defineEndpoint({
  name: 'shops.begin',
  method: 'POST',
  path: '/api4/invoice/shopties',
  access: connect,
  input: z.strictObject({
    kind: z.enum(['shopify', 'wix']),
    shop: z
      .string()
      .trim()
      .toLowerCase()
      .max(100, { error: 'fields.tooLong' })
      .default('')
      .describe('Of Shopify: its name, with or without .myshopify.com'),
    token: z
      .string()
      .max(2000)
      .default('')
      .describe('Of Wix: the token an installation that began there brought'),
  }),
  output: z.object({ url: z.string().describe('Where the person gives his consent') }),
  summary:
    'Begins to connect a shop at Shopify or Wix: an address to go to, good for an hour and for this person',
  errors: away,
})
export const endTie = defineEndpoint({
  name: 'shops.returned',
  method: 'POST',
  path: '/api4/invoice/shopties/return',
  access: connect,
  input: z.strictObject({
    kind: z.enum(['shopify', 'wix']),
    query: query.describe('What the address bore when the person came back'),
  }),
  output: z.object({ shop: shop.describe('The shop that was connected') }),
  summary: 'The person came back with his consent: the shop is connected, or its connection renewed',
  errors: away,
})
export const shopifyNotice = defineEndpoint({
  name: 'shops.shopify',
  method: 'POST',
  path: '/api2/invoice/shopify',
  access: 'key',
  throttle: 6000,
  raw: { maxBytes: 2_097_152 },
  input: z.object({ raw: rawValue }),
  output: done,
  summary: 'A notice of Shopify, signed in X-Shopify-Hmac-Sha256; also those about personal data',
  errors: ['kit.notFound', 'shops.badSignature'],
})
export const wixNotice = defineEndpoint({
  name: 'shops.wix',
  method: 'POST',
  path: '/api2/invoice/wix',
  access: 'key',
  throttle: 6000,
  raw: { maxBytes: 524_288 },
  input: z.object({ raw: rawValue }),
  output: done,
  summary: 'A notice of Wix: a token signed RS256',
  errors: ['kit.notFound', 'shops.badSignature'],
})
const embedded = z.object({
  name: z.string(),
  business: z.string(),
  settings: shopSettings,
  pass: z.string().describe('Good for an hour, for this shop alone'),
})
export const openEmbedded = defineEndpoint({
  name: 'shops.embedded',
  method: 'POST',
  path: '/api2/invoice/shopembed',
  access: 'key',
  throttle: 300,
  input: z.strictObject({
    kind: z.enum(['shopify', 'wix']),
    token: z.string().min(1).max(8000).describe('The session token of Shopify, the instance of Wix'),
  }),
  output: embedded,
  summary: 'The settings of a shop inside Shopify or Wix, for whoever they say he is',
  errors: ['kit.notFound', 'shops.badToken'],
})
export const saveEmbedded = defineEndpoint({
  name: 'shops.saveEmbedded',
  method: 'PATCH',
  path: '/api2/invoice/shopembed',
  access: 'key',
  throttle: 300,
  input: z.strictObject({
    pass: z.string().min(1).max(4000).describe('As it was answered when the page was opened'),
    settings: settingsPatch,
  }),
  output: embedded,
  summary: 'Changes the settings from inside Shopify or Wix',
  errors: ['kit.notFound', 'shops.badToken'],
})

const shopCheck = z.object({
  what: z
    .enum(['reach', 'told', 'issues', 'orders'])
    .describe(
      'reach: we reach the shop; told: it tells us; issues: documents are issued; orders: none waits for a person',
    ),
  is: z
    .enum(['ok', 'away', 'refused', 'noToken', 'mended', 'heard', 'never', 'bad', 'off', 'gone', 'waiting'])
    .describe('ok, or what was found; mended: the shop was asked to tell again, and does'),
  ok: z.boolean(),
  count: z.number().nullable().describe('How many orders wait'),
  at: z.string().nullable().describe('When the shop last told something'),
})
export type ShopCheck = z.output<typeof shopCheck>
export const testEmbedded = defineEndpoint({
  name: 'shops.testEmbedded',
  method: 'POST',
  path: '/api2/invoice/shopembed/test',
  access: 'key',
  throttle: 60,
  input: z.strictObject({
    pass: z.string().min(1).max(4000).describe('As it was answered when the page was opened'),
  }),
  output: z.object({ checks: z.array(shopCheck) }),
  summary:
    'Checks from inside Shopify or Wix that the shop and the business reach one another, and says what is wrong',
  errors: ['kit.notFound', 'shops.badToken'],
})
