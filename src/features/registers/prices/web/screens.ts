import { Tags } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { customerPrices, priceListLines, priceLists } from '../priceLists.ts'
import '../rules.ts'

announce(priceLists, priceListLines, customerPrices)
for (const resource of [priceLists, priceListLines, customerPrices])
  dressLater(resource, () => import('./dress.tsx'))

const shared = { feature: 'prices', rule: priceLists.allow.see } as const

export const screens: Screen[] = [
  // The product's address that never sends anybody away; its calls ask for the right.
  {
    ...shared,
    name: 'priceLists',
    path: priceLists.screens.list,
    open: 'anyone',
    menu: { group: 'stock', icon: 'tags', order: 20 },
    load: () => import('./PriceLists.tsx'),
  },
  {
    ...shared,
    name: 'priceList',
    path: '/invoice/pricelist/$listid',
    open: 'login',
    load: () => import('./PriceList.tsx'),
  },
  {
    ...shared,
    name: 'priceListTab',
    path: '/invoice/pricelist/$listid/$tab',
    open: 'login',
    load: () => import('./PriceList.tsx'),
  },
]

dressMore('customerTypes', {
  actions: (row, t) =>
    mayDo(session(), priceLists.allow.change) && !row.archivedAt
      ? [
          {
            key: 'priceList',
            label: t('prices.ofTypeChoose'),
            icon: Tags,
            onPress: () => void import('./TypeListDialog.tsx').then(({ openTypeList }) => openTypeList(row)),
          },
        ]
      : [],
})

registerCardTab('customers', {
  key: 'prices',
  word: 'prices.title',
  rule: priceLists.allow.see,
  order: 45,
  load: () => import('./CustomerPrices.tsx'),
})
registerCardTab('items', {
  key: 'prices',
  word: 'prices.title',
  rule: priceLists.allow.see,
  order: 10,
  load: () => import('./ItemPrices.tsx'),
})
