import { parseDecimal4 } from '#domain/quantity.ts'
import type { PriceFacts, PriceList } from '#domain/prices/price.ts'
import type { FactsAnswer } from './endpoints.ts'

/*
 * The facts that determine a price, as they are transferred: the server uses the same facts that it sends to the
 * editor, so that the price a person sees while typing is the price the server would have taken.
 */

type Line = FactsAnswer['rows'][number]['lines'][number]

const lineOf = ({ price, fromQuantity, from, to }: Pick<Line, 'price' | 'fromQuantity' | 'from' | 'to'>) => ({
  price: parseDecimal4(price) ?? 0,
  fromQuantity: parseDecimal4(fromQuantity) ?? 0,
  from,
  to,
})

const decimal = (text: string | null) => (text === null ? null : (parseDecimal4(text) ?? null))

/**
 * The facts of one item; undefined for one the answer knows nothing of. Figures that were held back
 * (HideTotalPrices) leave no price at all.
 */
export function factsOf(answer: FactsAnswer, itemId: string): PriceFacts | undefined {
  const row = answer.rows.find((one) => one.itemId === itemId)
  if (
    !row ||
    row.price === null ||
    row.lines.some((line) => line.price === null) ||
    row.customerPrices.some((line) => line.price === null)
  )
    return undefined
  const listOf = (id: string | null, depth = 0): PriceList | null => {
    const list = depth > 10 ? undefined : answer.lists.find((one) => one.id === id)
    if (!list) return null
    return {
      ...list,
      baseList: listOf(list.baseListId, depth + 1),
      lines: row.lines.filter((line) => line.listId === list.id).map(lineOf),
    }
  }
  return {
    item: { price: decimal(row.price), cost: decimal(row.cost), currency: row.currency },
    customerPrices: row.customerPrices.map((line) => ({ ...lineOf(line), currency: line.currency })),
    customerList: listOf(answer.customerListId),
    typeList: listOf(answer.typeListId),
  }
}
