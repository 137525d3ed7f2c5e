import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { bankRules } from '../bankRules.ts'
import '../rules.ts'

announce(bankRules)
dressLater(bankRules, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'matching', rule: 'matching.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'bankMatching',
    path: '/invoice/atamotbank',
    menu: { group: 'books', icon: 'link-2', order: 26 },
    load: () => import('./BankMatching.tsx'),
  },
  {
    ...shared,
    name: 'cardMatching',
    path: '/invoice/atamot',
    menu: { group: 'books', icon: 'list-checks', order: 42 },
    load: () => import('./CardMatching.tsx'),
  },
  {
    ...shared,
    name: 'bankRules',
    path: bankRules.screens.list,
    menu: { group: 'books', icon: 'wand', order: 43, more: true },
    load: () => import('./BankRules.tsx'),
  },
  {
    ...shared,
    name: 'bankReconciliation',
    path: '/invoice/bankreconciliation',
    menu: { group: 'books', icon: 'scale', order: 44, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('bankReconciliation'),
      })),
  },
]
