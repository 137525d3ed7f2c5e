import type { Day } from '../day.ts'
import { divideRounded, toSafeNumber, type BasisPoints, type Rounding } from '../money.ts'
import type { Decimal4 } from '../quantity.ts'

/*
 * Which price applies. The customer's own price comes before the customer's list, that before the list of the
 * customer's type, and that before the item's own price. Nothing is converted: a price in another currency is no
 * price.
 */

/** One price of one item: from a quantity on, and perhaps only between two days. */
export interface PriceLine {
  price: Decimal4
  /** The smallest quantity it holds for, in ten-thousandths; 0 for any. */
  fromQuantity: Decimal4
  from?: Day | null
  to?: Day | null
}

/** A list as far as one item is concerned. */
export interface PriceList {
  id: string
  name: string
  currency: string
  from?: Day | null
  to?: Day | null
  /** How an item without a line is priced. */
  base: 'none' | 'item' | 'list' | 'cost'
  /** The list behind it, where `base` is 'list'. */
  baseList?: PriceList | null
  /** Added to what the base says: -1000 is ten per cent less. */
  changeBp: BasisPoints
  lines: readonly PriceLine[]
}

/** All that bears on the price of one item for one customer. */
export interface PriceFacts {
  item: { price: Decimal4 | null; cost: Decimal4 | null; currency: string }
  /** Prices agreed with this customer. */
  customerPrices: readonly (PriceLine & { currency: string })[]
  customerList?: PriceList | null
  typeList?: PriceList | null
}

export interface PriceQuestion {
  /** In ten-thousandths; a return of ten is priced as a sale of ten. */
  quantity: Decimal4
  day: Day
  currency: string
}

/** Where a price came from. */
export interface PriceSource {
  kind: 'customer' | 'customerList' | 'typeList' | 'item'
  list?: { id: string; name: string }
  /** The break that was reached, when it is above nothing. */
  fromQuantity?: Decimal4
  /** The list has no line for the item: its rule was applied. */
  changeBp?: BasisPoints
}

export interface FoundPrice {
  price: Decimal4
  source: PriceSource
}

const holdsOn = (day: Day, { from, to }: { from?: Day | null; to?: Day | null }): boolean =>
  (!from || from <= day) && (!to || day <= to)

/**
 * The line that holds: of those the quantity reaches the highest break; of equal breaks the one agreed for
 * the latest day; then the lowest price.
 */
export function lineFor<L extends PriceLine>(
  lines: readonly L[],
  quantity: Decimal4,
  day: Day,
): L | undefined {
  const reached = Math.abs(quantity)
  return lines
    .filter((line) => line.fromQuantity <= reached && holdsOn(day, line))
    .sort(
      (left, right) =>
        right.fromQuantity - left.fromQuantity || compare(right.from, left.from) || left.price - right.price,
    )[0]
}

const compare = (left: Day | null | undefined, right: Day | null | undefined) =>
  (left ?? '') < (right ?? '') ? -1 : left === right ? 0 : 1

/**
 * A price changed by a share of itself: +10% is 1000. Rounded to four decimals, half away from zero, and
 * never below nothing.
 */
export const changedByRate = (price: Decimal4, changeBp: BasisPoints, _rounding: Rounding): Decimal4 =>
  Math.max(0, toSafeNumber(divideRounded(BigInt(price) * BigInt(10_000 + changeBp), 10_000n)))

/**
 * What a list says; undefined where it does not hold or has no word on the item. A base beyond ten lists deep
 * is none.
 */
function fromList(
  list: PriceList,
  facts: PriceFacts,
  asked: PriceQuestion,
  depth = 0,
): (Omit<FoundPrice, 'source'> & Partial<PriceSource>) | undefined {
  if (depth > 10 || list.currency !== asked.currency || !holdsOn(asked.day, list)) return undefined
  const line = lineFor(list.lines, asked.quantity, asked.day)
  if (line)
    return { price: line.price, ...(line.fromQuantity > 0 ? { fromQuantity: line.fromQuantity } : {}) }
  const base =
    list.base === 'none'
      ? undefined
      : list.base === 'list'
        ? list.baseList && fromList(list.baseList, facts, asked, depth + 1)
        : facts.item.currency === asked.currency
          ? { price: list.base === 'cost' ? facts.item.cost : facts.item.price }
          : undefined
  if (!base || base.price === null) return undefined
  return {
    price: changedByRate(base.price, list.changeBp, 'halfAwayFromZero'),
    changeBp: list.changeBp,
    ...('fromQuantity' in base && base.fromQuantity ? { fromQuantity: base.fromQuantity } : {}),
  }
}

/**
 * The price of an item for a customer, and its source: the customer's own, the customer's list, the type's list, the
 * item's. Undefined without a price in the requested currency.
 */
export function priceFor(facts: PriceFacts, asked: PriceQuestion): FoundPrice | undefined {
  const own = lineFor(
    facts.customerPrices.filter((line) => line.currency === asked.currency),
    asked.quantity,
    asked.day,
  )
  if (own)
    return {
      price: own.price,
      source: { kind: 'customer', ...(own.fromQuantity > 0 ? { fromQuantity: own.fromQuantity } : {}) },
    }
  for (const kind of ['customerList', 'typeList'] as const) {
    const list = facts[kind]
    const found = list && fromList(list, facts, asked)
    if (found) {
      const { price, ...how } = found
      return { price, source: { kind, list: { id: list.id, name: list.name }, ...how } }
    }
  }
  const { price, currency } = facts.item
  return price === null || currency !== asked.currency ? undefined : { price, source: { kind: 'item' } }
}
