import { z } from 'zod'
import { parseDecimal4 } from '#domain/quantity.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { quantity } from '#kit/fields/field.ts'
import { dayValue, moneyValue, schemaOf } from '#kit/fields/schema.ts'
import { queryFlag, queryNumber } from '#kit/fields/query.ts'

export const moveKinds = [
  'open',
  'issue',
  'receive',
  'return',
  'adjust',
  'transfer',
  'count',
  'cancel',
  'revalue',
  'produce',
  'landed',
] as const
export type MoveKind = (typeof moveKinds)[number]

const base = '/api4/invoice'
const see = { rule: 'stock.see' }
const change = { rule: 'stock.change' }
const approve = { rule: 'stock.approve' }

/** No business holds more of anything; what a value is worked out of stays a whole number. */
const most = 10_000_000
const within = (least: number) => (text: string) => Number(text) >= least && Number(text) <= most
const decimal = schemaOf(quantity()) as z.ZodType<string, string>
/** An exact decimal above zero, of at most four places. */
export const quantityValue = decimal.refine((text) => parseDecimal4(text)! > 0 && within(0)(text), {
  error: 'fields.range',
})
const signed = decimal.refine((text) => parseDecimal4(text) !== 0 && within(-most)(text), {
  error: 'fields.range',
})
const countedValue = decimal.refine(within(0), { error: 'fields.range' })
const reason = z.string().trim().min(1, { error: 'fields.need' }).max(300, { error: 'fields.tooLong' })
const note = z.string().trim().max(300, { error: 'fields.tooLong' }).default('')
const sum = moneyValue.refine((agorot) => agorot >= 0 && agorot <= 100_000_000_000, { error: 'fields.range' })
const serialNumbers = z
  .array(z.string().trim().min(1, { error: 'fields.need' }).max(60, { error: 'fields.tooLong' }))
  .max(500, { error: 'fields.tooMany' })
  .default([])
const done = z.object({ done: z.literal(true) })

const settings = z.object({
  refusesBelowZero: z.boolean(),
  costing: z.enum(['average', 'fifo']),
  perpetual: z.boolean(),
  /** Past its promised day an order holds goods back for so many days more; null: until it is closed. */
  reserveDays: z
    .number()
    .int({ error: 'fields.number' })
    .min(1, { error: 'fields.range' })
    .max(365, { error: 'fields.range' })
    .nullable()
    .default(null),
})

export const stockSettings = defineEndpoint({
  name: 'stock.settings',
  method: 'GET',
  path: `${base}/stocksettings`,
  access: see,
  input: z.object({}),
  output: settings,
  summary:
    'Whether stock may go below zero, what it is worth by, and whether the books follow every movement',
})

export const saveStockSettings = defineEndpoint({
  name: 'stock.saveSettings',
  method: 'PUT',
  path: `${base}/stocksettings`,
  access: approve,
  input: settings.strict(),
  output: settings,
  summary: 'Changes how stock is kept; what it is worth by can be chosen until the first movement',
  errors: ['stock.costingAfterMoves', 'ledger.periodClosed'],
})

const place = z.object({
  placeId: z.string(),
  place: z.string(),
  kind: z.string(),
  batchId: z.string().nullable(),
  batch: z.string().nullable(),
  expires: z.string().nullable(),
  quantity: z.string(),
})

export const stockOf = defineEndpoint({
  name: 'stock.one',
  method: 'GET',
  path: `${base}/stock/{id}`,
  access: see,
  input: z.object({ id: z.uuid() }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    sku: z.string().nullable(),
    barcode: z.string().nullable(),
    unit: z.string().nullable(),
    isStocked: z.boolean(),
    tracking: z.enum(['none', 'batch', 'serial']),
    madeOf: z.enum(['none', 'kit', 'recipe']),
    minimum: z.string().nullable(),
    onHand: z.string(),
    reserved: z.string(),
    free: z.string(),
    onOrder: z.string(),
    onTheWay: z.string(),
    /** Null for the person who may not see costs. */
    valueAgorot: z.number().nullable(),
    unitCost: z.string().nullable(),
    places: z.array(place),
    units: z.array(z.object({ unit: z.string(), times: z.number(), per: z.number() })),
    parts: z.array(
      z.object({
        itemId: z.string(),
        name: z.string(),
        unit: z.string().nullable(),
        quantity: z.string(),
        onHand: z.string(),
      }),
    ),
  }),
  summary:
    'What there is of an item: on hand, reserved, free, on order and on the way, by place and batch, and what it is worth',
  errors: ['kit.notFound'],
})
export type StockOf = z.output<typeof stockOf.output>

