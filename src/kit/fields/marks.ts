import { z } from 'zod'

/** What programs hang on a record: an id of their own system, and values nothing here reads. */
export const markedEntities = ['customers', 'suppliers', 'items', 'documents', 'expenses'] as const
export type MarkedEntity = (typeof markedEntities)[number]

/** Names that the metadata of one record may have. */
export const mostNames = 50
export const metadataName = /^[\w.-]{1,40}$/
const value = z.union([z.string().max(500, { error: 'fields.tooLong' }), z.number(), z.boolean(), z.null()])
export const markFields = {
  externalId: z
    .string()
    .trim()
    .min(1, { error: 'fields.need' })
    .max(100, { error: 'fields.tooLong' })
    .nullable()
    .optional(),
  metadata: z
    .record(z.string().regex(metadataName, { error: 'fields.code' }), value)
    .refine((of) => Object.keys(of).length <= mostNames, { error: 'fields.tooMany' })
    .nullable()
    .optional(),
}
export const marksInput = z.object(markFields)
export type Marks = z.output<typeof marksInput>

/** What an answer says of them. */
export const markAnswer = {
  externalId: z.string().nullable().optional(),
  metadata: z.record(z.string(), z.any()).optional(),
}
