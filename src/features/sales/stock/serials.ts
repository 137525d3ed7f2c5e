import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/serials'
const see = { rule: 'stock.see' }
const change = { rule: 'stock.change' }
export const serialStates = ['expected', 'inStock', 'sold', 'returned', 'scrapped', 'missing'] as const
export const serialKinds = [
  'expected',
  'received',
  'sold',
  'returned',
  'scrapped',
  'missing',
  'found',
  'moved',
  'cancelled',
] as const
const number = z.string().trim().min(1, { error: 'fields.need' }).max(60, { error: 'fields.tooLong' })
const numbers = z.array(number).min(1, { error: 'fields.need' }).max(500, { error: 'fields.tooMany' })
const note = z.string().trim().max(300, { error: 'fields.tooLong' }).default('')
const done = z.object({ done: z.number() })

const paper = z.object({ id: z.string(), type: z.number(), number: z.number().nullable() }).nullable()
const unit = z.object({
  id: z.string(),
  number: z.string(),
  itemId: z.string(),
  item: z.string(),
  sku: z.string().nullable(),
  state: z.enum(serialStates),
  place: z.string().nullable(),
  customer: z.string().nullable(),
  inDay: z.string().nullable(),
  outDay: z.string().nullable(),
  inPaper: paper.describe('The paper it came with; null also where whoever asks may not see it'),
  outPaper: paper.describe('The paper it went out with; null also where whoever asks may not see it'),
  warrantyUntil: z.string().nullable(),
})
export type Serial = z.output<typeof unit>
export type SerialPaper = NonNullable<z.output<typeof paper>>

export const findSerials = defineEndpoint({
  name: 'serials.find',
  method: 'GET',
  path: base,
  access: see,
  input: z.object({ q: z.string().trim().max(60).default(''), itemId: z.uuid().optional() }),
  output: z.object({ rows: z.array(unit) }),
  summary:
    'Units whose serial number holds what was typed or scanned, fifty at most; an exact number comes first',
})

export const serialLife = defineEndpoint({
  name: 'serials.life',
  method: 'GET',
  path: `${base}/{id}`,
  access: see,
  input: z.object({ id: z.uuid() }),
  output: unit.extend({
    events: z.array(
      z.object({
        kind: z.enum(serialKinds),
        day: z.string(),
        documentId: z.string().nullable(),
        documentType: z.number().nullable(),
        number: z.number().nullable(),
        customer: z.string().nullable(),
        note: z.string(),
        by: z.string().nullable(),
      }),
    ),
  }),
  summary: 'The whole life of one unit: where it came from, whom it was sold to, when it came back',
  errors: ['kit.notFound'],
})
export type SerialLife = z.output<typeof serialLife.output>

export const receiveSerials = defineEndpoint({
  name: 'serials.receive',
  method: 'POST',
  path: `${base}/receive`,
  access: change,
  input: z.strictObject({
    itemId: z.uuid({ error: 'fields.ref' }),
    numbers,
    /** They are on their way: when they are received, what was expected is ticked off. */
    expected: z.boolean().default(false),
    placeId: z.uuid({ error: 'fields.ref' }).optional(),
    documentId: z.uuid({ error: 'fields.ref' }).optional(),
    day: dayValue.optional(),
    note,
  }),
  output: done,
  summary: 'Takes in units by their serial numbers, all or none; each wrong number is named',
  errors: ['stock.serialTaken', 'stock.serialTwice', 'stock.notSerial', 'stock.dayAhead'],
})

export const issueSerials = defineEndpoint({
  name: 'serials.issue',
  method: 'POST',
  path: `${base}/issue`,
  access: change,
  input: z.strictObject({
    /** The delivery note or invoice they went with. */
    documentId: z.uuid({ error: 'fields.ref' }),
    itemId: z.uuid({ error: 'fields.ref' }),
    numbers,
    warrantyMonths: z
      .number()
      .int()
      .min(0, { error: 'fields.range' })
      .max(240, { error: 'fields.range' })
      .default(12),
    note,
  }),
  output: done,
  summary: 'Says which units went with a paper: to its customer, on its day, with their warranty',
  errors: ['stock.serialUnknown', 'stock.serialNotHere', 'stock.serialTwice', 'stock.serialTooMany'],
})

export const moveSerials = defineEndpoint({
  name: 'serials.move',
  method: 'POST',
  path: `${base}/move`,
  access: change,
  input: z.strictObject({
    itemId: z.uuid({ error: 'fields.ref' }),
    numbers,
    to: z.enum(['returned', 'scrapped', 'missing', 'found', 'moved'], { error: 'fields.choice' }),
    /** Where units that came back, were found or were moved lie now; the main warehouse where absent. */
    placeId: z.uuid({ error: 'fields.ref' }).optional(),
    day: dayValue.optional(),
    note,
  }),
  output: done,
  summary:
    'Says that units came back, were scrapped, are missing, were found or lie in another warehouse; what is scrapped, missing or found changes the quantity too',
  errors: [
    'stock.serialUnknown',
    'stock.serialNotHere',
    'stock.serialTwice',
    'stock.notSerial',
    'stock.notEnough',
    'stock.dayAhead',
    'stock.dayClosed',
    'ledger.periodClosed',
  ],
})

const counter = z.object({
  itemId: z.string(),
  item: z.string(),
  sku: z.string().nullable(),
  prefix: z.string(),
  digits: z.number(),
  nextNumber: z.number(),
  next: z.string(),
})
export const listCounters = defineEndpoint({
  name: 'serials.counters',
  method: 'GET',
  path: '/api4/invoice/serialcounters',
  access: see,
  input: z.object({ q: z.string().trim().max(60).default('') }),
  output: z.object({
    rows: z.array(counter),
    more: z.boolean().describe('There are more items than are answered'),
  }),
  summary:
    'The next serial number of each item whose units are told apart, five hundred at most, by a part of its name or SKU',
})

export const takeNumbers = defineEndpoint({
  name: 'serials.take',
  method: 'POST',
  path: '/api4/invoice/serialcounters',
  access: change,
  input: z.strictObject({
    itemId: z.uuid({ error: 'fields.ref' }),
    prefix: z.string().trim().max(20, { error: 'fields.tooLong' }).optional(),
    digits: z.number().int().min(1, { error: 'fields.range' }).max(12, { error: 'fields.range' }).optional(),
    nextNumber: z
      .number()
      .int()
      .min(1, { error: 'fields.range' })
      .max(999_999_999_999, { error: 'fields.range' })
      .optional(),
    /** So many numbers are given out now; none: only the pattern is kept. */
    count: z.number().int().min(0, { error: 'fields.range' }).max(500, { error: 'fields.range' }),
    /** And the units are taken in at once. */
    receive: z.boolean().default(false),
  }),
  output: z.object({ numbers: z.array(z.string()) }),
  summary:
    'Gives out the next serial numbers of an item by its pattern, each once, and takes the units in where it is said',
  errors: ['stock.notSerial', 'stock.serialTaken'],
})
