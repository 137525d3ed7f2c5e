import { describe, expect, it } from 'vitest'
import type { FieldKind, Fields } from '#kit/fields/field.ts'
import {
  askedOf,
  clearing,
  readFilter,
  sameQuery,
  writeFilter,
  type FilterValue,
  type Query,
} from './filters.ts'

const fields: Fields = {
  name: { kind: 'text' },
  balanceAgorot: { kind: 'money' },
  day: { kind: 'day' },
  type: { kind: 'number' },
  status: { kind: 'choice', of: ['draft', 'issued'] },
  customerId: { kind: 'ref', to: 'customers' },
  isDealer: { kind: 'flag' },
  price: { kind: 'price' },
}

const kept = (change: Record<string, string | undefined>): Query =>
  Object.fromEntries(
    Object.entries(change).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

describe('a filter in the address', () => {
  const cases: [string, FilterValue, Query][] = [
    ['name', 'חיפה', { 'name.contains': 'חיפה' }],
    ['balanceAgorot', { from: 100_000 }, { 'balanceAgorot.gte': '100000' }],
    ['balanceAgorot', { from: -5, to: 0 }, { 'balanceAgorot.gte': '-5', 'balanceAgorot.lte': '0' }],
    ['day', { from: '2026-01-01', to: '2026-11-20' }, { 'day.gte': '2026-01-01', 'day.lte': '2026-11-20' }],
    ['status', ['draft', 'issued'], { 'status.in': 'draft,issued' }],
    ['customerId', '0199', { customerId: '0199' }],
    ['isDealer', false, { isDealer: 'false' }],
    ['price', { to: '18.25' }, { 'price.lte': '18.25' }],
  ]
  it.each(cases)('%s is written and read back', (name, value, query) => {
    expect(kept(writeFilter(name, fields[name]!, value))).toEqual(query)
    expect(readFilter(name, fields[name]!, query)).toEqual(value)
  })

  it('says nothing when nothing is asked', () => {
    for (const [name, field] of Object.entries(fields))
      expect(readFilter(name, field, { q: 'x', sort: '-day' })).toBeUndefined()
  })

  it('setting a filter leaves no other operator of its field behind', () => {
    const change = writeFilter('day', fields.day!, { from: '2026-01-01' })
    expect(change).toHaveProperty('day', undefined)
    expect(change).toHaveProperty(['day.lte'], undefined)
    expect(kept({ day: '2025-01-01', 'day.lte': '2025-12-31', ...change })).toEqual({
      'day.gte': '2026-01-01',
    })
  })

  it('understands equal as a range of one, and one of several', () => {
    expect(readFilter('day', fields.day!, { day: '2026-05-05' })).toEqual({
      from: '2026-05-05',
      to: '2026-05-05',
    })
    expect(readFilter('status', fields.status!, { status: 'draft' })).toEqual(['draft'])
  })

  it('keeps what its control cannot say', () => {
    const raw = readFilter('type', fields.type!, { 'type.in': '8,9,10' })
    expect(raw).toEqual({ raw: true, operator: 'in', text: '8,9,10' })
    expect(kept(writeFilter('type', fields.type!, raw))).toEqual({ 'type.in': '8,9,10' })
    expect(readFilter('customerId', fields.customerId!, { 'customerId.empty': 'true' })).toMatchObject({
      operator: 'empty',
    })
  })

  it('filters a number by its words where it was given words', () => {
    expect(readFilter('type', fields.type!, { 'type.in': '8,9' }, true)).toEqual(['8', '9'])
    expect(kept(writeFilter('type', fields.type!, ['8'], true))).toEqual({ 'type.in': '8' })
  })

  it('does not trust a figure that is none', () => {
    for (const text of ['many', '1e999', '12.5'])
      expect(readFilter('balanceAgorot', fields.balanceAgorot!, { 'balanceAgorot.gte': text })).toMatchObject(
        { raw: true },
      )
  })
})

it('asks the API only what it knows', () => {
  const query = {
    'day.gte': '2026-01-01',
    q: 'כהן',
    sort: '-day',
    view: '7',
    lang: 'en',
    'day.like': 'x',
    secret: '1',
    name: '',
  }
  expect(askedOf(fields, query)).toEqual({ 'day.gte': '2026-01-01', q: 'כהן', sort: '-day' })
  expect(clearing(fields, query)).toEqual({ 'day.gte': undefined, q: undefined })
})

it('compares what is asked, not how it is written', () => {
  expect(sameQuery({ a: '1', b: '2' }, { b: '2', a: '1' })).toBe(true)
  expect(sameQuery({ a: '1', q: '' }, { a: '1' })).toBe(true)
  expect(sameQuery({ a: '1' }, { a: '2' })).toBe(false)
})

it('has a shape for every kind', () => {
  const kinds: FieldKind[] = [
    'text',
    'longText',
    'email',
    'phone',
    'taxId',
    'language',
    'currency',
    'color',
    'moment',
    'percent',
    'quantity',
  ]
  for (const kind of kinds)
    expect(
      kept(
        writeFilter(
          'x',
          { kind },
          kind === 'moment' || kind === 'percent' || kind === 'quantity' ? { from: 1 } : 'a',
        ),
      ),
    ).not.toEqual({})
})
