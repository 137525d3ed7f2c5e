import { z } from 'zod'
import { priceRoundings } from '#domain/prices/change.ts'
import { parseDecimal4 } from '#domain/quantity.ts'

/** A price or a quantity, as a figure or as text, exactly. */
export const decimal = z
  .union([z.string().max(24), z.number()], { error: 'fields.decimal' })
  .transform(String)
  .refine((value) => parseDecimal4(value) !== undefined, { error: 'fields.decimal' })

/** How many prices change at once: by a share or by a sum, to a round end. */
export const priceRule = {
  change: z.union(
    [
      z.strictObject({
        basisPoints: z
          .number()
          .int()
          .min(-10_000, { error: 'fields.range' })
          .max(1_000_000, { error: 'fields.range' }),
      }),
      z.strictObject({ sum: decimal }),
    ],
    { error: 'fields.need' },
  ),
  rounding: z.enum(priceRoundings, { error: 'fields.choice' }).default('none'),
}

/** What it would do; `count` prices are meant, `changed` would be others. */
export const pricePreview = z.object({
  count: z.number(),
  changed: z.number(),
  rows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      sku: z.string().nullable(),
      currency: z.string(),
      beforePrice: z.string(),
      afterPrice: z.string(),
    }),
  ),
})

export const lastPriceChanges = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      by: z.string().nullable(),
      items: z.number(),
      change: priceRule.change,
      rounding: z.enum(priceRoundings),
      undoneAt: z.string().nullable(),
    }),
  ),
})
export type LastPriceChange = z.output<typeof lastPriceChanges>['rows'][number]

/** `kept`: those whose price was changed again since, which stay as they are. */
export const undonePrices = z.object({ undone: z.number(), kept: z.number() })
