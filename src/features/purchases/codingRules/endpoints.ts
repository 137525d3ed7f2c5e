import { z } from 'zod'
import { vatShareNames } from '#domain/vat/shares.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'

/** What a rule would have made of past bills, before it is kept. */
export const previewCodingRule = defineEndpoint({
  name: 'codingrules.preview',
  method: 'POST',
  path: '/api4/invoice/codingrules/preview',
  access: { rule: 'codingRules.change' },
  reads: true,
  input: z.strictObject({
    supplierId: z.uuid({ error: 'fields.ref' }).nullish(),
    contains: z.string().trim().max(80, { error: 'fields.tooLong' }).nullish(),
    typeId: z.uuid({ error: 'fields.ref' }).nullish(),
    vatShare: z.enum(vatShareNames, { error: 'fields.choice' }).nullish(),
    projectId: z.uuid({ error: 'fields.ref' }).nullish(),
  }),
  output: z.object({
    /** Bills of the last twelve months it speaks of, and how many of them it would have coded otherwise. */
    fits: z.number(),
    differs: z.number(),
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string(),
        supplier: z.string().nullable(),
        details: z.string(),
        totalAgorot: z.number(),
        type: z.string(),
        /** What the rule would have said instead; null where it says the same. */
        newType: z.string().nullable(),
        vatShareDiffers: z.boolean(),
        projectDiffers: z.boolean(),
      }),
    ),
  }),
  summary: 'What a rule of coding would have changed in the bills of the last twelve months',
})
