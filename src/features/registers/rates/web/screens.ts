import type { Screen } from '#kit/describe/screen.ts'
import '#features/base/companies/rules.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'exchangeRates',
    path: '/invoice/exchangerates',
    open: 'login',
    feature: 'rates',
    rule: 'companies.see',
    menu: { group: 'settings', icon: 'coins', order: 74 },
    settings: [{ key: 'exchangeRates', group: 'documents', order: 50, finds: ['rates.fields.'] }],
    load: () => import('./Rates.tsx'),
  },
]