export const adjustStock = defineEndpoint({
  name: 'stock.adjust',
  method: 'POST',
  path: `${base}/stock/{id}/adjust`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    quantity: signed,
    placeId: z.uuid().optional(),
    day: dayValue.optional(),
    /** What all of it is worth, of what comes. */
    worthAgorot: sum.optional(),
    batchNumber: z.string().trim().max(40, { error: 'fields.tooLong' }).optional(),
    expires: dayValue.optional(),
    reason,
  }),
  output: z.object({ id: z.string() }),
  summary: 'Puts the quantity of an item right, with the reason: more or less of it, on a day and in a place',
  errors: [
    'kit.notFound',
    'stock.notStocked',
    'stock.notEnough',
    'stock.dayClosed',
    'stock.dayAhead',
    'ledger.periodClosed',
  ],
})

export const revalueStock = defineEndpoint({
  name: 'stock.landed',
  method: 'POST',
  path: `${base}/stocklanded`,
  access: approve,
  input: z.strictObject({
    /** A goods-received note. */
    documentId: z.uuid(),
    agorot: sum.refine((agorot) => agorot > 0, { error: 'fields.range' }),
    by: z.enum(['value', 'weight', 'quantity']),
    reason,
  }),
  output: z.object({ onStockAgorot: z.number(), onSoldAgorot: z.number() }),
  summary:
    'Lays freight, customs or insurance on goods that came, by what they are worth, weigh or count; what was sold meanwhile bears its part at once',
  errors: ['kit.notFound', 'stock.nothingThere', 'stock.dayClosed', 'ledger.periodClosed'],
})

export const produceStock = defineEndpoint({
  name: 'stock.produce',
  method: 'POST',
  path: `${base}/stock/{id}/produce`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    quantity: quantityValue,
    placeId: z.uuid().optional(),
    day: dayValue.optional(),
  }),
  output: z.object({ id: z.string() }),
  summary: 'Makes so many of an item out of its parts: they go, it comes, and it is worth what they were',
  errors: [
    'kit.notFound',
    'stock.noParts',
    'stock.notEnough',
    'stock.dayClosed',
    'stock.dayAhead',
    'ledger.periodClosed',
  ],
})

export const saveParts = defineEndpoint({
  name: 'stock.saveParts',
  method: 'PUT',
  path: `${base}/stock/{id}/parts`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    madeOf: z.enum(['none', 'kit', 'recipe']),
    parts: z
      .array(z.strictObject({ itemId: z.uuid(), quantity: quantityValue }))
      .max(50, { error: 'fields.tooMany' }),
  }),
  output: done,
  summary: 'Says what an item is made of: a kit is taken apart as it is sold, a recipe is made first',
  errors: ['kit.notFound', 'stock.partsCircle', 'stock.noParts'],
})

export const saveUnits = defineEndpoint({
  name: 'stock.saveUnits',
  method: 'PUT',
  path: `${base}/stock/{id}/units`,
  access: change,
  input: z.strictObject({
    id: z.uuid(),
    units: z
      .array(
        z.strictObject({
          unit: z.string().trim().min(1, { error: 'fields.need' }).max(20, { error: 'fields.tooLong' }),
          times: z.number().int().min(1, { error: 'fields.range' }).max(1_000_000, { error: 'fields.range' }),
          per: z
            .number()
            .int()
            .min(1, { error: 'fields.range' })
            .max(1_000_000, { error: 'fields.range' })
            .default(1),
        }),
      )
      .max(20, { error: 'fields.tooMany' }),
  }),
  output: done,
  summary: 'Says how many of the item’s own units are in others: a carton is 24',
  errors: ['kit.notFound', 'fields.taken'],
})

const transferLine = z.object({
  itemId: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  quantity: z.string(),
  arrived: z.string().nullable(),
  numbers: z.array(z.string()).describe('Serial numbers of its units that are still on the way'),
})
const transfer = z.object({
  id: z.string(),
  number: z.number(),
  fromId: z.string(),
  from: z.string(),
  toId: z.string(),
  to: z.string(),
  day: z.string(),
  arrivedDay: z.string().nullable(),
  note: z.string(),
  lines: z.array(transferLine),
})
export type Transfer = z.output<typeof transfer>

export const listTransfers = defineEndpoint({
  name: 'stock.transfers',
  method: 'GET',
  path: `${base}/stocktransfers`,
  access: see,
  input: z.object({
    onTheWay: queryFlag.optional(),
    before: queryNumber(z.int().min(1).max(2_000_000_000)).optional(),
  }),
  output: z.object({ rows: z.array(transfer), nextBefore: z.number().nullable() }),
  summary: 'Transfers between warehouses, the newest first, fifty at a time',
})

