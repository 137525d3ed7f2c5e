import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'papers',
    path: '/invoice/expensesspage',
    open: 'login',
    rule: 'expenses.enter',
    feature: 'capture',
    menu: { group: 'purchases', icon: 'inbox', order: 5 },
    load: () => import('./Inbox.tsx'),
  },
  {
    name: 'paper',
    path: '/invoice/expensesspage/$id',
    open: 'login',
    rule: 'expenses.enter',
    feature: 'capture',
    load: () => import('./Paper.tsx'),
  },
]
