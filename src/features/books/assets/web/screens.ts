import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { fixedAssets } from '../assets.ts'
import '../rules.ts'

announce(fixedAssets)
dressLater(fixedAssets, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'assets', rule: 'assets.see' } as const
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'fixedAssets',
    path: fixedAssets.screens.list,
    menu: { group: 'purchases', icon: 'monitor', order: 36, more: true },
    load: () => import('./Assets.tsx'),
  },
  { ...shared, name: 'fixedAsset', path: '/invoice/fixedassets/$assetid', load: () => import('./Asset.tsx') },
  {
    ...shared,
    name: 'depreciation',
    path: '/invoice/depreciation',
    menu: { group: 'books', icon: 'trending-down', order: 80, more: true },
    load: () => import('./Depreciation.tsx'),
  },
  {
    ...shared,
    name: 'reportFixedAssets',
    path: '/invoice/reportfixedassets',
    menu: { group: 'tax', icon: 'monitor', order: 90, more: true },
    load: report('formYodAlef'),
  },
  {
    ...shared,
    name: 'reportAssetsBooks',
    path: '/invoice/reportassetsbooks',
    menu: { group: 'reports', icon: 'scale', order: 150, more: true },
    load: report('assetsInBooks'),
  },
]
