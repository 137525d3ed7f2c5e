import { addMonths, endOfMonth, startOfMonth, type Day } from '../day.ts'
import { splitByLargestRemainder, sum, type Agorot } from '../money.ts'

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

/** The last day of a month, or today in the month that runs. */
const lastKnown =
  (today: Day) =>
  (month: Day): Day => {
    const last = endOfMonth(month)
    return today >= month && today < last ? today : last
  }

export interface MonthOfRevenue {
  month: Day
  start: Agorot
  end: Agorot
  changes: Change[]
}

/**
 * Monthly recurring revenue, month by month: what it was on the last day of the month before, what came and
 * went of it order by order, what it is on the last day, or on `today` in the month that runs. Start and
 * changes always add up to the end.
 */
export function revenueByMonth(
  earnings: readonly Earning[],
  from: Day,
  to: Day,
  today: Day,
): MonthOfRevenue[] {
  const months: MonthOfRevenue[] = []
  const since = new Map<string, Day>()
  for (const one of earnings) {
    const before = since.get(one.orderId)
    if (before === undefined || one.from < before) since.set(one.orderId, one.from)
  }
  const lastOf = lastKnown(today)
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
      const kind: Movement = !was
        ? since.get(orderId)! > last
          ? 'new'
          : 'back'
        : !is
          ? 'lost'
          : agorot > 0
            ? 'up'
            : 'down'
      changes.push({ month, orderId, customerId: (is ?? was)!.customerId, kind, agorot })
    }
    months.push({ month, start: worth(before), end: worth(now), changes })
    before = now
  }
  return months
}

const worth = (standing: ReadonlyMap<string, Earning>): Agorot =>
  sum([...standing.values()].map(({ monthlyAgorot }) => monthlyAgorot))

/** Which part of an earning is of which product, in proportion to what its lines come to. */
export interface Share {
  product: string
  weight: number
}

/** A sum over the products of its lines, to the agora: the parts are the sum. */
export function overProducts(agorot: Agorot, shares: readonly Share[]): Map<string, Agorot> {
  const parts = shares.length
    ? splitByLargestRemainder(
        agorot,
        shares.map(({ weight }) => weight),
      )
    : []
  const found = new Map<string, Agorot>()
  for (const [i, { product }] of shares.entries()) found.set(product, (found.get(product) ?? 0) + parts[i]!)
  return found
}

export interface ProductRevenue {
  start: Agorot
  end: Agorot
  changes: Record<Movement, Agorot>
  orders: Set<string>
}

/**
 * The same revenue product by product, from the day before a span to its last. An order that came or went
 * brings or takes all of its products; one that stays moves each of them up or down, also where one took the
 * place of another. Start and changes of each make its end, and together they are those of the months.
 */
export function revenueByProduct(
  earnings: readonly (Earning & { shares: readonly Share[] })[],
  from: Day,
  to: Day,
  today: Day,
): Map<string, ProductRevenue> {
  const rows = new Map<string, ProductRevenue>()
  const rowOf = (product: string, orderId: string): ProductRevenue => {
    const row = rows.get(product) ?? {
      start: 0,
      end: 0,
      changes: { new: 0, back: 0, up: 0, down: 0, lost: 0 },
      orders: new Set(),
    }
    rows.set(product, row)
    row.orders.add(orderId)
    return row
  }
  const since = new Map<string, Day>()
  for (const { orderId, from: first } of earnings)
    if (first < (since.get(orderId) ?? '9999')) since.set(orderId, first)
  const lastOf = lastKnown(today)
  const partsOn = (day: Day) =>
    new Map(
      [...(standingOn(earnings, day) as Map<string, (typeof earnings)[number]>)].map(([orderId, one]) => [
        orderId,
        overProducts(one.monthlyAgorot, one.shares),
      ]),
    )
  let month = startOfMonth(from)
  let last = lastOf(addMonths(month, -1))
  let before = partsOn(last)
  for (const [orderId, parts] of before)
    for (const [product, agorot] of parts) rowOf(product, orderId).start += agorot
  for (; month <= to; month = addMonths(month, 1)) {
    const now = partsOn(lastOf(month))
    for (const orderId of new Set([...before.keys(), ...now.keys()])) {
      const [was, is] = [before.get(orderId), now.get(orderId)]
      for (const product of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
        const agorot = (is?.get(product) ?? 0) - (was?.get(product) ?? 0)
        const kind: Movement = !was
          ? since.get(orderId)! > last
            ? 'new'
            : 'back'
          : !is
            ? 'lost'
            : agorot > 0
              ? 'up'
              : 'down'
        if (agorot !== 0) rowOf(product, orderId).changes[kind] += agorot
      }
    }
    last = lastOf(month)
    before = now
  }
  for (const [orderId, parts] of before)
    for (const [product, agorot] of parts) rowOf(product, orderId).end += agorot
  return rows
}
