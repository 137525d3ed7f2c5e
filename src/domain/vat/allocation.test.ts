import { describe, expect, test } from 'vitest'
import { totalsOf, type DocumentLine } from '../documents/arithmetic.ts'
import {
  allocationThresholdOn,
  needsAllocation,
  netOfInvoice,
  type AllocationQuestion,
} from './allocation.ts'

describe('an allocation number', () => {
  const question: AllocationQuestion = {
    documentAllows: true,
    day: '2026-06-01',
    net: 500_001,
    vat: 90_000,
    customerIsDealer: true,
  }

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
    // Before it was published, on its day and after it; a step of the law that came since holds until the next
    // publication.
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

  // Shekels taxed, exempt, at zero rate and held in trust on one invoice: what it comes to before VAT, and
  // whether 5,000 are exceeded.
  test.each<[taxed: number, exempt: number, zero: number, held: number, net: number, expected: boolean]>([
    [5_000, 0, 0, 0, 500_000, false],
    [5_001, 0, 0, 0, 500_100, true],
    [4_000, 1_000, 0, 0, 500_000, false],
    [4_000, 1_001, 0, 0, 500_100, true],
    [4_000, 0, 1_001, 0, 500_100, true],
    [1, 5_000, 0, 0, 500_100, true],
    // Nothing to deduct.
    [0, 9_000, 0, 0, 900_000, false],
    [0, 0, 9_000, 0, 900_000, false],
    // What is held for another is no price.
    [4_000, 0, 0, 9_000, 400_000, false],
    [4_000, 1_001, 0, 9_000, 500_100, true],
  ])(
    '%d taxed, %d exempt, %d at zero rate and %d in trust come to %d: %s',
    (taxed, exempt, zero, held, net, expected) => {
      const of = (sum: number, more: Partial<DocumentLine>): DocumentLine[] =>
        sum
          ? [{ quantity: 10_000, unitPrice: sum * 10_000, vatKind: 'beforeVat', ...more } as DocumentLine]
          : []
      const totals = totalsOf({
        lines: [
          ...of(taxed, {}),
          ...of(exempt, { vatClass: 'exempt' }),
          ...of(zero, { vatClass: 'zero' }),
          ...of(held, { vatKind: 'trustDeposit' }),
        ],
        vatRate: 1800,
      })
      expect(netOfInvoice(totals)).toBe(net)
      expect(needsAllocation({ ...question, net: netOfInvoice(totals), vat: totals.vat })).toBe(expected)
    },
  )

  test.each<[string, Partial<AllocationQuestion>]>([
    ['a receipt or a credit', { documentAllows: false }],
    ['a private customer', { customerIsDealer: false }],
    ['zero rate', { vat: 0 }],
  ])('not for %s', (_, change) => {
    expect(needsAllocation({ ...question, ...change })).toBe(false)
  })
})
