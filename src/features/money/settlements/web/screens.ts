import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import '../rules.ts'
import { acquirerDeals, acquirerDeposits } from '../settlements.ts'

const shared = { open: 'login', feature: 'settlements', rule: 'settlements.see' } as const

announce(acquirerDeals, acquirerDeposits)
for (const resource of [acquirerDeals, acquirerDeposits]) dressLater(resource, () => import('./dress.tsx'))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'acquirerFees',
    path: '/invoice/reportacquirerfees',
    menu: { group: 'reports', icon: 'landmark', order: 166, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('acquirerFees'),
      })),
  },
  {
    ...shared,
    name: 'acquirerDeals',
    path: acquirerDeals.screens.list,
    menu: { group: 'money', icon: 'scale', order: 61, more: true },
    load: () => import('./Deals.tsx'),
  },
  {
    ...shared,
    name: 'acquirerDeposits',
    path: acquirerDeposits.screens.list,
    menu: { group: 'money', icon: 'landmark', order: 62, more: true },
    load: () => import('./Deposits.tsx'),
  },
  {
    ...shared,
    name: 'acquirersOwe',
    path: '/invoice/reportacquirersowe',
    menu: { group: 'reports', icon: 'landmark', order: 165, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('acquirersOwe'),
      })),
  },
]
