import { expect, test } from 'vitest'
import { badDebtWindow } from './badDebt.ts'

test.each([
  ['2026-01-15', undefined, '2026-07-15', '2029-01-14'],
  ['2025-08-31', undefined, '2026-02-28', '2028-08-30'],
  // A claim of ten days inside the period.
  ['2026-01-15', { from: '2026-03-01', to: '2026-03-10' }, '2026-07-15', '2029-01-24'],
  // What began before the invoice counts from the invoice; what began after the end changes nothing.
  ['2026-01-15', { from: '2026-01-01', to: '2026-01-16' }, '2026-07-15', '2029-01-16'],
  ['2026-01-15', { from: '2029-02-01', to: '2029-02-10' }, '2026-07-15', '2029-01-14'],
  ['2026-01-15', { from: '2025-02-01', to: '2025-02-10' }, '2026-07-15', '2029-01-14'],
])('an invoice of %s, paused %j: from %s to %s', (day, paused, from, to) => {
  expect(badDebtWindow(day, paused)).toEqual({ from, to })
})
