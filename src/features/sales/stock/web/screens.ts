import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { stockPlaces } from '../places.ts'
import '../rules.ts'

announce(stockPlaces)
dressLater(stockPlaces, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'stock', rule: 'stock.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'storage',
    path: '/invoice/storage',
    menu: { group: 'stock', icon: 'warehouse', order: 15 },
    load: () => import('./Storage.tsx'),
  },
  {
    ...shared,
    name: 'stocktaking',
    rule: 'stock.count',
    path: '/invoice/stocktaking',
    menu: { group: 'stock', icon: 'clipboard-list', order: 25 },
    load: () => import('./Stocktaking.tsx'),
  },
  {
    ...shared,
    name: 'serialsSearch',
    path: '/invoice/serialssearch',
    menu: { group: 'stock', icon: 'barcode', order: 60, more: true },
    load: () => import('./Serials.tsx'),
  },
  {
    ...shared,
    name: 'serialsCounter',
    path: '/invoice/serialscounter',
    menu: { group: 'stock', icon: 'hash', order: 61, more: true },
    load: () => import('./SerialCounter.tsx'),
  },
  ...(['serialsInStock', 'serialsMissing', 'serialsCustomers'] as const).map((name, i): Screen => ({
    ...shared,
    name,
    path: `/invoice/${name.toLowerCase()}`,
    menu: { group: 'stock', icon: 'barcode', order: 62 + i, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen(name),
      })),
  })),
  {
    ...shared,
    name: 'stockProduct',
    path: '/invoice/stockproducts/$id',
    load: () => import('./StockProduct.tsx'),
  },
]
