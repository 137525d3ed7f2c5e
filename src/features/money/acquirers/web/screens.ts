import type { Screen } from '#kit/describe/screen.ts'
import '#features/base/companies/rules.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'acquirers', rule: 'companies.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'onlineMarket',
    path: '/invoice/onlinemarket',
    menu: { group: 'settings', icon: 'plug', order: 72, more: true },
    settings: [],
    load: () => import('./Market.tsx'),
  },
  {
    ...shared,
    name: 'settingsPayments',
    path: '/invoice/settingspayments',
    menu: { group: 'settings', icon: 'credit-card', order: 46, more: true },
    settings: [
      { key: 'acquirers', group: 'documents', order: 36, finds: ['acquirers.fields.', 'acquirers.setting.'] },
    ],
    load: () => import('./Terminals.tsx'),
  },
  {
    ...shared,
    name: 'settingsPayment',
    path: '/invoice/settingspayment',
    settings: [],
    load: () => import('./Terminal.tsx'),
  },
  {
    name: 'cardFrame',
    path: '/cardframe/$key',
    open: 'anyone',
    bare: true,
    feature: 'acquirers',
    load: () => import('./CardFrame.tsx'),
  },
]
