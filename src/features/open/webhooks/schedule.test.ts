import { describe, expect, test } from 'vitest'
import { isChosen, nextTry, restAfter } from './schedule.ts'

describe('tries', () => {
  test('ten within a little over three days, each at most a tenth late', () => {
    const seconds = (chance: number) => Array.from({ length: 11 }, (_, tries) => nextTry(tries, chance))
    const [minute, hour] = [60, 3600]
    expect(seconds(0)).toEqual([
      0,
      5,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      undefined,
    ])
    expect(seconds(0.999)[2]).toBeCloseTo(330, 0)
    expect(seconds(0.5)[9]).toBe(24 * hour * 1.05)
  })

  const now = new Date('2026-11-24T09:00:00Z')
  test.each([
    [500, undefined, undefined],
    [500, '7', 7],
    [503, '120', 120],
    [429, undefined, 30],
    [502, undefined, 30],
    [504, undefined, 30],
    [429, '3', 3],
    [429, '0', 1],
    [429, '99999999', 86_400],
    [429, 'Tue, 24 Nov 2026 09:05:00 GMT', 300],
    [429, 'Tue, 24 Nov 2026 08:05:00 GMT', 1],
    [429, 'soon', 30],
    [302, '9', 9],
    [410, undefined, undefined],
    [200, '9', undefined],
    [undefined, undefined, undefined],
  ])('%s with Retry-After %s rests %s', (status, retryAfter, rest) => {
    expect(restAfter(status, retryAfter, now)).toBe(rest)
  })
})

test.each([
  ['document.issued', ['document.issued'], true],
  ['document.issued', ['document.*'], true],
  ['document.issued', ['*'], true],
  ['document.issued', ['doc.*'], false],
  ['document.issued', ['document.issue'], false],
  ['paymentLink.sent', ['payment.*'], false],
  ['customer.created', ['document.*', 'customer.created'], true],
])('%s by %j: %s', (name, events, yes) => expect(isChosen(name, events)).toBe(yes))
