import { z } from 'zod'
import { fieldKinds } from '#kit/fields/field.ts'
import type { ReportAnswer } from './report.ts'

/** A column or a filter; what else its kind knows of it comes along. */
const field = z.looseObject({ kind: z.enum(fieldKinds) })

const schema = z.object({
  shape: z.object({
    name: z.string(),
    words: z.string(),
    title: z.string().optional(),
    told: z.array(z.string()).optional(),
    columns: z.record(z.string(), field),
    filters: z.record(z.string(), field),
    totals: z.array(z.string()),
    group: z.string().optional(),
    compares: z.literal(true).optional(),
    budgets: z.literal(true).optional(),
    explained: z.record(z.string(), z.string()).optional(),
    entered: z.record(z.string(), z.object({ path: z.string(), word: z.string() })).optional(),
  }),
  filters: z.record(z.string(), z.any()),
  rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  totals: z.record(z.string(), z.number()),
  cut: z.number().optional(),
  of: z.number().optional(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), apartAgorot: z.number().optional() })),
})

/** The answer of every call that runs a report. */
export const reportAnswer = schema as unknown as z.ZodType<ReportAnswer, ReportAnswer>
