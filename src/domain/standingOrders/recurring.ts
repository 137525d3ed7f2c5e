import { addMonths, endOfMonth, startOfMonth, type Day } from '../day.ts'
import { sum, type Agorot } from '../money.ts'

/** Days an order earned for, and what they are worth in a month. */
export interface Earning {
  orderId: string
  customerId: string
  from: Day
  to: Day
  monthlyAgorot: Agorot
}

export const movements = ['new', 'back', 'up', 'down', 'lost'] as const
export type Movement = (typeof movements)[number]

export interface Change {
  month: Day
  orderId: string
  customerId: string
  kind: Movement
  /** With a minus where it fell. */
  agorot: Agorot
}

/** What each order is worth on a day. */
function standingOn(earnings: readonly Earning[], day: Day): Map<string, Earning> {
  const found = new Map<string, Earning>()
  for (const one of earnings) if (one.from <= day && day <= one.to) found.set(one.orderId, one)
  return found
}

export interface MonthOfRevenue {
  month: Day
  start: Agorot
  end: Agorot
  changes: Change[]
}

/**
 * Monthly recurring revenue, month by month: what it was on the last day of the month before, what came and went of it order by order, what it is on the last
 * day, or on `today` in the month that runs. Start and changes always add up to the end.
 */
export function revenueByMonth(earnings: readonly Earning[], from: Day, to: Day, today: Day): MonthOfRevenue[] {
  const months: MonthOfRevenue[] = []
  const since = new Map<string, Day>()
  for (const one of earnings) {
    const before = since.get(one.orderId)
    if (before === undefined || one.from < before) since.set(one.orderId, one.from)
  }
  const lastOf = (month: Day): Day => {
    const last = endOfMonth(month)
    return today >= month && today < last ? today : last
  }
  let month = startOfMonth(from)
  let before = standingOn(earnings, lastOf(addMonths(month, -1)))
  for (; month <= to; month = addMonths(month, 1)) {
    const now = standingOn(earnings, lastOf(month))
    const changes: Change[] = []
    const last = lastOf(addMonths(month, -1))
    for (const orderId of new Set([...before.keys(), ...now.keys()])) {
      const [was, is] = [before.get(orderId), now.get(orderId)]
      const agorot = (is?.monthlyAgorot ?? 0) - (was?.monthlyAgorot ?? 0)
      if (agorot === 0) continue
      const kind: Movement = !was ? (since.get(orderId)! > last ? 'new' : 'back') : !is ? 'lost' : agorot > 0 ? 'up' : 'down'
      changes.push({ month, orderId, customerId: (is ?? was)!.customerId, kind, agorot })
    }
    months.push({ month, start: worth(before), end: worth(now), changes })
    before = now
  }
  return months
}

const worth = (standing: ReadonlyMap<string, Earning>): Agorot => sum([...standing.values()].map(({ monthlyAgorot }) => monthlyAgorot))
