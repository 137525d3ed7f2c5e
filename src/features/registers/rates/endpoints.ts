import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { bytesValue, currencyValue, dayValue } from '#kit/fields/schema.ts'
import { queryFlag } from '#kit/fields/query.ts'

const base = '/api4/invoice/rates'
/** Shekels for one unit, up to six decimals. */
const rateValue = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,6})?$/, { error: 'fields.decimal' }))
const foreign = currencyValue.refine((v) => v !== 'ILS', { error: 'fields.currency' })

const rate = z.object({
  currency: z.string(),
  /** The day it was published. */
  day: z.string(),
  rate: z.string(),
  /** typed or file: kept by this business. common: everybody's. */
  source: z.enum(['typed', 'file', 'common']),
})
export type Rate = z.infer<typeof rate>

export const ratesOfDay = defineEndpoint({
  name: 'rates.ofDay',
  method: 'GET',
  path: base,
  access: 'member',
  input: z.object({ currency: foreign.optional(), day: dayValue.optional() }),
  output: z.object({ rows: z.array(rate) }),
  summary:
    'The rate of each currency, or of one, that holds on a day: the last one published on or before it (today when no day is named)',
})
export const allocationFrom = defineEndpoint({
  name: 'rates.allocationFrom',
  method: 'GET',
  path: `${base}/allocation`,
  access: 'member',
  input: z.object({ day: dayValue.optional() }),
  output: z.object({ day: z.string(), agorot: z.number().nullable() }),
  summary:
    'Above which sum before VAT an invoice of a day (today when none is named) needs an allocation number; null before the law began',
})
export const rateHistory = defineEndpoint({
  name: 'rates.history',
  method: 'GET',
  path: `${base}/history`,
  access: 'member',
  input: z.object({ currency: foreign, before: dayValue.optional() }),
  output: z.object({ rows: z.array(rate), more: z.boolean() }),
  summary: 'The rates of a currency, newest first, a hundred at a time; `before` goes on',
})
export const keepRate = defineEndpoint({
  name: 'rates.keep',
  method: 'PUT',
  path: base,
  access: { rule: 'rates.change' },
  input: z.strictObject({ currency: foreign, day: dayValue, rate: rateValue }),
  output: rate,
  summary: 'Keeps the rate of a day for this business, in place of one it had',
  errors: ['rates.future'],
})
export const removeRate = defineEndpoint({
  name: 'rates.remove',
  method: 'DELETE',
  path: `${base}/{currency}/{day}`,
  access: { rule: 'rates.change' },
  input: z.object({ currency: foreign, day: dayValue }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Takes away a rate this business kept; documents keep the rate they were issued with',
  errors: ['kit.notFound'],
})
export const importRates = defineEndpoint({
  name: 'rates.import',
  method: 'POST',
  path: `${base}/import`,
  access: { rule: 'rates.change' },
  input: z.object({
    /** Of a file with one column of rates and no currency in it. */
    currency: foreign.optional(),
    /** 'true': reads and answers, keeps nothing. */
    look: queryFlag.default('false'),
    bytes: bytesValue,
  }),
  output: z.object({
    count: z.number(),
    currencies: z.array(z.string()),
    from: z.string(),
    to: z.string(),
    /** Rows with a day whose rate could not be read. */
    skipped: z.number(),
    sample: z.array(z.object({ currency: z.string(), day: z.string(), rate: z.string() })),
  }),
  upload: { maxBytes: 5 * 1024 * 1024 },
  summary: 'Brings rates in from a file of the Bank of Israel (CSV or XLSX)',
  errors: ['rates.badFile', 'rates.nothingFound', 'rates.needCurrency'],
})
