import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { priceFor, type FoundPrice } from '#domain/prices/price.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { call } from '#kit/web/calls/call.ts'
import { useCan } from '#kit/web/session/session.ts'
import { items } from '#features/registers/items/items.ts'
import { priceFacts } from '#features/registers/prices/endpoints.ts'
import { factsOf } from '#features/registers/prices/facts.ts'
import { decimalOf, type Change, type Edited, type EditedLine } from './model.ts'

/**
 * What is known of a line's price: where it comes from, or the price that was set aside by one typed by hand.
 */
export interface LinePrice {
  found: FoundPrice | undefined
  isOwn: boolean
}

const isSame = (line: EditedLine, found: FoundPrice | undefined): boolean =>
  found !== undefined && line.unitPrice !== null && parseDecimal4(line.unitPrice) === found.price

/**
 * The prices of items follow customer, quantity, day and currency until somebody types another; what is typed
 * stays. Worked out here from the facts of the server, so that a changed quantity shows its price at once. A
 * draft that comes back keeps the price it has. What is bought has the supplier's prices, which are not ours
 * to know.
 */
export function useLinePrices(
  edited: Edited,
  dispatch: (change: Change) => void,
  sells: boolean,
): ReadonlyMap<string, LinePrice> {
  const may = useCan()
  const customerId = edited.customer?.id ?? null
  const itemIds = [...new Set(edited.lines.flatMap(({ itemId }) => itemId ?? []))].sort()
  const { data: answer } = useQuery({
    queryKey: [priceFacts.name, customerId, itemIds],
    queryFn: async ({ signal }) => ({
      customerId,
      facts: await call(priceFacts, { customerId, itemIds }, { signal, quiet: true }),
    }),
    enabled: sells && itemIds.length > 0 && may(items.allow.see),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  // Until one more item's facts have come, those of the others hold, as long as the customer is the same.
  const data = answer?.customerId === customerId ? answer.facts : undefined
  // Of a line of a saved draft nobody remembers whether its price was typed: it was, unless it is the price
  // that applies.
  const [remembered, setRemembered] = useState<ReadonlyMap<string, boolean>>(new Map())
  const { prices, learned } = useMemo(() => {
    const prices = new Map<string, LinePrice>()
    const learned = new Map<string, boolean>()
    if (!data) return { prices, learned }
    for (const line of edited.lines) {
      const facts = line.itemId ? factsOf(data, line.itemId) : undefined
      if (!facts) continue
      const found = priceFor(facts, {
        quantity: decimalOf(line.quantity, 10_000),
        day: edited.date,
        currency: edited.currency,
      })
      const memory = `${line.key} ${line.itemId}`
      const isTyped = remembered.get(memory) ?? !isSame(line, found)
      if (line.hasOwnPrice === undefined && !remembered.has(memory)) learned.set(memory, isTyped)
      prices.set(line.key, { found, isOwn: line.hasOwnPrice ?? isTyped })
    }
    return { prices, learned }
  }, [data, edited.lines, edited.date, edited.currency, remembered])
  if (learned.size > 0) setRemembered(new Map([...remembered, ...learned]))
  useEffect(() => {
    for (const line of edited.lines) {
      const price = prices.get(line.key)
      if (!price || price.isOwn || isSame(line, price.found)) continue
      const unitPrice = price.found ? toText(price.found.price) : null
      if (unitPrice !== line.unitPrice) dispatch({ do: 'line', key: line.key, change: { unitPrice } })
    }
  }, [prices, edited.lines, dispatch])
  return prices
}
