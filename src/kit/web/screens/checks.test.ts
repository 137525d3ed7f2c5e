import { describe, expect, it } from 'vitest'
import { schemaOf } from '#kit/fields/schema.ts'
import type { Field } from '#kit/fields/field.ts'
import { changesOf, problemOf, startOf } from './checks.ts'

describe('a value is refused here with the words the server would use', () => {
  const cases: [Field, unknown][] = [
    [{ kind: 'text', max: 5 }, 'ארוך מדי'],
    [{ kind: 'text', max: 5 }, 'קצר'],
    [{ kind: 'email' }, 'דנה@example.com x'],
    [{ kind: 'email' }, 'dana@example'],
    [{ kind: 'email' }, 'dana@example.co.il'],
    [{ kind: 'phone' }, '050-1234567'],
    [{ kind: 'phone' }, 'call me'],
    [{ kind: 'taxId' }, '777777715'],
    [{ kind: 'taxId' }, '777777716'],
    [{ kind: 'price' }, '18.25'],
    [{ kind: 'price' }, '18.25678'],
    [{ kind: 'money' }, 12.5],
    [{ kind: 'money' }, -1250],
    [{ kind: 'number' }, 7],
    [{ kind: 'percent' }, 1.5],
    [{ kind: 'day' }, '2026-02-30'],
    [{ kind: 'day' }, '2026-02-28'],
    [{ kind: 'choice', of: ['a', 'b'] }, 'c'],
    [{ kind: 'currency' }, 'ils'],
    [{ kind: 'currency' }, 'ILS'],
    [{ kind: 'color' }, '#12345'],
  ]
  it.each(cases)('%o %s', (field, value) => {
    const said = schemaOf(field).safeParse(value)
    const problem = problemOf(field, value)
    expect(problem === undefined).toBe(said.success)
    if (problem && !said.success) expect(said.error.issues[0]!.message).toBe(`fields.${problem.code}`)
  })

  it('asks for what is needed and for nothing else', () => {
    for (const empty of ['', '  ', null, undefined]) {
      expect(problemOf({ kind: 'text', need: true }, empty)).toEqual({ code: 'need' })
      expect(problemOf({ kind: 'taxId' }, empty)).toBeUndefined()
    }
    expect(problemOf({ kind: 'flag' }, false)).toBeUndefined()
  })
})

it('starts a record with what its fields start with', () => {
  expect(
    startOf({
      name: { kind: 'text' },
      isDealer: { kind: 'flag', start: false },
      price: { kind: 'price', start: '0' },
      balance: { kind: 'money', computed: true, start: 0 },
    }),
  ).toEqual({
    isDealer: false,
    price: '0',
  })
})

it('sends only what changed, and an emptied field as null', () => {
  const before = { name: 'כהן', city: 'חיפה', phone: null, isDealer: true }
  expect(
    changesOf(
      ['name', 'city', 'phone', 'isDealer'],
      { name: ' כהן ', city: '', phone: '', isDealer: false },
      before,
    ),
  ).toEqual({
    city: null,
    isDealer: false,
  })
  expect(changesOf(['name'], { name: 'כהן', city: 'x' }, before)).toEqual({})
})
