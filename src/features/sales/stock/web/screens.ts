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
  { ...shared, name: 'stockProduct', path: '/invoice/stockproducts/$id', load: () => import('./StockProduct.tsx') },
]
