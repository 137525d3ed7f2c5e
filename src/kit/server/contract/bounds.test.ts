import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Failure } from '#kit/describe/errors.ts'
import { parse } from '../contract/failures.ts'
import { checkWithin, wholeShare } from './bounds.ts'

const refusals = (deed: () => unknown) => {
  try {
    deed()
  } catch (e) {
    return (e as Failure).errors
  }
  return undefined
}

describe('a figure beyond its bounds is told which it broke, as its field shows it', () => {
  test.each([
    ['dealAgorot', 99, { min: 100 }, 'fields.least', { min: '1.00' }],
    ['lines.3.taxAgorot', 12_345_679, { min: 0, max: 12_345_678 }, 'fields.most', { max: '123,456.78' }],
    ['shareBp', 10_001, wholeShare, 'fields.most', { max: '100%' }],
    ['shareBp', -1, wholeShare, 'fields.least', { min: '0%' }],
    ['places', 10_000, { min: 1, max: 9999 }, 'fields.most', { max: '9,999' }],
    ['price', '-0.0001', { min: 0 }, 'fields.least', { min: '0' }],
  ])('%s %s', (path, value, bounds, code, params) => {
    expect(refusals(() => checkWithin(path, value, bounds))).toEqual([{ path, code, params }])
  })

  test.each([
    [0, wholeShare],
    [10_000, wholeShare],
    [null, { min: 1 }],
    [undefined, { min: 1 }],
    ['0', { min: 0 }],
  ])('%s breaks none', (value, bounds) => {
    expect(refusals(() => checkWithin('shareBp', value, bounds))).toBeUndefined()
  })

  test('the schemas of calls say it too, with their own code or without', () => {
    const schema = z.object({
      sumAgorot: z.number().int().min(100, { error: 'fields.range' }),
      rateBp: z.number().max(10_000),
      count: z.number().positive(),
      ids: z.array(z.string()).max(2, { error: 'fields.range' }),
      name: z.string().max(3),
      code: z.string().min(1, { error: 'fields.need' }),
      day: z.number({ error: 'fields.day' }).max(5, { error: 'fields.day' }),
    })
    expect(
      refusals(() =>
        parse(schema, {
          sumAgorot: 99,
          rateBp: 10_001,
          count: 0,
          ids: ['1', '2', '3'],
          name: 'long',
          code: '',
          day: 6,
        }),
      ),
    ).toEqual([
      { path: 'sumAgorot', code: 'fields.least', params: { min: '1.00' } },
      { path: 'rateBp', code: 'fields.most', params: { max: '100%' } },
      { path: 'count', code: 'fields.least', params: { min: '1' } },
      { path: 'ids', code: 'fields.most', params: { max: '2' } },
      { path: 'name', code: 'fields.tooLong', params: { max: 3 } },
      { path: 'code', code: 'fields.need' },
      { path: 'day', code: 'fields.day', params: { max: 5 } },
    ])
  })
})
