import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { buildings, flats, people } from '../committee.ts'
import '../rules.ts'

for (const resource of [buildings, flats, people]) {
  announce(resource)
  dressLater(resource, () => import('./dress.tsx'))
}

const shared = { open: 'login', rule: 'committee.see', feature: 'committee' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'vaadPayMonth',
    path: '/invoice/vaadpaymonth',
    menu: { group: 'building', icon: 'building', order: 10 },
    load: () => import('./House.tsx'),
  },
  {
    ...shared,
    name: 'vaadExtra',
    path: '/invoice/vaadextra',
    menu: { group: 'building', icon: 'hammer', order: 20 },
    load: () => import('./Levies.tsx'),
  },
  {
    ...shared,
    name: 'tenantPayments',
    path: '/invoice/tenantpayments',
    menu: { group: 'building', icon: 'receipt', order: 30 },
    load: () => import('./TenantPayments.tsx'),
  },
  {
    name: 'tenantPage',
    path: '/vaadtenant/$key',
    open: 'anyone',
    bare: true,
    feature: 'committee',
    load: () => import('./TenantPage.tsx'),
  },
  {
    name: 'handOverPage',
    path: '/vaadhandover/$key',
    open: 'anyone',
    bare: true,
    feature: 'committee',
    load: () => import('./HandOverPage.tsx'),
  },
  {
    name: 'housePage',
    path: '/vaadpage/$key',
    open: 'anyone',
    bare: true,
    feature: 'committee',
    load: () => import('./HousePage.tsx'),
  },
]
