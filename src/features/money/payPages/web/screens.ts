import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import '../rules.ts'
import { coupons, payPages, payPurchases } from '../payPages.ts'

const shared = { open: 'login', feature: 'payPages', rule: payPages.allow.see } as const
const guest = { open: 'anyone', bare: true, feature: 'payPages' } as const

announce(payPages, payPurchases, coupons)
for (const resource of [payPages, payPurchases, coupons]) dressLater(resource, () => import('./dress.tsx'))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'payPages',
    path: payPages.screens.list,
    menu: { group: 'money', icon: 'shopping-bag', order: 17 },
    load: () => import('./Pages.tsx').then(({ All }) => ({ Screen: All })),
  },
  {
    ...shared,
    name: 'retainerPages',
    path: '/invoice/retainerpages',
    menu: { group: 'money', icon: 'repeat', order: 18, more: true },
    load: () => import('./Pages.tsx').then(({ Subscriptions }) => ({ Screen: Subscriptions })),
  },
  {
    ...shared,
    name: 'payPageNew',
    path: payPages.screens.form,
    rule: 'payPages.change',
    load: () => import('./Editor.tsx'),
  },
  {
    ...shared,
    name: 'retainerPageNew',
    path: '/invoice/retainerpages/new',
    rule: 'payPages.change',
    load: () => import('./Editor.tsx'),
  },
  { ...shared, name: 'payPageCard', path: payPages.screens.card!, load: () => import('./Page.tsx') },
  {
    ...shared,
    name: 'payPageEdit',
    path: '/invoice/paypages/$id/edit',
    rule: 'payPages.change',
    load: () => import('./Editor.tsx'),
  },
  {
    ...shared,
    name: 'payPagePayers',
    path: payPurchases.screens.list,
    rule: payPurchases.allow.see,
    menu: { group: 'money', icon: 'users', order: 19, more: true },
    load: () => import('./Payers.tsx'),
  },
  {
    ...shared,
    name: 'coupons',
    path: coupons.screens.list,
    rule: coupons.allow.see,
    menu: { group: 'money', icon: 'ticket-percent', order: 20, more: true },
    load: () => import('./Coupons.tsx'),
  },
  {
    name: 'couponUse',
    path: '/invoice/reportcoupons',
    open: 'login',
    rule: coupons.allow.see,
    feature: 'payPages',
    menu: { group: 'reports', icon: 'ticket-percent', order: 164, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('couponUse'),
      })),
  },
  {
    name: 'mainPayment',
    path: '/invoice/mainpayment',
    open: 'login',
    rule: 'billing.see',
    feature: 'payPages',
    menu: { group: 'settings', icon: 'credit-card', order: 96, more: true },
    load: () => import('./MainPayment.tsx'),
  },
  {
    name: 'pricing',
    path: '/pricing',
    open: 'anyone',
    feature: 'payPages',
    load: () => import('./Pricing.tsx'),
  },
  { ...guest, name: 'payPage', path: '/paymentpage/$key', load: () => import('./PublicPage.tsx') },
  { ...guest, name: 'payFrame', path: '/payment2/$key', load: () => import('./PublicPage.tsx') },
]
