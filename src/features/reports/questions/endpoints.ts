import { z } from 'zod'
import {
  dimensionNames,
  factNames,
  limits,
  periodUnits,
  shownAs,
  sorts,
  type DimensionName,
  type FactName,
} from '#domain/questions/model.ts'
import { readingNames, type ReadingName } from '#domain/questions/answers.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { dayValue } from '#kit/fields/schema.ts'

const base = '/api4/invoice/questions'
const dimension = z.enum(dimensionNames as [DimensionName, ...DimensionName[]])
const word = z.string().regex(/^[a-zA-Z]{1,40}$/)
const whole = z
  .number()
  .int()
  .min(-(10 ** 15))
  .max(10 ** 15)
const offset = z.number().int().min(-600).max(600)

const filter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('period'),
    period: z.union([
      z.strictObject({ from: dayValue, to: dayValue }),
      z.strictObject({ unit: z.enum(periodUnits), from: offset, to: offset }),
    ]),
  }),
  z.strictObject({
    kind: z.literal('is'),
    dimension,
    values: z.array(z.string().max(200)).max(limits.values, { error: 'questions.tooMany' }),
    not: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('amount'), amount: word, from: whole.optional(), to: whole.optional() }),
  z.strictObject({ kind: z.literal('flag'), flag: word, not: z.boolean().optional() }),
  z.strictObject({ kind: z.literal('text'), has: z.string().max(200) }),
])

/** A question as it travels and as it is kept: names of the model and values. */
export const questionValue = z.strictObject({
  fact: z.enum(factNames as [FactName, ...FactName[]]),
  rows: z.array(dimension).max(limits.rows, { error: 'questions.tooMany' }),
  column: dimension.nullable(),
  measures: z
    .array(z.strictObject({ name: word, as: z.enum(shownAs) }))
    .max(limits.measures, { error: 'questions.tooMany' }),
  filters: z.array(filter).max(limits.filters, { error: 'questions.tooMany' }),
  sort: z.enum(sorts),
  top: z.strictObject({ most: z.number().int().min(1).max(limits.top), others: z.boolean() }).nullable(),
})

const figures = z.array(z.number().nullable())
const row = z.object({
  keys: z.array(z.string()),
  names: z.array(z.string().nullable()),
  others: z.literal(true).optional(),
  cells: z.array(figures.nullable()),
  total: figures,
})

const faults = [
  'questions.unknown',
  'questions.twice',
  'questions.tooMany',
  'questions.need',
  'questions.notAdditive',
  'questions.turned',
  'questions.hidden',
  'questions.tooSlow',
]

const names = z.record(z.string(), z.string())

export const runQuestion = defineEndpoint({
  name: 'questions.run',
  method: 'POST',
  path: `${base}/run`,
  access: 'member',
  reads: true,
  input: z.strictObject({ question: questionValue }),
  output: z.object({
    columns: z.array(z.object({ key: z.string(), name: z.string().nullable() })),
    rows: z.array(row),
    /** Totals of the outer rows, where there are inner ones. */
    parts: z.array(row),
    totals: z.object({ cells: z.array(figures.nullable()), total: figures }),
    /** How many rows and columns there are; more than are here when it was cut. */
    many: z.object({ rows: z.number(), columns: z.number() }),
    /** The days that are asked about. */
    period: z.object({ from: z.string(), to: z.string() }).nullable(),
    /** What the records that filters name are called, by their ids. */
    names,
  }),
  summary:
    'Answers a question: rows and columns of any fact with its measures, in whole agorot, numbers, ten-thousandths of quantities and basis points of shares',
  errors: faults,
})
export type Answer = z.infer<typeof runQuestion.output>

export const linesOfCell = defineEndpoint({
  name: 'questions.lines',
  method: 'POST',
  path: `${base}/lines`,
  access: 'member',
  reads: true,
  input: z.strictObject({
    question: questionValue,
    /** A key for each row, fewer for a sum of several; none for a whole column. */
    rows: z.array(z.string().max(200)).max(limits.rows),
    column: z.string().max(200).nullable(),
    /** The row of all that is not among the first. */
    others: z.boolean().optional(),
    after: z.number().int().min(0).max(100_000).default(0),
  }),
  output: z.object({
    rows: z.array(
      z.object({
        id: z.string(),
        day: z.string().nullable(),
        type: z.string().nullable(),
        number: z.string().nullable(),
        who: z.string(),
        what: z.string(),
        /** Of the first measure that has one of each record. */
        figure: z.number().nullable(),
        open: z.string(),
      }),
    ),
    more: z.boolean(),
  }),
  summary: 'The records a figure of an answer is made of, newest first, a hundred at a time',
  errors: faults,
})
export type CellLine = z.infer<typeof linesOfCell.output>['rows'][number]

