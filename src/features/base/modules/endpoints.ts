import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

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

const byPlugin = z.object({ plugin: z.coerce.number().int().min(1).max(1000) })

export const listModules = defineEndpoint({
  name: 'modules.list',
  method: 'GET',
  path: '/api4/invoice/modules',
  access: 'login',
  input: z.object({}),
  output: answer,
  summary: 'The paid modules of my business that run now',
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
