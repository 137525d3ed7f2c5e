import { expect, test } from 'vitest'
import { invoiceDueDay } from './uninvoiced.ts'

test.each([
  ['2026-01-01', '2026-01-15'],
  ['2026-02-20', '2026-03-06'],
  ['2024-02-20', '2024-03-05'],
  ['2026-12-25', '2027-01-08'],
])('money of %s is invoiced by %s', (received, due) => expect(invoiceDueDay(received)).toBe(due))