/** A question of an owner: where it is answered, and what was said besides its subject. */
const reading = z.object({
  name: z.enum(readingNames as [ReadingName, ...ReadingName[]]),
  href: z.string(),
  period: z.object({ from: z.string(), to: z.string() }).nullable(),
  /** Older than so many days. */
  days: z.number().nullable(),
  /** Of questions that are answered here. */
  question: questionValue.nullable(),
})
export type SaidReading = z.infer<typeof reading>

export const understand = defineEndpoint({
  name: 'questions.understand',
  method: 'POST',
  path: `${base}/understand`,
  access: 'member',
  reads: true,
  input: z.strictObject({
    said: z.string().trim().min(1, { error: 'fields.need' }).max(300, { error: 'fields.tooLong' }),
  }),
  output: z.object({
    question: questionValue,
    names,
    /** Stretches of what was said that were not read, with why. */
    unread: z.array(
      z.object({
        from: z.number(),
        to: z.number(),
        text: z.string(),
        why: z.enum(['unknown', 'noRecord', 'severalRecords', 'notHere', 'notYours', 'second']),
      }),
    ),
    /** Whether anything was understood at all. */
    any: z.boolean(),
    /** The question of an owner this is, with every word read; its answer is at `href`. */
    reading: reading.nullable(),
    /** Where a word was not read: the questions that may have been meant, the nearest first. */
    nearest: z.array(reading),
  }),
  summary:
    'Reads a question in words in five languages: a question of an owner with the place of its answer, or rows, columns, measures and filters; says what it could not read and which questions are nearest',
})
export type Understood = z.infer<typeof understand.output>

const kept = z.object({
  id: z.string(),
  name: z.string(),
  question: questionValue,
  forEverybody: z.boolean(),
  madeBy: z.string(),
  isMine: z.boolean(),
  /** May be renamed, changed and deleted by who asks. */
  mayChange: z.boolean(),
  updatedAt: z.string(),
})
export type Kept = z.infer<typeof kept>

const nameValue = z.string().trim().min(1, { error: 'fields.need' }).max(80, { error: 'fields.tooLong' })

export const listQuestions = defineEndpoint({
  name: 'questions.list',
  method: 'GET',
  path: base,
  access: 'member',
  input: z.object({}),
  output: z.object({
    rows: z.array(kept),
    /** What I may ask about. */
    facts: z.array(z.enum(factNames as [FactName, ...FactName[]])),
  }),
  summary: 'Questions I kept and those kept for everybody, as far as I may ask them',
})
export const keepQuestion = defineEndpoint({
  name: 'questions.keep',
  method: 'POST',
  path: base,
  access: 'member',
  input: z.strictObject({
    name: nameValue,
    question: questionValue,
    forEverybody: z.boolean().default(false),
  }),
  output: kept,
  summary: 'Keeps a question under a name; it stands among the reports',
  errors: faults,
})
export const changeQuestion = defineEndpoint({
  name: 'questions.change',
  method: 'PATCH',
  path: `${base}/{id}`,
  access: 'member',
  input: z.strictObject({
    id: z.uuid(),
    name: nameValue.optional(),
    question: questionValue.optional(),
    forEverybody: z.boolean().optional(),
  }),
  output: kept,
  summary: 'Renames a kept question, asks it differently, or gives it to everybody',
  errors: ['kit.notFound', 'questions.notYours', ...faults],
})
export const dropQuestion = defineEndpoint({
  name: 'questions.drop',
  method: 'DELETE',
  path: `${base}/{id}`,
  access: 'member',
  input: z.object({ id: z.uuid() }),
  output: z.object({ done: z.literal(true) }),
  summary: 'Deletes a kept question',
  errors: ['kit.notFound', 'questions.notYours'],
})

export const exportQuestion = defineEndpoint({
  name: 'questions.export',
  // A question may be longer than an address bears.
  method: 'POST',
  path: '/api4/invoiceexport/questions/{file}',
  access: 'member',
  reads: true,
  file: true,
  input: z.strictObject({
    file: z.string().regex(/^question\.(csv|xlsx|pdf)$/),
    question: questionValue,
    title: z.string().trim().max(80).optional(),
  }),
  output: z.any(),
  summary: 'The answer to a question as CSV, XLSX or PDF: question.{csv|xlsx|pdf}',
  errors: faults,
})
