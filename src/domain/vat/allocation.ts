import type { Day } from '../day.ts'
import type { Agorot } from '../money.ts'

/**
 * An allocation number is needed when the amount before VAT exceeds this, from each day on ("Invoices Israel", order of 01/2025 as
 * published 31.12.2025). The authority's own service answers with the current one and may be asked for it; the table decides.
 */
export const allocationThresholds: readonly (readonly [from: Day, threshold: Agorot])[] = [
  ['2024-05-05', 2_500_000],
  ['2025-01-01', 2_000_000],
  ['2026-01-01', 1_000_000],
  ['2026-06-01', 500_000],
]

/** In agorot; undefined before the law began. */
export function allocationThresholdOn(day: Day): Agorot | undefined {
  return allocationThresholds.findLast(([from]) => from <= day)?.[1]
}

export interface AllocationQuestion {
  /** What the type of document says: tax invoices may need a number, credits and receipts never. */
  readonly documentAllows: boolean
  readonly day: Day
  /** After discount, before VAT, in shekels. */
  readonly net: Agorot
  readonly vat: Agorot
  /** Only a dealer can deduct the VAT, so only his invoice needs the number. */
  readonly customerIsDealer: boolean
}

/** Whether the document must ask the tax authority for an allocation number. Exactly at the threshold it need not. */
export function needsAllocation({ documentAllows, day, net, vat, customerIsDealer }: AllocationQuestion): boolean {
  const threshold = allocationThresholdOn(day)
  return documentAllows && customerIsDealer && vat > 0 && threshold !== undefined && net > threshold
}
