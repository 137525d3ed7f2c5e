import { z } from 'zod'
import { parseDecimal4 } from '#domain/quantity.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { quantity } from '#kit/fields/field.ts'
import { moneyValue, schemaOf } from '#kit/fields/schema.ts'

const base = '/api4/invoice/stockcounts'
const count = { rule: 'stock.count' }
const approve = { rule: 'stock.approve' }
const byId = z.object({ id: z.uuid() })
const decimal = schemaOf(quantity()) as z.ZodType<string, string>
const pressed = decimal.refine(
  (text) => parseDecimal4(text) !== undefined && Math.abs(Number(text)) <= 10_000_000,
  {
    error: 'fields.range',
  },
)
const done = z.object({ done: z.literal(true) })

const summary = z.object({
  id: z.string(),
  number: z.number(),
  name: z.string(),
  state: z.enum(['counting', 'approved', 'dropped']),
  day: z.string(),
  isBlind: z.boolean(),
  place: z.string().nullable(),
  category: z.string().nullable(),
  lines: z.number(),
  counted: z.number(),
  /** Null while it is hidden from the person who asks. */
  gapAgorot: z.number().nullable(),
})
export type CountSummary = z.output<typeof summary>

const line = z.object({
  itemId: z.string(),
  placeId: z.string(),
  batchId: z.string(),
  item: z.string(),
  sku: z.string().nullable(),
  barcode: z.string().nullable(),
  unit: z.string().nullable(),
  place: z.string(),
  batch: z.string().nullable(),
  book: z.string().nullable(),
  counted: z.string().nullable(),
  /** What this person counted of it. */
  own: z.string().nullable(),
  gap: z.string().nullable(),
  gapAgorot: z.number().nullable(),
  wantsSecond: z.boolean(),
  people: z.number(),
})
export type CountLine = z.output<typeof line>

export const listCounts = defineEndpoint({
  name: 'stockCounts.list',
  method: 'GET',
  path: base,
  access: count,
  input: z.object({}),
  output: z.object({ rows: z.array(summary) }),
  summary: 'Counts of stock, the newest first',
})

export const beginCount = defineEndpoint({
  name: 'stockCounts.begin',
  method: 'POST',
  path: base,
  access: approve,
  input: z.strictObject({
    name: z.string().trim().min(1, { error: 'fields.need' }).max(80, { error: 'fields.tooLong' }),
    placeId: z.uuid({ error: 'fields.ref' }).optional(),
    categoryId: z.uuid({ error: 'fields.ref' }).optional(),
    isBlind: z.boolean().default(true),
  }),
  output: z.object({ id: z.string(), lines: z.number() }),
  summary: 'Freezes what the books say of a place or a category, to be counted; selling goes on',
  errors: ['stock.nothingToCount'],
})

export const getCount = defineEndpoint({
  name: 'stockCounts.get',
  method: 'GET',
  path: `${base}/{id}`,
  access: count,
  input: byId,
  output: summary.extend({
    rows: z.array(line),
    /** Movements of before the count that were entered after it. */
    late: z.array(
      z.object({
        moveId: z.string(),
        day: z.string(),
        kind: z.string(),
        item: z.string(),
        place: z.string(),
        quantity: z.string(),
      }),
    ),
  }),
  summary: 'A count with its sheets: what is to be counted where, what was counted, and what is apart',
  errors: ['kit.notFound'],
})
export type Count = z.output<typeof getCount.output>

export const countEntries = defineEndpoint({
  name: 'stockCounts.enter',
  method: 'POST',
  path: `${base}/{id}/entries`,
  access: count,
  input: z.strictObject({
    id: z.uuid(),
    entries: z
      .array(
        z.strictObject({
          /** Given by the phone: sent again it is not counted again. */
          clientId: z.uuid(),
          itemId: z.uuid({ error: 'fields.ref' }),
          placeId: z.uuid({ error: 'fields.ref' }).optional(),
          batchId: z.uuid().optional(),
          /** More, or less where a press was wrong. */
          quantity: pressed,
          round: z.union([z.literal(1), z.literal(2)]).default(1),
          serial: z.string().trim().min(1).max(60, { error: 'fields.tooLong' }).optional(),
          note: z.string().trim().max(200, { error: 'fields.tooLong' }).default(''),
          countedAt: z.iso.datetime({ offset: true, error: 'fields.moment' }),
        }),
      )
      .min(1, { error: 'fields.need' })
      .max(500, { error: 'fields.tooMany' }),
  }),
  output: z.object({ taken: z.number(), known: z.number() }),
  summary:
    'What was counted, in the order it was pressed: from as many phones as there are, also long after it was counted',
  errors: ['kit.notFound', 'stock.countClosed', 'stock.otherSheet'],
})

export const wantSecond = defineEndpoint({
  name: 'stockCounts.second',
  method: 'POST',
  path: `${base}/{id}/second`,
  access: approve,
  input: z.strictObject({
    id: z.uuid(),
    aboveAgorot: moneyValue.refine((agorot) => agorot >= 0, { error: 'fields.range' }),
  }),
  output: z.object({ lines: z.number() }),
  summary: 'Asks for a second count of what is apart by more than a sum',
  errors: ['kit.notFound', 'stock.countClosed'],
})

export const approveCount = defineEndpoint({
  name: 'stockCounts.approve',
  method: 'POST',
  path: `${base}/{id}/approve`,
  access: approve,
  input: z.strictObject({ id: z.uuid(), uncounted: z.enum(['leave', 'zero'], { error: 'fields.choice' }) }),
  output: z.object({ moves: z.number(), gapAgorot: z.number() }),
  summary: 'Approves a count: what is apart becomes movements and, where the books follow stock, an entry',
  errors: [
    'kit.notFound',
    'stock.countClosed',
    'stock.secondMissing',
    'stock.dayClosed',
    'ledger.periodClosed',
  ],
})

export const dropCount = defineEndpoint({
  name: 'stockCounts.drop',
  method: 'POST',
  path: `${base}/{id}/drop`,
  access: approve,
  input: byId.strict(),
  output: done,
  summary: 'Puts a count away that nobody wants; nothing moves',
  errors: ['kit.notFound', 'stock.countClosed'],
})

export const answerLate = defineEndpoint({
  name: 'stockCounts.answer',
  method: 'POST',
  path: `${base}/{id}/answers`,
  access: approve,
  input: z.strictObject({ id: z.uuid(), moveId: z.uuid(), wasCounted: z.boolean() }),
  output: done,
  summary:
    'Says of a movement that was entered late whether its goods were counted already: then it is taken back by another',
  errors: ['kit.notFound', 'stock.dayClosed', 'ledger.periodClosed'],
})
