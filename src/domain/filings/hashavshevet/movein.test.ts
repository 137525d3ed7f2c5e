import { describe, expect, test } from 'vitest'
import {
  cardFields,
  moveFields,
  movementsOf,
  numberOf,
  parametersOf,
  recordOf,
  shekelsOf,
  writtenDay,
} from './movein.ts'

/** Reads a record by nothing but its parameter file, as the other program does. */
function readBy(parameters: string, record: string): string[] {
  const [length, ...places] = parameters.trimEnd().split('\r\n')
  expect(record).toHaveLength(Number(length))
  expect(record.endsWith('\r\n')).toBe(true)
  return places.map((place) => {
    const [first, last] = place.split(' ').map(Number)
    return first ? record.slice(first - 1, last).trim() : ''
  })
}

describe('the movement file', () => {
  test('is read back by its parameter file, in the maker’s order', () => {
    const values = {
      reference: '1044',
      day: '31/12/2026',
      valueDay: '01/01/2027',
      details: 'כהן\nובניו',
      debit1: '1100-000001',
      credit1: '4000',
      credit2: '2100',
      debitSum1: '118.00',
      creditSum1: '100.00',
      creditSum2: '18.00',
    }
    const read = readBy(parametersOf(moveFields), recordOf(moveFields, values))
    expect(read).toHaveLength(34)
    expect(read.slice(0, 12)).toEqual([
      '',
      '1044',
      '',
      '31/12/2026',
      '01/01/2027',
      '',
      '',
      'כהן ובניו',
      '1100-000001',
      '',
      '4000',
      '2100',
    ])
    expect(read.slice(12, 16)).toEqual(['118.00', '', '100.00', '18.00'])
    expect(read.slice(16).join('')).toBe('')
  })

  test('of cards has the lines that may not be missing', () => {
    const read = readBy(
      parametersOf(cardFields),
      recordOf(cardFields, { key: '4000', name: 'א'.repeat(60), sortCode: '700' }),
    )
    expect(read).toHaveLength(36)
    expect(read.slice(0, 3)).toEqual(['4000', 'א'.repeat(50), '700'])
  })

  test.each([
    [[], 0],
    [[118, -100, -18], 1],
    [[100, 18, -118], 1],
    [[50, 30, 20, -100], 3],
    [[100, -20, -30, -50], 3],
    [[70, 30, 5, -60, -40, -5], 4],
    [[10, 10, 10, -10, -10, -10], 3],
  ])('an entry of %j becomes %i movements that balance and move every card by the same', (amounts, count) => {
    const lines = amounts.map((amount, i) => ({ key: String(i), amount }))
    const made = movementsOf(lines)
    expect(made).toHaveLength(count)
    const moved = new Map(lines.map(({ key }) => [key, 0]))
    for (const { debits, credits } of made) {
      expect(Math.max(debits.length, credits.length)).toBeLessThanOrEqual(2)
      expect(debits.reduce((sum, one) => sum + one.amount, 0)).toBe(
        credits.reduce((sum, one) => sum + one.amount, 0),
      )
      for (const one of debits) moved.set(one.key, moved.get(one.key)! + one.amount)
      for (const one of credits) moved.set(one.key, moved.get(one.key)! - one.amount)
    }
    expect([...moved.values()]).toEqual(amounts)
  })

  test('writes sums, days and references as they are expected', () => {
    expect([shekelsOf(5), shekelsOf(100), shekelsOf(123_456_789)]).toEqual(['0.05', '1.00', '1234567.89'])
    expect(writtenDay('2026-12-31')).toBe('31/12/2026')
    expect([numberOf('INV-2026/0012345678'), numberOf('א'), numberOf('77')]).toEqual(['012345678', '', '77'])
  })
})
