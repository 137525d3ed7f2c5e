import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'periods',
    path: '/invoice/periods',
    open: 'login',
    rule: 'ledger.see',
    feature: 'periods',
    menu: { group: 'books', icon: 'lock', order: 70 },
    load: () => import('./Periods.tsx'),
  },
]
