import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, endOfMonth, monthPeriod, quarterPeriod, yearPeriod } from '../day.ts'
import { comparedTo } from './compared.ts'

describe('the period to compare with', () => {
  test.each([
    ['previousPeriod', '2026-03-01', '2026-03-31', '2026-02-01', '2026-02-28'],
    ['previousPeriod', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
    ['previousPeriod', '2026-04-01', '2026-06-30', '2026-01-01', '2026-03-31'],
    ['previousPeriod', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31'],
    ['previousPeriod', '2026-01-01', '2026-02-28', '2025-11-01', '2025-12-31'],
    // Not whole months: as many days.
    ['previousPeriod', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
    ['previousPeriod', '2026-03-02', '2026-03-31', '2026-01-31', '2026-03-01'],
    ['previousYear', '2025-02-01', '2025-02-28', '2024-02-01', '2024-02-29'],
    ['previousYear', '2024-02-01', '2024-02-29', '2023-02-01', '2023-02-28'],
    ['previousYear', '2025-03-05', '2025-04-17', '2024-03-05', '2024-04-17'],
    ['previousYear', '2024-02-29', '2024-03-10', '2023-02-28', '2023-03-10'],
  ] as const)('%s of %s–%s', (by, from, to, before, until) => {
    expect(comparedTo(by, from, to)).toEqual({ from: before, to: until })
  })

  test('of a whole month, quarter or year is the one that ends the day before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.constantFrom(monthPeriod, quarterPeriod, yearPeriod),
        (days, period) => {
          const now = period(addDays('2000-01-01', days))
          const before = comparedTo('previousPeriod', now.from, now.to)
          expect(before).toEqual(period(addDays(now.from, -1)))
          expect(daysBetween(before.to, now.from)).toBe(1)
          const year = comparedTo('previousYear', now.from, now.to)
          expect(year.to).toBe(endOfMonth(year.to))
        },
      ),
    )
  })
})
