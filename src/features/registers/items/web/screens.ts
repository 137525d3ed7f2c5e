import { Package } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerSearch } from '#kit/web/shell/registry.ts'
import { categories } from '../categories.ts'
import { incomeKinds } from '../incomeKinds.ts'
import { items } from '../items.ts'
import '../rules.ts'

announce(items, categories, incomeKinds)
dressLater(items, () => import('./dress.tsx'))
dressLater(categories, () => import('./dressSorts.tsx'))
dressLater(incomeKinds, () => import('./dressSorts.tsx'))

registerSearch(
  'items.title',
  async (query, signal) => {
    const { findRecords } = await import('#kit/web/screens/findRecords.ts')
    const found = await findRecords(items, query, signal, { hints: ['sku', 'barcode'] })
    return found.map((one) => ({ ...one, icon: Package }))
  },
  { rule: 'items.see', order: 40 },
)

const shared = { open: 'login', feature: 'items', rule: items.allow.see } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'items',
    path: items.screens.list,
    menu: { group: 'stock', icon: 'package', order: 10 },
    settings: [{ key: 'items', group: 'lists', order: 10 }],
    load: () => import('./Items.tsx'),
  },
  // The id 'new' is the form of a new item.
  { ...shared, name: 'itemForm', path: '/invoice/items/$id', load: () => import('./Item.tsx') },
  { ...shared, name: 'itemCard', path: '/invoice/items/$id/$tab', load: () => import('./Item.tsx') },
  {
    ...shared,
    name: 'categories',
    path: categories.screens.list,
    menu: { group: 'stock', icon: 'folder-tree', order: 30 },
    load: () => import('./Categories.tsx'),
  },
  {
    ...shared,
    name: 'category',
    path: '/invoice/categories/$categoryid',
    load: () => import('./Category.tsx'),
  },
  {
    ...shared,
    name: 'incomeKinds',
    path: incomeKinds.screens.list,
    menu: { group: 'stock', icon: 'landmark', order: 40, more: true },
    settings: [{ key: 'incomeKinds', group: 'lists', order: 42, finds: ['incomeKinds.fields.'] }],
    load: () => import('./IncomeKinds.tsx'),
  },
  {
    ...shared,
    name: 'itemMovements',
    path: '/invoice/reportitemmovements',
    menu: { group: 'reports', icon: 'package', order: 210, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('itemMovements'),
      })),
  },
]
