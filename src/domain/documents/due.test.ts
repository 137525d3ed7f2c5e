import { expect, test } from 'vitest'
import { daysLate, dueDay, type PaymentTerms } from './due.ts'

test.each<[string, PaymentTerms, string]>([
  ['2026-01-15', { kind: 'immediate' }, '2026-01-15'],
  ['2026-01-15', { kind: 'net', dueDays: 30 }, '2026-02-14'],
  ['2026-01-15', { kind: 'net', dueDays: 0 }, '2026-01-15'],
  ['2026-01-15', { kind: 'endOfMonth', dueDays: 0 }, '2026-01-31'],
  ['2026-01-31', { kind: 'endOfMonth', dueDays: 30 }, '2026-03-02'],
  ['2024-01-01', { kind: 'endOfMonth', dueDays: 30 }, '2024-03-01'],
  ['2025-12-31', { kind: 'endOfMonth', dueDays: 60 }, '2026-03-01'],
])('%s by %o is due %s', (day, terms, due) => {
  expect(dueDay(day, terms)).toBe(due)
})

test.each([-1, 1.5, Number.NaN])('%d days are refused', (dueDays) => {
  expect(() => dueDay('2026-01-15', { kind: 'net', dueDays })).toThrow(RangeError)
})

test('late begins the day after it is due', () => {
  expect(daysLate('2026-01-31', '2026-01-31')).toBe(0)
  expect(daysLate('2026-01-31', '2026-02-01')).toBe(1)
  expect(daysLate('2026-01-31', '2025-01-01')).toBe(0)
})
