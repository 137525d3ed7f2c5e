import { z } from 'zod'
import { vatKinds as vatKindIds } from '#domain/documents/kinds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, currency, flag, longText, price, quantity, ref, text } from '#kit/fields/field.ts'

export const vatKinds = ['beforeVat', 'includingVat', 'trustDeposit', 'withoutVat'] as const

export const items = defineResource({
  name: 'items',
  table: 'items',
  title: 'name',
  hint: 'sku',
  fields: {
    name: text({ need: true, max: 200 }),
    sku: text({ max: 40 }),
    barcode: text({ max: 40 }),
    details: longText({ max: 2000 }),
    categoryId: ref('categories'),
    unit: text({ max: 20 }),
    price: price({ start: '0' }),
    currency: currency({ start: 'ILS' }),
    vatKind: choice(vatKinds, { start: 'beforeVat', ids: vatKindIds }),
    cost: price(),
    incomeKindId: ref('incomeKinds'),
    accountId: ref('accounts'),
    isStocked: flag({ start: false }),
    minimumQuantity: quantity(),
    orderQuantity: quantity(),
    supplierId: ref('suppliers'),
    // How its pieces are distinguished: not at all, by batches that expire, each by its serial number.
    tracking: choice(['none', 'batch', 'serial'], { start: 'none' }),
    // In kilograms: freight may be laid on what it weighs.
    weight: quantity(),
    // Of what is kept in stock: what there is in all places.
    onHand: quantity({ computed: true }),
    isActive: flag({ start: true }),
    // Of a variant: the item it is a variant of, and how far its price is from that item's.
    parentId: ref('items', { computed: true }),
    priceDifference: price({ computed: true }),
  },
  extra: {
    /** The picture that stands for the item, where it has one. */
    pictureId: z.uuid().nullable(),
  },
  list: {
    columns: ['name', 'sku', 'categoryId', 'unit', 'onHand', 'price', 'currency', 'vatKind'],
    filters: [
      'sku',
      'categoryId',
      'isActive',
      'vatKind',
      'incomeKindId',
      'price',
      'isStocked',
      'currency',
      'supplierId',
      'tracking',
    ],
    sort: ['name', 'asc'],
  },
  form: [
    { section: 'identity', fields: ['name', 'sku', 'barcode', 'categoryId', 'unit', 'details', 'isActive'] },
    { section: 'price', fields: ['price', 'currency', 'vatKind', 'cost'] },
    { section: 'books', fields: ['incomeKindId', 'accountId'] },
    {
      section: 'stock',
      fields: ['isStocked', 'minimumQuantity', 'orderQuantity', 'supplierId', 'tracking', 'weight'],
    },
  ],
  allow: { see: 'items.see', change: 'items.change' },
  search: 'search_items',
  searchIn: ['name', 'sku', 'barcode', 'details'],
  unique: ['sku', 'barcode'],
  screens: { list: '/invoice/items', form: '/invoice/items/new', card: '/invoice/items/$id' },
})

export type Item = Row<typeof items> & { categoryIdName: string | null }
