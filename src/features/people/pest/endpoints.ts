import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

export const pestCertificate = defineEndpoint({
  name: 'pest.certificate',
  method: 'GET',
  path: '/api4/invoice/pesttreatments/{id}/certificate',
  access: { rule: 'pest.see' },
  file: true,
  input: z.object({ id: z.uuid() }),
  output: z.any(),
  summary: 'The sealed certificate of a treatment: always the same bytes',
  errors: ['kit.notFound'],
})
