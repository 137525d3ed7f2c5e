import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

const path = '/api4/invoice/sandbox'
const access = { rule: 'apiKeys' }

const state = z.object({
  /** The test business; null while there is none. */
  business: z
    .object({
      id: z.string(),
      name: z.string(),
      since: z.string(),
      documents: z.number(),
      customers: z.number(),
    })
    .nullable(),
  /** The caller works in the test business now. */
  isHere: z.boolean(),
})
export type Sandbox = z.infer<typeof state>

export const getSandbox = defineEndpoint({
  name: 'sandbox.get',
  method: 'GET',
  path,
  access: 'member',
  input: z.object({}),
  output: state,
  summary: 'The test business beside mine',
  about:
    'Programs are tried on a test business: its papers say “Test” across the page, its numbers are its own, and nothing leaves it.',
})
export const openSandbox = defineEndpoint({
  name: 'sandbox.open',
  method: 'POST',
  path,
  access,
  input: z.strictObject({}),
  output: state.extend({ secret: z.string() }),
  summary: 'Opens the test business, or finds it, and makes a key for it',
  about:
    'The first call opens a test business with a few customers, a supplier and items; every call makes a new key (pk_test_…), told this once. Keys that it made and nobody used for a month end.',
  errors: ['sandbox.isTest', 'apiKeys.tooMany'],
})
export const emptySandbox = defineEndpoint({
  name: 'sandbox.empty',
  method: 'POST',
  path: `${path}/empty`,
  access: 'member',
  input: z.strictObject({}),
  output: state,
  summary: 'Empties the test business',
  about:
    'Documents, books and registers begin anew; keys stay. A key of the test business may do it, so a run of tests can begin with it.',
  errors: ['sandbox.none', 'session.forbidden', 'kit.keyReadOnly'],
})
export const discardSandbox = defineEndpoint({
  name: 'sandbox.discard',
  method: 'DELETE',
  path,
  access,
  input: z.object({}),
  output: state,
  summary: 'Throws the test business away with its keys',
  errors: ['sandbox.none', 'sandbox.isTest'],
})
