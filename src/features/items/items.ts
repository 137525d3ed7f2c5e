import { defineResource, type Row } from '../../kit/describe/resource.ts'
import { choice, currency, longText, price, ref, text } from '../../kit/fields/field.ts'

export const items = defineResource({
  name: 'items',
  table: 'items',
  title: 'name',
  hint: 'sku',
  fields: {
    name: text({ need: true, max: 200 }),
    sku: text({ max: 40 }),
    details: longText({ max: 2000 }),
    unit: text({ max: 20 }),
    price: price({ start: '0' }),
    currency: currency({ start: 'ILS' }),
    vatKind: choice(['beforeVat', 'includingVat', 'trustDeposit', 'withoutVat'], { start: 'beforeVat' }),
    cost: price(),
    barcode: text({ max: 40 }),
    accountId: ref('accounts'),
  },
  list: { columns: ['name', 'sku', 'unit', 'price', 'currency', 'vatKind'], filters: ['vatKind', 'currency'], sort: ['name', 'asc'] },
  form: [
    { section: 'identity', fields: ['name', 'sku', 'details', 'unit'] },
    { section: 'price', fields: ['price', 'currency', 'vatKind', 'cost'] },
    { section: 'books', fields: ['accountId', 'barcode'] },
  ],
  allow: { see: 'items.see', change: 'items.change' },
  search: 'search_items',
  searchIn: ['name', 'sku', 'barcode', 'details'],
  unique: ['sku'],
  screens: { list: '/invoice/items', form: '/invoice/items/new', card: '/invoice/items/$id' },
})

export type Item = Row<typeof items>
