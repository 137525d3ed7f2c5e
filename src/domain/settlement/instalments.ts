import { addMonths, startOfMonth, type Day } from '../day.ts'
import { sum, type Agorot } from '../money.ts'
import type { OwedDay } from './reconcile.ts'

/** A charge as an acquirer pays it out. */
export interface PaidOut {
  day: Day
  agorot: Agorot
  instalments: number
  /** What went back of it, or was denied by its payer. */
  backAgorot: Agorot
}

/** Regular instalments: equal in whole agorot, and what is left over in the first. */
export function sharesOf(agorot: Agorot, instalments: number): Agorot[] {
  const each = Math.floor(agorot / instalments)
  return Array.from({ length: instalments }, (_, i) => (i === 0 ? agorot - each * (instalments - 1) : each))
}

/**
 * What charges come to month by month, the first instalment in the month of the charge. What went back takes
 * from the last instalments first: what was paid out already is not asked for again as long as there is
 * something to come.
 */
export function byMonth(charges: readonly PaidOut[]): OwedDay[] {
  const months = new Map<Day, OwedDay>()
  for (const { day, agorot, instalments, backAgorot } of charges) {
    let back = backAgorot
    const shares = sharesOf(agorot, Math.max(1, instalments))
    for (const [i, charged] of [...shares.entries()].toReversed()) {
      const refunded = Math.min(back, charged)
      back -= refunded
      const month = startOfMonth(addMonths(startOfMonth(day), i))
      const one = months.get(month) ?? { day: month, charged: 0, refunded: 0 }
      months.set(month, {
        day: month,
        charged: sum([one.charged, charged]),
        refunded: sum([one.refunded, refunded]),
      })
    }
  }
  return [...months.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}
