import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'shops', rule: 'shops.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'shops',
    path: '/invoice/shops',
    menu: { group: 'settings', icon: 'store', order: 72, more: true },
    settings: [{ key: 'shops', group: 'connections', order: 12, finds: ['shops.fields.'] }],
    load: () => import('./Shops.tsx'),
  },
  { ...shared, name: 'shop', path: '/invoice/shops/$shopid', load: () => import('./Shop.tsx') },
  {
    ...shared,
    name: 'shopDifferences',
    path: '/invoice/reportshops',
    menu: { group: 'reports', icon: 'scale', order: 48, more: true },
    load: () => import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen('shopDifferences') })),
  },
]
