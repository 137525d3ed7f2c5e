import { defineResource, type Row } from '#kit/describe/resource.ts'
import {
  choice,
  currency,
  day,
  longText,
  number,
  percent,
  price,
  quantity,
  ref,
  text,
} from '#kit/fields/field.ts'

const allow = { see: 'prices.see', change: 'prices.change' }

export const priceLists = defineResource({
  name: 'priceLists',
  table: 'price_lists',
  title: 'name',
  fields: {
    name: text({ need: true, max: 100 }),
    currency: currency({ start: 'ILS' }),
    base: choice(['item', 'list', 'cost', 'none'], { start: 'item' }),
    baseListId: ref('priceLists'),
    changeBp: percent({ start: 0 }),
    validFrom: day(),
    validTo: day(),
    notes: longText({ max: 2000 }),
    lineCount: number({ computed: true }),
    customerCount: number({ computed: true }),
  },
  list: {
    columns: ['name', 'currency', 'base', 'changeBp', 'validFrom', 'validTo', 'lineCount', 'customerCount'],
    filters: ['base', 'currency', 'validFrom', 'validTo'],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'identity', fields: ['name', 'currency', 'validFrom', 'validTo'] },
    { section: 'rule', fields: ['base', 'baseListId', 'changeBp'] },
    { section: 'more', fields: ['notes'] },
  ],
  allow,
  unique: ['name'],
  screens: { list: '/invoice/pricelist', form: '/invoice/pricelist', card: '/invoice/pricelist/$id' },
})

export type PriceListRow = Row<typeof priceLists> & { baseListIdName: string | null }

/** What one list says of one item. */
export const priceListLines = defineResource({
  name: 'priceListLines',
  table: 'price_list_lines',
  title: 'itemName',
  hint: 'itemSku',
  fields: {
    listId: ref('priceLists', { need: true }),
    itemId: ref('items', { need: true }),
    itemSku: text({ computed: true }),
    fromQuantity: quantity({ start: '0' }),
    price: price({ need: true }),
    itemPrice: price({ computed: true }),
    validFrom: day(),
    validTo: day(),
    itemName: text({ computed: true }),
  },
  list: {
    columns: ['listId', 'itemId', 'itemSku', 'fromQuantity', 'price', 'itemPrice', 'validFrom', 'validTo'],
    filters: ['itemId', 'listId', 'validFrom', 'validTo'],
    sort: ['itemName', 'asc'],
  },
  form: [{ section: 'facts', fields: ['listId', 'itemId', 'price', 'fromQuantity', 'validFrom', 'validTo'] }],
  allow,
  screens: { list: '/invoice/pricelist', form: '/invoice/pricelist' },
})

/** A price agreed with one customer. */
export const customerPrices = defineResource({
  name: 'customerPrices',
  table: 'customer_prices',
  title: 'itemName',
  hint: 'itemSku',
  fields: {
    customerId: ref('customers', { need: true }),
    itemId: ref('items', { need: true }),
    itemSku: text({ computed: true }),
    fromQuantity: quantity({ start: '0' }),
    price: price({ need: true }),
    currency: currency({ start: 'ILS' }),
    itemPrice: price({ computed: true }),
    validFrom: day(),
    validTo: day(),
    itemName: text({ computed: true }),
  },
  list: {
    columns: [
      'customerId',
      'itemId',
      'itemSku',
      'fromQuantity',
      'price',
      'currency',
      'itemPrice',
      'validFrom',
      'validTo',
    ],
    filters: ['itemId', 'customerId', 'validFrom', 'validTo'],
    sort: ['itemName', 'asc'],
  },
  form: [
    {
      section: 'facts',
      fields: ['customerId', 'itemId', 'price', 'currency', 'fromQuantity', 'validFrom', 'validTo'],
    },
  ],
  allow,
  screens: { list: '/invoice/pricelist', form: '/invoice/pricelist' },
})
