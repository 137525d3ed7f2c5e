import { z } from 'zod'
import { defineEndpoint } from '../../kit/describe/endpoint.ts'
import { dayValue } from '../../kit/fields/schema.ts'

/** A card as integrators ask for it: by the account, not by the report's name. */
export const cardOfAccount = defineEndpoint({
  name: 'accounts.card',
  method: 'GET',
  path: '/api5/invoicecpa/accounts/{id}/card',
  access: { rule: 'reports.accounting' },
  input: z.object({ id: z.uuid(), from: dayValue, to: dayValue }),
  output: z.object({
    shape: z.any(),
    filters: z.record(z.string(), z.any()),
    rows: z.array(z.any()),
    totals: z.record(z.string(), z.number()),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean() })),
  }),
  summary: 'The card of an account: opening, lines with running balance, closing',
  errors: ['kit.notFound'],
})
