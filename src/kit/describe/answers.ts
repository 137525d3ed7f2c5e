import { z } from 'zod'
import { markAnswer } from '#kit/fields/marks.ts'
import { outputOf } from '#kit/fields/schema.ts'
import type { Endpoint } from './endpoint.ts'
import type { Resource, Row } from './resource.ts'

/** What a call answers that shows one record of a resource, with the record's type. */
export const rowAnswer = <R extends Resource<any, any>>(resource: R): z.ZodType<Row<R>, Row<R>> =>
  outputOf(resource) as unknown as z.ZodType<Row<R>, Row<R>>

const withMarks = (output: z.ZodType): z.ZodType => {
  if (!(output instanceof z.ZodObject)) return output
  const { rows } = output.shape as { rows?: unknown }
  if (!(rows instanceof z.ZodArray)) return output.extend(markAnswer)
  return output.extend({ rows: z.array(withMarks(rows.element as z.ZodType)) })
}

/** The whole answer of a call: its output, with the marks of programs where its record carries them. */
export const answerSchema = ({ output, marks, name }: Endpoint): z.ZodType =>
  marks && !name.endsWith('.delete') ? withMarks(output) : output
