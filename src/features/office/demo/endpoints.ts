import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { defineErrors } from '#kit/describe/errors.ts'
import { languageValue } from '#kit/fields/schema.ts'
import { sessionAnswer } from '#features/base/session/endpoints.ts'

defineErrors({ 'demo.off': 404, 'demo.notDemo': 422 })

export const openDemo = defineEndpoint({
  name: 'demo.open',
  method: 'POST',
  path: '/api/user/demo',
  access: 'open',
  throttle: 10,
  input: z.strictObject({ language: languageValue.default('he') }),
  output: sessionAnswer,
  summary: 'Opens a demo business with a believable year; in a development start only',
  errors: ['demo.off'],
})
export const openDemoOffice = defineEndpoint({
  name: 'demo.openOffice',
  method: 'POST',
  path: '/api/user/demo/office',
  access: 'open',
  throttle: 10,
  input: z.strictObject({ language: languageValue.default('he') }),
  output: sessionAnswer,
  summary: 'Opens a demo office of accountants with its clients; in a development start only',
  errors: ['demo.off'],
})
export const openDemoDealer = defineEndpoint({
  name: 'demo.openDealer',
  method: 'POST',
  path: '/api/user/demo/dealer',
  access: 'open',
  throttle: 10,
  input: z.strictObject({}),
  output: sessionAnswer,
  summary: 'Comes in as the dealer whose brand the demo shows; in a development start only',
  errors: ['demo.off'],
})
export const discardDemo = defineEndpoint({
  name: 'demo.discard',
  method: 'POST',
  path: '/api4/invoice/company/discard',
  access: { rule: 'companies.change' },
  input: z.strictObject({}),
  output: z.object({ done: z.literal(true) }),
  summary: 'Throws the demo business away, with everything in it',
  errors: ['demo.notDemo'],
})
