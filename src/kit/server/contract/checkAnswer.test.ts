import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest'
import { z } from 'zod'
import { rowAnswer } from '#kit/describe/answers.ts'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { defineResource } from '#kit/describe/resource.ts'
import { ref, text } from '#kit/fields/field.ts'
import { checkAnswer } from './checkAnswer.ts'
import { serveResource } from '../described/resources.ts'

let told: MockInstance<typeof console.error>
beforeEach(() => {
  told = vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => told.mockRestore())

const answers = (output: z.ZodType, more: Partial<Parameters<typeof checkAnswer>[0]> = {}) =>
  defineEndpoint({
    name: 'things.get',
    method: 'GET',
    path: '/things',
    access: 'login',
    input: z.object({}),
    output,
    summary: 'A thing',
    ...more,
  })

describe('an answer is compared with what its endpoint declares', () => {
  const thing = z.object({
    id: z.string(),
    count: z.number().optional(),
    lines: z.array(z.object({ no: z.number(), of: z.object({ name: z.string() }).nullable() })),
  })
  const whole = { id: 'a', count: 1, lines: [{ no: 1, of: { name: 'x' } }] }
  const either = z.union([z.object({ kind: z.literal('a'), a: z.number() }), z.object({ b: z.string() })])

  test.each<[what: string, output: z.ZodType, answer: unknown]>([
    ['the whole', thing, whole],
    ['without what may be absent', thing, { ...whole, count: undefined }],
    ['null where it may be', thing, { ...whole, lines: [{ no: 1, of: null }] }],
    ['an empty list', thing, { ...whole, lines: [] }],
    ['either member of a union', z.array(either), [{ kind: 'a', a: 1 }, { b: 'x' }]],
    ['names that are data', z.record(z.string(), z.number()), { one: 1, two: 2 }],
    ['anything where anything is declared', z.object({ of: z.any() }), { of: { a: [{ b: 1 }] } }],
    ['a moment as the text that is sent', z.object({ at: z.string() }), { at: new Date(0) }],
    ['nothing as null', z.null(), undefined],
  ])('fits: %s', (_, output, answer) => {
    expect(() => checkAnswer(answers(output), answer)).not.toThrow()
    expect(told).not.toHaveBeenCalled()
  })

  test.each<[what: string, output: z.ZodType, answer: unknown, problem: string | RegExp]>([
    ['an undeclared field', thing, { ...whole, more: 1 }, 'more is not declared'],
    [
      'one deep in a list',
      thing,
      { ...whole, lines: [...whole.lines, { no: 2, of: { name: 'y', at: 1 } }] },
      'lines.1.of.at is not declared',
    ],
    [
      'one in a list of lists',
      z.array(z.array(z.object({}))),
      [[{}], [{}, { a: 1 }]],
      '1.1.a is not declared',
    ],
    ['another type', thing, { ...whole, count: '1' }, /count: .*expected number/],
    ['another type deep in a list', thing, { ...whole, lines: [{ no: '1', of: null }] }, /lines\.0\.no: /],
    ['a missing field', thing, { id: 'a' }, /lines: .*received undefined/],
    ['undefined where a text must be', thing, { ...whole, id: undefined }, /id: .*received undefined/],
    ['null where it may not be', thing, { ...whole, id: null }, /id: .*received null/],
    ['no member of a union', z.array(either), [{ b: 1 }], /^things\.get breaks its contract: 0: /],
    ['a field of no member of a union', z.array(either), [{ b: 'x', c: 1 }], '0.c is not declared'],
    ['what a number is not', z.object({ n: z.number() }), { n: Number.NaN }, /n: /],
  ])('does not fit: %s', (_, output, answer, problem) => {
    expect(() => checkAnswer(answers(output), answer)).toThrow(problem)
    expect(told).toHaveBeenCalledTimes(1)
  })

  test('of many differences five are named', () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, i]))
    expect(() => checkAnswer(answers(z.object({})), many)).toThrow(
      /^things\.get breaks its contract: (f\d is not declared; ){4}f4 is not declared$/,
    )
  })

  test('marks of programs are part of the answer where the record carries them, and only there', () => {
    const marks = { externalId: 'e1', metadata: { a: 1 } }
    const one = z.object({ id: z.string() })
    const carries = { marks: 'customers' } as const
    expect(() => checkAnswer(answers(one, carries), { id: 'a', ...marks })).not.toThrow()
    const rows = z.object({ rows: z.array(one) })
    expect(() => checkAnswer(answers(rows, carries), { rows: [{ id: 'a', ...marks }] })).not.toThrow()
    expect(() => checkAnswer(answers(one), { id: 'a', ...marks })).toThrow('externalId is not declared')
  })
})

describe('what a resource answers besides its fields', () => {
  const things = defineResource({
    name: 'things',
    table: 'things',
    title: 'name',
    fields: { name: text({ need: true }), ownerId: ref('workers') },
    extra: { color: z.string().nullable(), partIds: z.array(z.uuid()) },
    list: { columns: ['name'], filters: [], sort: ['name', 'asc'] },
    form: [],
    allow: { see: 'things.see', change: 'things.change' },
    screens: { list: '/things', form: '/things' },
  })
  const color = sql`t.color`
  const partIds = sql`t.part_ids`
  const row = {
    id: '018f4e5a-0000-7000-8000-000000000001',
    name: 'x',
    ownerId: null,
    ownerIdName: null,
    color: null,
    partIds: [],
    archivedAt: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }

  test('is part of the answer for a record', () => {
    const one = answers(rowAnswer(things))
    expect(() => checkAnswer(one, row)).not.toThrow()
    const { color: _, ...without } = row
    expect(() => checkAnswer(one, without)).toThrow(/color: /)
    expect(() => checkAnswer(one, { ...row, partIds: ['1'] })).toThrow(/partIds\.0: /)
    expect(() => checkAnswer(one, { ...row, size: 1 })).toThrow('size is not declared')
  })

  test.each<[what: string, extra: Record<string, typeof color> | undefined, problem: string]>([
    ['a name without SQL', { color }, 'things: no SQL for extra partIds'],
    ['no SQL at all', undefined, 'things: no SQL for extra color, partIds'],
    ['SQL under another name', { color, partsIds: partIds }, 'things: no SQL for extra partIds'],
    ['SQL that nothing declares', { color, partIds, size: color }, 'things: extra size is not declared'],
  ])('must come with its SQL: %s', (_, extra, problem) => {
    expect(() => serveResource({ resource: things, ...(extra ? { extra } : {}) })).toThrow(problem)
  })
})
