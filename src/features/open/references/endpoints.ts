import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { markedEntities, markFields } from '#kit/fields/marks.ts'

const answer = z.object({
  entity: z.enum(markedEntities),
  id: z.string(),
  externalId: z.string().nullable(),
  metadata: z.record(z.string(), z.any()),
  /** issued, draft, waiting, approved …; null where the record has no state. */
  state: z.string().nullable(),
  /** The call that shows it. */
  see: z.string(),
  path: z.string(),
})

export const findReference = defineEndpoint({
  name: 'references.find',
  method: 'GET',
  path: '/api4/invoice/references/{entity}/{id}',
  access: 'member',
  input: z.object({
    entity: z.enum(markedEntities, { error: 'fields.choice' }),
    id: z.string().max(100).describe('Your own id of the record (externalId)'),
  }),
  output: answer,
  summary: 'The record by your own id, its state and what shows it',
  errors: ['kit.notFound', 'session.forbidden'],
})
export const keepReference = defineEndpoint({
  name: 'references.keep',
  method: 'PUT',
  path: '/api4/invoice/references/{entity}/{id}',
  access: 'member',
  input: z.strictObject({
    entity: z.enum(markedEntities, { error: 'fields.choice' }),
    id: z.uuid(),
    ...markFields,
  }),
  output: answer,
  summary: 'Your own id and values of a record, issued or not',
  errors: ['kit.notFound', 'session.forbidden'],
})

const numbered = z.array(z.object({ id: z.number(), code: z.string(), name: z.string() }))

export const listNumbers = defineEndpoint({
  name: 'references.numbers',
  method: 'GET',
  path: '/api4/invoice/references',
  access: 'member',
  input: z.object({}),
  output: z.object({
    documentTypes: numbered,
    documentStatuses: numbered,
    vatKinds: numbered,
    languages: numbered,
    means: numbered,
    businessKinds: numbered,
  }),
  summary: 'The numbers that calls take and answer, with their names',
})
