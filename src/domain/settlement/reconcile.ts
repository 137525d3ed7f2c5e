import type { Agorot } from '../money.ts'

/*
 * An acquirer's list of a day held against our charges and refunds. Deals are known by the acquirer's own
 * number, else by our reference, else by sum, card and approval together; each is taken once.
 */

export interface ToldDeal {
  uid: string
  key?: string | undefined
  /** Below zero: money that went back. */
  agorot: Agorot
  currency: string
  last4: string
  approval: string
}

export interface OwnDeal {
  id: string
  uid: string
  /** Our references, one for each time it was asked for. */
  keys: readonly string[]
  agorot: Agorot
  currency: string
  last4: string
  approval: string
  /** Of the very day; others stand by for deals that were counted on the day beside. */
  isOfDay: boolean
}

/** takenBack: money of a charge of ours went back, and nobody here asked for it. */
export type Difference = 'matched' | 'unknown' | 'missing' | 'sum' | 'currency' | 'takenBack'

export interface Compared {
  is: Difference
  told?: ToldDeal
  own?: OwnDeal
}

const signs = (told: ToldDeal, own: OwnDeal): boolean => Math.sign(told.agorot) === Math.sign(own.agorot)

const ways: readonly ((told: ToldDeal, own: OwnDeal) => boolean)[] = [
  (told, own) => told.uid !== '' && told.uid === own.uid && signs(told, own),
  (told, own) => told.key !== undefined && own.keys.includes(told.key) && signs(told, own),
  (told, own) =>
    told.agorot === own.agorot &&
    told.currency === own.currency &&
    told.last4 !== '' &&
    told.last4 === own.last4 &&
    told.approval !== '' &&
    told.approval === own.approval,
]

export function reconcileDay(told: readonly ToldDeal[], own: readonly OwnDeal[]): Compared[] {
  const found = new Map<ToldDeal, OwnDeal>()
  const taken = new Set<OwnDeal>()
  for (const way of ways)
    for (const deal of told) {
      if (found.has(deal)) continue
      const match = own.find((one) => !taken.has(one) && way(deal, one))
      if (!match) continue
      found.set(deal, match)
      taken.add(match)
    }
  const compared = told.map((deal): Compared => {
    const match = found.get(deal)
    if (!match) return { is: 'unknown', told: deal }
    const is =
      match.currency !== deal.currency ? 'currency' : match.agorot !== deal.agorot ? 'sum' : 'matched'
    return { is, told: deal, own: match }
  })
  const missing = own
    .filter((one) => one.isOfDay && !taken.has(one))
    .map((one): Compared => ({ is: 'missing', own: one }))
  return [...compared, ...missing]
}

export interface OwedDay {
  day: string
  charged: Agorot
  refunded: Agorot
}

/**
 * What an acquirer owes of each day: what arrived in the bank, and refunds of whatever day, pay the oldest days
 * first. Answers days in their order, with what is left of each; an overpayment is negative on the last. In all it
 * is what was charged, less refunds and payments.
 */
export function owedByDay(
  days: readonly OwedDay[],
  carried: Agorot,
): (OwedDay & { carried: Agorot; owed: Agorot })[] {
  const dues = days
    .toSorted((a, b) => (a.day < b.day ? -1 : 1))
    .map((one) => ({ ...one, due: one.charged - one.refunded }))
  let left = dues.reduce((sum, { due }) => sum - Math.min(due, 0), carried)
  const rows = dues.map(({ due, ...one }) => {
    const paid = due > 0 ? Math.min(left, due) : due
    if (due > 0) left -= paid
    return { ...one, carried: paid, owed: due - paid }
  })
  const last = rows.at(-1)
  if (last) Object.assign(last, { carried: last.carried + left, owed: last.owed - left })
  return rows
}
