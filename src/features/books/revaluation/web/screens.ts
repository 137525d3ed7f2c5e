import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'revaluation',
    path: '/invoice/revaluation',
    open: 'login',
    rule: 'ledger.see',
    feature: 'revaluation',
    menu: { group: 'books', icon: 'coins', order: 82, more: true },
    load: () => import('./Revaluation.tsx'),
  },
]
