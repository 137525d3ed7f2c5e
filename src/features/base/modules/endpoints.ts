import { z } from 'zod'
import { trades } from '#kit/describe/area.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { queryNumber } from '#kit/fields/query.ts'

/** A plug-in record, and what was agreed with it. */
const record = z.object({
  pluginid: z.number(),
  companyid: z.number(),
  since: z.string(),
  trialUntil: z.string(),
  priceAgorot: z.number(),
  /** The last day it runs, when it was cancelled. */
  endsOn: z.string().nullable(),
})
const answer = z.object({ company: z.number(), records: z.array(record) })
export type Plugins = z.infer<typeof answer>

const byPlugin = z.object({ plugin: queryNumber(z.int().min(1).max(1000)) })

export const listModules = defineEndpoint({
  name: 'modules.list',
  method: 'GET',
  path: '/api4/invoice/modules',
  access: 'member',
  input: z.object({}),
  output: answer,
  summary: 'The paid modules of my business that run now',
})
const areas = z.object({
  /** What the business said it does; null while it has not been asked. */
  trades: z.array(z.enum(trades)).nullable(),
  /** False until somebody of a business from before the shorter menu has seen what left it. */
  told: z.boolean(),
  rows: z.array(
    z.object({
      name: z.string(),
      /** Its calls answer. */ on: z.boolean(),
      /** In the menu: turned on, in use, or a part of what the business does. */ shown: z.boolean(),
      href: z.string(),
      /** Turned by hand, not by what it does. */ chosen: z.boolean(),
    }),
  ),
})
export type Areas = z.infer<typeof areas>

export const listAreas = defineEndpoint({
  name: 'modules.areas',
  method: 'GET',
  path: '/api4/invoice/areas',
  access: 'member',
  input: z.object({}),
  output: areas,
  summary: 'The areas of the product, and which my business uses',
})
export const chooseAreas = defineEndpoint({
  name: 'modules.chooseAreas',
  method: 'PATCH',
  path: '/api4/invoice/areas',
  access: { rule: 'modules' },
  input: z.strictObject({
    /** What the business does: what fits it is on, what was turned by hand stays as it was. */
    trades: z
      .array(z.enum(trades, { error: 'fields.choice' }))
      .max(trades.length)
      .optional(),
    /** Areas by name, on or off. */
    areas: z.record(z.string().max(50), z.boolean()).optional(),
    /** What left the menu has been seen. */
    told: z.literal(true).optional(),
  }),
  output: areas,
  summary: 'Says what the business does, or turns areas on and off; nothing is lost by turning one off',
  errors: ['kit.notFound'],
})
export const buyModule = defineEndpoint({
  name: 'modules.buy',
  method: 'POST',
  path: '/api4/invoice/modules/{plugin}',
  access: { rule: 'modules' },
  input: byPlugin,
  output: answer,
  summary: 'Adds a module from today, or keeps one that was cancelled and still runs',
  errors: ['kit.notFound'],
})
export const cancelModule = defineEndpoint({
  name: 'modules.cancel',
  method: 'DELETE',
  path: '/api4/invoice/modules/{plugin}',
  access: { rule: 'modules' },
  input: byPlugin,
  output: answer,
  summary: 'Ends a module with the end of this month',
  errors: ['kit.notFound'],
})
