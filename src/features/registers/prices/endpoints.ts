import { z } from 'zod'
import { defineEndpoint } from '#kit/describe/endpoint.ts'
import { items } from '#features/registers/items/items.ts'
import {
  decimal,
  lastPriceChanges,
  pricePreview,
  priceRule,
  undonePrices,
} from '#features/registers/items/priceChange.ts'
import { priceLists } from './priceLists.ts'
import { currencyValue, dayValue } from '#kit/fields/schema.ts'

const { see, change } = priceLists.allow
const done = z.object({ done: z.literal(true) })
const byId = z.object({ id: z.uuid() })
const line = {
  price: z.string(),
  fromQuantity: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
}
const factsAnswer = z.object({
  customerListId: z.string().nullable(),
  typeListId: z.string().nullable(),
  /** The customer's list and that of its type, with the lists they are based on. */
  lists: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      currency: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      base: z.enum(['none', 'item', 'list', 'cost']),
      baseListId: z.string().nullable(),
      changeBp: z.number(),
    }),
  ),
  rows: z.array(
    z.object({
      itemId: z.string(),
      price: z.string().nullable(),
      /** Only where a list is worked out from it. */
      cost: z.string().nullable(),
      currency: z.string(),
      vatKind: z.enum(['beforeVat', 'includingVat', 'trustDeposit', 'withoutVat']),
      customerPrices: z.array(z.object({ ...line, currency: z.string() })),
      lines: z.array(z.object({ ...line, listId: z.string() })),
    }),
  ),
})
export type FactsAnswer = z.output<typeof factsAnswer>

/** People who write documents are shown their prices; the lists themselves need a separate right. */
export const priceFacts = defineEndpoint({
  name: 'prices.facts',
  method: 'POST',
  path: '/api4/invoice/prices/facts',
  access: { rule: items.allow.see },
  reads: true,
  input: z.strictObject({
    customerId: z.uuid({ error: 'fields.ref' }).nullish(),
    itemIds: z.array(z.uuid({ error: 'fields.ref' })).max(1000, { error: 'fields.range' }),
  }),
  output: factsAnswer,
  summary: 'All that bears on the prices of some items for one customer',
})

const sourceAnswer = z.object({
  kind: z.enum(['customer', 'customerList', 'typeList', 'item']),
  list: z.object({ id: z.string(), name: z.string() }).optional(),
  fromQuantity: z.string().optional(),
  changeBp: z.number().optional(),
})
export const findPrice = defineEndpoint({
  name: 'prices.find',
  method: 'GET',
  path: '/api4/invoice/prices/find',
  access: { rule: items.allow.see },
  input: z.object({
    itemId: z.uuid({ error: 'fields.ref' }),
    customerId: z.uuid({ error: 'fields.ref' }).optional(),
    quantity: decimal.default('1'),
    currency: currencyValue.default('ILS'),
    day: dayValue.optional(),
  }),
  output: z.object({ price: z.string().nullable(), source: sourceAnswer.nullable() }),
  summary: 'The price of an item for a customer, a quantity, a day and a currency, and where it comes from',
  errors: ['kit.notFound'],
})

const listOf = z.object({ id: z.string(), name: z.string() }).nullable()
export const listOfCustomer = defineEndpoint({
  name: 'prices.ofCustomer',
  method: 'GET',
  path: '/api4/invoice/prices/customers/{id}',
  access: { rule: see },
  input: byId,
  output: z.object({
    list: listOf,
    type: z.object({ id: z.string(), name: z.string(), list: listOf }).nullable(),
  }),
  summary: 'The price list of a customer, and that of his type',
  errors: ['kit.notFound'],
})
const assigning = z.strictObject({ id: z.uuid(), priceListId: z.uuid({ error: 'fields.ref' }).nullable() })
export const assignToCustomer = defineEndpoint({
  name: 'prices.assignToCustomer',
  method: 'PUT',
  path: '/api4/invoice/prices/customers/{id}',
  access: { rule: change },
  input: assigning,
  output: done,
  summary: 'Gives a customer a price list, or takes it away',
  errors: ['kit.notFound'],
})
export const assignToType = defineEndpoint({
  name: 'prices.assignToType',
  method: 'PUT',
  path: '/api4/invoice/prices/customertypes/{id}',
  access: { rule: change },
  input: assigning,
  output: done,
  summary: 'Gives a type of customers a price list, or takes it away',
  errors: ['kit.notFound'],
})
export const buyersOfList = defineEndpoint({
  name: 'priceLists.buyers',
  method: 'GET',
  path: '/api4/invoice/priceLists/{id}/buyers',
  access: { rule: see },
  input: byId,
  output: z.object({
    /** The first of them by name. */
    customers: z.array(z.object({ id: z.string(), name: z.string() })),
    customersOf: z.number(),
    types: z.array(z.object({ id: z.string(), name: z.string(), has: z.boolean() })),
  }),
  summary: 'Who buys by a list: the first customers and how many there are, and types of customers',
  errors: ['kit.notFound', 'session.forbidden'],
})

export const copyList = defineEndpoint({
  name: 'priceLists.copy',
  method: 'POST',
  path: '/api4/invoice/priceLists/{id}/copy',
  makes: { see: 'priceLists.get' },
  access: { rule: change },
  input: z.strictObject({
    id: z.uuid(),
    name: z
      .string({ error: 'fields.need' })
      .trim()
      .min(1, { error: 'fields.need' })
      .max(100, { error: 'fields.tooLong' }),
  }),
  output: byId,
  summary: 'Makes a new list with the rule and the lines of another',
  errors: ['kit.notFound'],
})

const changing = z.strictObject({ id: z.uuid(), ...priceRule })
export const previewLines = defineEndpoint({
  name: 'priceLists.previewLines',
  method: 'POST',
  path: '/api4/invoice/priceLists/{id}/change/preview',
  access: { rule: change },
  reads: true,
  input: changing,
  output: pricePreview,
  summary: 'What a change of a list’s prices would do; at most 200 lines are shown',
  errors: ['kit.notFound'],
})
export const changeLines = defineEndpoint({
  name: 'priceLists.changeLines',
  method: 'POST',
  path: '/api4/invoice/priceLists/{id}/change',
  access: { rule: change },
  input: changing,
  output: z.object({ id: z.string(), changed: z.number() }),
  summary: 'Changes all prices of a list by a share or a sum; it can be taken back',
  errors: ['kit.notFound', 'items.nothingChosen'],
})
export const lineChanges = defineEndpoint({
  name: 'priceLists.lineChanges',
  method: 'GET',
  path: '/api4/invoice/priceLists/{id}/change',
  access: { rule: change },
  input: byId,
  output: lastPriceChanges,
  summary: 'The last changes of all prices of a list',
  errors: ['kit.notFound'],
})
export const undoLineChange = defineEndpoint({
  name: 'priceLists.undoLineChange',
  method: 'POST',
  path: '/api4/invoice/priceLists/{id}/change/{changeId}/undo',
  access: { rule: change },
  input: z.object({ id: z.uuid(), changeId: z.uuid() }),
  output: undonePrices,
  summary: 'Gives the lines of a change their old prices back, where nothing changed them since',
  errors: ['kit.notFound', 'items.alreadyUndone'],
})
