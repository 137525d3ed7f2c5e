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
  {
    open: 'login',
    feature: 'shops',
    rule: 'shops.connect',
    name: 'connectShopify',
    path: '/connectshopify',
    load: () => import('./ConnectShopify.tsx'),
  },
  {
    open: 'login',
    feature: 'shops',
    rule: 'shops.connect',
    name: 'connectWix',
    path: '/connectwix',
    load: () => import('./ConnectWix.tsx'),
  },
  { open: 'anyone', bare: true, feature: 'shops', name: 'shopifyPage', path: '/shopifypage', load: () => import('./ShopifyPage.tsx') },
  { open: 'anyone', bare: true, feature: 'shops', name: 'wixPage', path: '/wixpage', load: () => import('./WixPage.tsx') },
]
