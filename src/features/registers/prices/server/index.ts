import { priceFor } from '#domain/prices/price.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { implement } from '#kit/server/contract/implement.ts'
import { create, serveResource } from '#kit/server/described/resources.ts'
import { registerFollower } from '#features/registers/parties/server/index.ts'
import * as calls from '../endpoints.ts'
import { factsOf } from '../facts.ts'
import '../rules.ts'
import { assign, buyersOfList, listOfCustomer } from './buyers.ts'
import { changeLines, copyList, lineChanges, previewLines, undoLineChange } from './changeLines.ts'
import { priceFacts } from './facts.ts'
import { pricesFollow } from './follow.ts'
import { servedCustomerPrices, servedLines, servedLists } from './lists.ts'

export { pricesFor } from './facts.ts'

registerFollower('customer', pricesFollow)

/** A list with its lines, on the way. */
export async function createPriceList(
  ctx: Ctx,
  values: Record<string, unknown>,
  lines: Record<string, unknown>[],
): Promise<{ id: string }> {
  const { id } = (await create(ctx, servedLists, values)) as { id: string }
  for (const line of lines) await create(ctx, servedLines, { ...line, listId: id })
  return { id }
}

/** The list a customer buys by. */
export const givePriceList = (ctx: Ctx, customerId: string, priceListId: string) =>
  assign(ctx, 'parties', { id: customerId, priceListId })

export const implementations = [
  ...serveResource(servedLists),
  ...serveResource(servedLines),
  ...serveResource(servedCustomerPrices),
  implement(calls.priceFacts, (ctx, { customerId, itemIds }) => priceFacts(ctx, customerId, itemIds)),
  implement(calls.findPrice, async (ctx, { itemId, customerId, quantity, currency, day = ctx.today }) => {
    const facts = factsOf(await priceFacts(ctx, customerId, [itemId]), itemId)
    if (!facts) throw fail('kit.notFound')
    const found = priceFor(facts, { quantity: parseDecimal4(quantity)!, day, currency })
    if (!found) return { price: null, source: null }
    const { fromQuantity, ...source } = found.source
    return {
      price: toText(found.price),
      source: { ...source, ...(fromQuantity ? { fromQuantity: toText(fromQuantity) } : {}) },
    }
  }),
  implement(calls.listOfCustomer, listOfCustomer),
  implement(calls.assignToCustomer, (ctx, given) => assign(ctx, 'parties', given)),
  implement(calls.assignToType, (ctx, given) => assign(ctx, 'types', given)),
  implement(calls.buyersOfList, buyersOfList),
  implement(calls.copyList, copyList),
  implement(calls.previewLines, previewLines),
  implement(calls.changeLines, changeLines),
  implement(calls.lineChanges, lineChanges),
  implement(calls.undoLineChange, undoLineChange),
]
