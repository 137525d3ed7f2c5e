import { describe, expect, test } from 'vitest'
import { isSaidIn, literalsOf } from './web/literals.ts'

describe('what of a message stands on a screen', () => {
  test.each([
    ['שמירה', [['שמירה']]],
    ['{name}, {at}', []],
    ['היה {was}, עכשיו {now}', [['היה', ', עכשיו']]],
    [
      '{count, plural, one {מילה אחת} two {שתי מילים} other {# מילים}}',
      [['מילה אחת'], ['שתי מילים'], ['מילים']],
    ],
    ['{n, select, a {first {x} one} other {}}', [['first', 'one']]],
  ])('%s', (message, parts) => expect(literalsOf(message)).toEqual(parts))

  test('is found whole, or by its parts in their order', () => {
    expect(isSaidIn(' שמירה ', ['שמירה'], false)).toBe(true)
    expect(isSaidIn('שמירה והמשך', ['שמירה'], false)).toBe(false)
    expect(isSaidIn('היה 5, עכשיו 7', ['היה', ', עכשיו'], true)).toBe(true)
    expect(isSaidIn(', עכשיו 7 היה 5', ['היה', ', עכשיו'], true)).toBe(false)
  })
})
