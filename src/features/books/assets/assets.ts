import { assetKindNames } from '#domain/assets/kinds.ts'
import { defineResource, type Row } from '#kit/describe/resource.ts'
import { choice, day, money, number, percent, ref, text } from '#kit/fields/field.ts'

export const assetStates = ['inUse', 'worn', 'sold', 'scrapped'] as const

/**
 * The register of what was bought to last: from approved expenses, and by hand what is older than these
 * books.
 */
export const fixedAssets = defineResource({
  name: 'fixedassets',
  table: 'fixed_assets',
  title: 'name',
  fields: {
    name: text({ need: true, max: 200 }),
    kind: choice(assetKindNames, { need: true, start: 'equipment' }),
    // By the kind when it is left open.
    accountId: ref('accounts'),
    startDay: day({ need: true }),
    costAgorot: money({ need: true }),
    depreciationBp: percent(),
    rateReason: text({ max: 200, start: '' }),
    openingDay: day(),
    openingWornAgorot: money({ start: 0 }),
    supplierId: ref('suppliers', { computed: true }),
    yearAgorot: money({ computed: true }),
    wornAgorot: money({ computed: true }),
    leftAgorot: money({ computed: true }),
    // In the books, the opening included.
    postedAgorot: money({ computed: true }),
    state: choice(assetStates, { computed: true }),
    disposedDay: day({ computed: true }),
    expenseId: ref('expenses', { computed: true }),
    line: number({ computed: true }),
  },
  list: {
    columns: [
      'name',
      'kind',
      'startDay',
      'depreciationBp',
      'costAgorot',
      'yearAgorot',
      'wornAgorot',
      'leftAgorot',
      'state',
    ],
    filters: ['kind', 'state', 'startDay', 'accountId', 'supplierId', 'costAgorot'],
    sort: ['startDay', 'desc'],
    totals: ['costAgorot', 'yearAgorot', 'wornAgorot', 'leftAgorot'],
  },
  form: [
    { section: 'identity', fields: ['name', 'kind', 'accountId', 'startDay', 'costAgorot'] },
    { section: 'rate', fields: ['depreciationBp', 'rateReason'] },
    { section: 'opening', fields: ['openingDay', 'openingWornAgorot'] },
  ],
  allow: { see: 'assets.see', change: 'assets.change' },
  screens: { list: '/invoice/fixedassets', form: '/invoice/fixedassets', card: '/invoice/fixedassets/$id' },
})
export type AssetRow = Row<typeof fixedAssets>
