import type { Day } from '#domain/day.ts'

/**
 * How far a document of cash basis, or an open item that came with its VAT, was paid before the period and by
 * its end, in agorot of the shekel.
 */
export interface Paid {
  id: string
  before: number
  after: number
  total: number
  /** Of the last payment in the period. */
  day: Day
  /** Of the last payment of the period that was entered after it was reported: the day it counts from. */
  countedFrom?: Day | null
}
