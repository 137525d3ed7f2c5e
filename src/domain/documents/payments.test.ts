import { expect, test } from 'vitest'
import { chequeSeries, spread } from './payments.ts'

test('cheques run on by number and month, equal but for the odd agorot on the first', () => {
  expect(chequeSeries({ number: '0099', dueDay: '2026-01-31' }, 1000, 3)).toEqual([
    { number: '0099', dueDay: '2026-01-31', amount: 334 },
    { number: '0100', dueDay: '2026-02-28', amount: 333 },
    { number: '0101', dueDay: '2026-03-31', amount: 333 },
  ])
})

test('one cheque to thirty-six, and a number of digits', () => {
  const first = { number: '1', dueDay: '2026-01-01' } as const
  expect(chequeSeries(first, 3600, 36)).toHaveLength(36)
  expect(chequeSeries(first, 3600, 1)).toEqual([{ ...first, amount: 3600 }])
  for (const count of [0, 37, 1.5]) expect(() => chequeSeries(first, 3600, count)).toThrow(RangeError)
  expect(() => chequeSeries({ ...first, number: '12a' }, 3600, 2)).toThrow(RangeError)
})

test('money is spread over debts in their order; a debt that is none takes no line, what is left stays on account', () => {
  const debts = [
    { id: 'a', open: 300 },
    { id: 'paid', open: 0 },
    { id: 'b', open: 500 },
    { id: 'c', open: 100 },
  ]
  expect(spread(600, debts)).toEqual({
    closes: [
      { id: 'a', amount: 300 },
      { id: 'b', amount: 300 },
    ],
    onAccount: 0,
  })
  expect(spread(1000, debts).onAccount).toBe(100)
})