export const makeTransfer = defineEndpoint({
  name: 'stock.transfer',
  method: 'POST',
  path: `${base}/stocktransfers`,
  access: change,
  maxBody: 2_000_000,
  input: z.strictObject({
    fromId: z.uuid({ error: 'fields.ref' }),
    toId: z.uuid({ error: 'fields.ref' }),
    day: dayValue.optional(),
    note,
    /** It is there at once; otherwise it is on the way until somebody says it arrived. */
    arrives: z.boolean().default(false),
    lines: z
      .array(
        z.strictObject({
          itemId: z.uuid({ error: 'fields.ref' }),
          quantity: quantityValue,
          /** For an item with tracked units: the units that leave. */
          numbers: serialNumbers,
        }),
      )
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooMany' }),
  }),
  output: transfer,
  summary: 'Sends goods from one warehouse or shelf to another',
  errors: [
    'kit.notFound',
    'stock.samePlace',
    'stock.notStocked',
    'stock.notEnough',
    'stock.notSerial',
    'stock.moreUnits',
    'stock.serialUnknown',
    'stock.serialNotHere',
    'stock.serialTwice',
    'stock.dayClosed',
    'stock.dayAhead',
  ],
})

export const arriveTransfer = defineEndpoint({
  name: 'stock.arrive',
  method: 'POST',
  path: `${base}/stocktransfers/{id}/arrive`,
  access: change,
  maxBody: 2_000_000,
  input: z.strictObject({
    id: z.uuid(),
    day: dayValue.optional(),
    /** Of what did not arrive whole; the rest is written off with the reason. */
    lines: z
      .array(
        z.strictObject({
          itemId: z.uuid({ error: 'fields.ref' }),
          quantity: countedValue,
          /** The units that were sent and did not arrive. */
          missing: serialNumbers,
        }),
      )
      .max(200, { error: 'fields.tooMany' })
      .default([]),
    reason: z.string().trim().max(300, { error: 'fields.tooLong' }).default(''),
  }),
  output: transfer,
  summary: 'Says that goods on the way arrived, all or with what is missing',
  errors: [
    'kit.notFound',
    'stock.alreadyArrived',
    'stock.arrivedTooMuch',
    'stock.unitsUnsaid',
    'stock.serialUnknown',
    'stock.dayClosed',
    'stock.dayAhead',
    'ledger.periodClosed',
  ],
})

export const orderStock = defineEndpoint({
  name: 'stock.order',
  method: 'POST',
  path: `${base}/stockorders`,
  access: change,
  input: z.strictObject({
    lines: z
      .array(z.strictObject({ itemId: z.uuid({ error: 'fields.ref' }), quantity: quantityValue }))
      .min(1, { error: 'fields.need' })
      .max(200, { error: 'fields.tooMany' }),
  }),
  output: z.object({
    drafts: z.array(z.object({ id: z.string(), supplier: z.string(), lines: z.number() })),
    without: z.number(),
  }),
  summary:
    'Makes a draft of a purchase order for each supplier of what is to be ordered; says how many items have none',
  errors: ['kit.notFound', 'stock.nothingToOrder'],
})

export const proposedOrders = defineEndpoint({
  name: 'stock.proposed',
  method: 'GET',
  path: `${base}/stockproposed`,
  access: see,
  input: z.object({}),
  output: z.object({
    rows: z.array(
      z.object({
        itemId: z.string(),
        name: z.string(),
        sku: z.string().nullable(),
        unit: z.string().nullable(),
        supplier: z.string().nullable(),
        free: z.string(),
        onOrder: z.string(),
        minimum: z.string(),
        quantity: z.string(),
      }),
    ),
  }),
  summary: 'What has fallen below its minimum and how much to order, by supplier',
})

export const closeStock = defineEndpoint({
  name: 'stock.close',
  method: 'POST',
  path: `${base}/stockclose`,
  access: approve,
  input: z.strictObject({ day: dayValue }),
  output: z.object({ valueAgorot: z.number(), changeAgorot: z.number() }),
  summary:
    'Of a business whose books learn of stock at the year’s end: brings the stock account to what stock was worth on a day',
  errors: ['stock.nothingToClose', 'stock.dayAhead', 'ledger.periodClosed'],
})

export const stockValue = defineEndpoint({
  name: 'stock.value',
  method: 'GET',
  path: `${base}/stockvalue`,
  access: { rule: 'stock.cost' },
  input: z.object({ day: dayValue }),
  output: z.object({ day: z.string(), valueAgorot: z.number().nullable() }),
  summary: 'What all stock was worth at the end of a day',
})
