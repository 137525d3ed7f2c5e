import type { Screen } from '../../../kit/describe/screen.ts'
import { dressLater } from '../../../kit/web/screens/dress.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { items } from '../items.ts'
import '../rules.ts'

announce(items)
dressLater(items, () => import('./dress.tsx'))

export const screens: Screen[] = [
  {
    name: 'items',
    path: items.screens.list,
    open: 'login',
    rule: items.allow.see,
    feature: 'items',
    menu: { group: 'items', icon: 'package', order: 10 },
    load: () => import('./Items.tsx'),
  },
  // The id 'new' is the form of a new item.
  {
    name: 'itemForm',
    path: '/invoice/items/$id',
    open: 'login',
    rule: items.allow.see,
    feature: 'items',
    load: () => import('./Item.tsx'),
  },
]
