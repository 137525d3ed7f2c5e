import { describe, expect, test } from 'vitest'
import { allocationThresholdOn, needsAllocation, type AllocationQuestion } from './allocation.ts'

describe('an allocation number', () => {
  const question: AllocationQuestion = { documentAllows: true, day: '2026-06-01', net: 500_001, vat: 90_000, customerIsDealer: true }

  test.each([
    ['2024-05-04', 99_999_999, false],
    ['2024-05-05', 2_500_001, true],
    ['2024-12-31', 2_500_000, false],
    ['2025-01-01', 2_000_001, true],
    ['2025-12-31', 2_000_000, false],
    ['2026-01-01', 1_000_001, true],
    ['2026-05-31', 1_000_000, false],
    ['2026-06-01', 500_001, true],
    ['2026-06-01', 500_000, false],
  ])('on %s for %d agorot before VAT: %s', (day, net, expected) => {
    expect(needsAllocation({ ...question, day, net })).toBe(expected)
  })

  test.each<[string, number | undefined]>([
    // Before it was told, on its day and after it; a step of the law that came since holds until it is told anew.
    ['2026-07-01', 500_000],
    ['2026-07-02', 400_000],
    ['2026-09-30', 400_000],
    ['2026-10-01', 450_000],
    ['2026-05-31', 1_000_000],
    ['2026-06-01', 500_000],
    ['2024-05-04', undefined],
  ])('on %s is needed from what the authority told last: %s', (day, expected) => {
    const told = [
      { day: '2024-01-01', agorot: 1 },
      { day: '2026-05-30', agorot: 1_000_000 },
      { day: '2026-07-02', agorot: 400_000 },
      { day: '2026-10-01', agorot: 450_000 },
    ]
    expect(allocationThresholdOn(day, told)).toBe(expected)
    if (expected) {
      const thresholdOn = (on: string) => allocationThresholdOn(on, told)
      expect(needsAllocation({ ...question, day, net: expected }, thresholdOn)).toBe(false)
      expect(needsAllocation({ ...question, day, net: expected + 1 }, thresholdOn)).toBe(true)
    }
  })

  test.each<[string, Partial<AllocationQuestion>]>([
    ['a receipt or a credit', { documentAllows: false }],
    ['a private customer', { customerIsDealer: false }],
    ['zero rate', { vat: 0 }],
  ])('not for %s', (_, change) => {
    expect(needsAllocation({ ...question, ...change })).toBe(false)
  })
})
