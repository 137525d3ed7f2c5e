import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { items } from './items.ts'
import { decimal, lastPriceChanges, pricePreview, priceRule, undonePrices } from './priceChange.ts'

const { see, change } = items.allow
const done = z.object({ done: z.literal(true) })
const byId = z.object({ id: z.uuid() })
const words = (max: number) =>
  z
    .string({ error: 'fields.text' })
    .trim()
    .min(1, { error: 'fields.need' })
    .max(max, { error: 'fields.tooLong' })

export const unitsInUse = defineEndpoint({
  name: 'items.units',
  method: 'GET',
  path: '/api4/invoice/itemunits',
  access: { rule: see },
  input: z.object({}),
  output: z.object({ rows: z.array(z.string()) }),
  summary: 'The units this business uses, the commonest first',
})

const attribute = z.strictObject({
  name: words(40),
  values: z.array(words(40)).min(1, { error: 'fields.need' }).max(50, { error: 'fields.range' }),
})
/** Size: S, M, L. */
export type Attribute = z.output<typeof attribute>
const values = z.record(z.string().max(40), z.string().max(40))

const variant = z.object({
  id: z.string(),
  name: z.string(),
  values,
  sku: z.string().nullable(),
  barcode: z.string().nullable(),
  price: z.string(),
  priceDifference: z.string(),
  isActive: z.boolean(),
})
const variantsAnswer = z.object({ attributes: z.array(attribute), rows: z.array(variant) })
export type Variants = z.output<typeof variantsAnswer>

export const getVariants = defineEndpoint({
  name: 'items.variants',
  method: 'GET',
  path: '/api4/invoice/items/{id}/variants',
  access: { rule: see },
  input: byId,
  output: variantsAnswer,
  summary: 'The attributes of an item and its variants',
  errors: ['kit.notFound'],
})
export const keepVariants = defineEndpoint({
  name: 'items.keepVariants',
  method: 'PUT',
  path: '/api4/invoice/items/{id}/variants',
  access: { rule: change },
  maxBody: 1_000_000,
  input: z.strictObject({
    id: z.uuid(),
    attributes: z.array(attribute).max(4, { error: 'fields.range' }),
    /** Every variant there is to be; one that is not named any more is put away. */
    variants: z
      .array(
        z.strictObject({
          id: z.uuid().optional(),
          values,
          sku: z.string().trim().max(40, { error: 'fields.tooLong' }).nullish(),
          barcode: z.string().trim().max(40, { error: 'fields.tooLong' }).nullish(),
          priceDifference: decimal.default('0'),
          isActive: z.boolean().default(true),
        }),
      )
      .max(500, { error: 'fields.range' }),
  }),
  output: variantsAnswer,
  summary: 'Sets the variants of an item: new ones are made, missing ones put away',
  errors: ['kit.notFound', 'items.isVariant', 'items.sameVariantTwice'],
})

export const setPicture = defineEndpoint({
  name: 'items.setPicture',
  method: 'PUT',
  path: '/api4/invoice/items/{id}/picture',
  access: { rule: change },
  input: z.strictObject({ id: z.uuid(), fileId: z.uuid() }),
  output: done,
  summary: 'Chooses which of an item’s pictures stands for it',
  errors: ['kit.notFound'],
})

const rule = {
  /** These items, or those that fit the list's search and filters. */
  ids: z.array(z.uuid()).max(5_000, { error: 'fields.range' }).optional(),
  query: z.record(z.string().max(60), z.string().max(500)).optional(),
  ...priceRule,
}

export const previewPrices = defineEndpoint({
  name: 'items.previewPrices',
  method: 'POST',
  path: '/api4/invoice/itemprices/preview',
  access: { rule: change },
  reads: true,
  input: z.strictObject(rule),
  output: pricePreview,
  summary: 'What a change of prices would do; at most 200 items are shown',
})
export const changePrices = defineEndpoint({
  name: 'items.changePrices',
  method: 'POST',
  path: '/api4/invoice/itemprices',
  access: { rule: change },
  input: z.strictObject(rule),
  output: z.object({ id: z.string(), changed: z.number() }),
  summary: 'Changes the prices of many items at once; it can be taken back',
  errors: ['items.nothingChosen'],
})
export const priceChanges = defineEndpoint({
  name: 'items.priceChanges',
  method: 'GET',
  path: '/api4/invoice/itemprices',
  access: { rule: change },
  input: z.object({}),
  output: lastPriceChanges,
  summary: 'The last changes of many prices',
})
export const undoPriceChange = defineEndpoint({
  name: 'items.undoPriceChange',
  method: 'POST',
  path: '/api4/invoice/itemprices/{id}/undo',
  access: { rule: change },
  input: byId,
  output: undonePrices,
  summary: 'Gives the items of a change their old prices back',
  errors: ['kit.notFound', 'items.alreadyUndone'],
})
