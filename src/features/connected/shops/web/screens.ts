import type { Screen } from '#kit/describe/screen.ts'
import { registerPart } from '#kit/web/screens/places.ts'
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
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('shopDifferences'),
      })),
  },
  // Shopify and Wix send people here, whether they are logged in or not; the page says who may go on.
  {
    open: 'anyone',
    feature: 'shops',
    rule: 'shops.connect',
    name: 'connectShopify',
    path: '/connectshopify',
    load: () => import('./ConnectShopify.tsx'),
  },
  {
    open: 'anyone',
    feature: 'shops',
    rule: 'shops.connect',
    name: 'connectWix',
    path: '/connectwix',
    load: () => import('./ConnectWix.tsx'),
  },
  {
    open: 'anyone',
    bare: true,
    feature: 'shops',
    name: 'shopifyPage',
    path: '/shopifypage',
    load: () => import('./ShopifyPage.tsx'),
  },
  {
    open: 'anyone',
    bare: true,
    feature: 'shops',
    name: 'wixPage',
    path: '/wixpage',
    load: () => import('./WixPage.tsx'),
  },
]

registerPart('onlineMarket', () => import('./MarketPart.tsx'))
