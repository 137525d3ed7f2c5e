import { describe, expect, test } from 'vitest'
import { isWorthKeeping, plainOf } from './keptAnswers.ts'

describe('what is worth keeping for a start without a network', () => {
  test.each([
    [['documents.list', 'pages', { size: 50 }], true],
    [['customers.get', { id: '1' }], true],
    [['home.figures', {}], true],
    [['reports.open', {}], false],
    [['session.sessions', {}], false],
    [['customers.getAll'], false],
  ])('%j: %s', (key, is) => expect(isWorthKeeping(key)).toBe(is))
})

describe('what is kept of an answer', () => {
  test('of a list that was read on, its first page', () =>
    expect(plainOf({ pages: [{ rows: [1] }, { rows: [2] }], pageParams: ['', 'x'] })).toEqual({
      pages: [{ rows: [1] }],
      pageParams: [''],
    }))
  test('a record as it is', () => expect(plainOf({ id: '1', name: 'א' })).toEqual({ id: '1', name: 'א' }))
  test('nothing of bytes, of what is too long, and of nothing', () => {
    expect(plainOf(new Blob(['x']))).toBeUndefined()
    expect(plainOf({ text: 'x'.repeat(200_001) })).toBeUndefined()
    expect(plainOf(undefined)).toBeUndefined()
  })
})
