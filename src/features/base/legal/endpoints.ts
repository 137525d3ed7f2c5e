import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

export const legalContact = defineEndpoint({
  name: 'legal.contact',
  method: 'GET',
  path: '/api/legal/contact',
  access: 'open',
  input: z.object({}),
  output: z.object({
    mail: z.string().describe('Where questions about the terms go'),
    privacy: z.string().describe('Where questions about personal data go'),
    accessibility: z
      .object({
        name: z.string().describe('Empty where nobody is named'),
        mail: z.string(),
        phone: z.string().describe('Empty where there is none'),
      })
      .describe('The accessibility coordinator'),
  }),
  summary: 'Who runs this installation and where to write',
})
