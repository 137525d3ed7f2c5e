import { defineResource } from '#kit/describe/resource.ts'
import { choice, flag, number, ref, text } from '#kit/fields/field.ts'

/** Warehouses, and the shelves in them. Goods in transit are in a place the product maintains automatically. */
export const stockPlaces = defineResource({
  name: 'stockplaces',
  table: 'stock_places',
  title: 'name',
  hint: 'code',
  fields: {
    name: text({ need: true, max: 80 }),
    kind: choice(['store', 'shelf', 'scrap', 'transit'], { need: true, start: 'store' }),
    parentId: ref('stockplaces'),
    code: text({ max: 20, start: '' }),
    isMain: flag({ computed: true }),
    itemCount: number({ computed: true }),
  },
  list: {
    columns: ['name', 'kind', 'parentId', 'code', 'isMain', 'itemCount'],
    filters: ['kind', 'parentId'],
    sort: ['name', 'asc'],
  },
  form: [{ section: 'main', fields: ['name', 'kind', 'parentId', 'code'] }],
  searchIn: ['name', 'code'],
  unique: ['name'],
  allow: { see: 'stock.see', change: 'stock.change' },
  screens: { list: '/invoice/storage?part=places', form: '/invoice/storage?part=places' },
})
