import { describe, expect, test } from 'vitest'
import { owedNow, type OpenAmount } from './owed.ts'

const item = (id: string, open: number, day: string, more: Partial<OpenAmount> = {}): OpenAmount => ({
  id,
  open,
  day,
  number: 1,
  ...more,
})
const march = item('march', 10_000, '2026-03-01')
const april = item('april', 5_000, '2026-04-01')
const request = item('request', 2_000, '2026-01-01', { asks: true })
const paid = (agorot: number) => item('paid', -agorot, '2026-05-01')

describe('what is owed now', () => {
  test.each<[string, OpenAmount[], Record<string, number>]>([
    [
      'is everything without money on account',
      [april, march, request],
      { march: 10_000, april: 5_000, request: 2_000 },
    ],
    ['is nothing of what was paid on account', [march, paid(10_000)], { march: 0 }],
    ['is less of the debt that is due first', [april, march, paid(4_000)], { march: 6_000, april: 5_000 }],
    ['is a part of the next debt', [april, march, paid(12_000)], { march: 0, april: 3_000 }],
    ['of a request is less after all debts', [request, march, paid(11_000)], { march: 0, request: 1_000 }],
    ['is nothing when more was paid', [march, request, paid(50_000)], { march: 0, request: 0 }],
    [
      'counts all money on account',
      [march, paid(1_000), item('credit', -2_000, '2026-02-01')],
      { march: 7_000 },
    ],
    ['is nothing of nothing', [paid(1_000)], {}],
    [
      'follows the number on one day',
      [item('b', 100, '2026-03-01', { number: 2 }), item('a', 100, '2026-03-01'), paid(100)],
      { a: 0, b: 100 },
    ],
  ])('%s', (_, items, expected) => {
    expect(Object.fromEntries(owedNow(items))).toEqual(expected)
  })
})
