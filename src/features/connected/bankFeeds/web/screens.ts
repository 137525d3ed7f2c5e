import type { Screen } from '#kit/describe/screen.ts'
import '#features/money/bank/rules.ts'

export const screens: Screen[] = [
  {
    open: 'login',
    feature: 'bankFeeds',
    rule: 'bank.change',
    name: 'bankFeeds',
    path: '/invoice/bankfeeds',
    menu: { group: 'settings', icon: 'file-input', order: 74, more: true },
    settings: [{ key: 'bankFeeds', group: 'connections', order: 14, finds: ['bankFeeds.fields.'] }],
    load: () => import('./BankFeeds.tsx'),
  },
]
