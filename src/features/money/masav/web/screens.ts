import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'masav' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'masavRun',
    path: '/invoice/masavrun',
    rule: 'masav.make',
    menu: { group: 'purchases', icon: 'landmark', order: 35 },
    load: () => import('./CreditRun.tsx'),
  },
  {
    ...shared,
    name: 'masavDebits',
    path: '/invoice/masavdebits',
    rule: 'masav.make',
    menu: { group: 'money', icon: 'landmark', order: 90, more: true },
    load: () => import('./DebitRun.tsx'),
  },
  {
    ...shared,
    name: 'masavPayments',
    path: '/invoice/reportmasavpayment',
    rule: 'masav.see',
    menu: { group: 'reports', icon: 'landmark', order: 160, more: true },
    load: () => import('./CreditRuns.tsx'),
  },
  {
    ...shared,
    name: 'masavCollections',
    path: '/invoice/reportmasavretainer',
    rule: 'masav.see',
    menu: { group: 'reports', icon: 'landmark', order: 161, more: true },
    load: () => import('./DebitRuns.tsx'),
  },
  {
    ...shared,
    name: 'masavFile',
    path: '/invoice/masavfile/$runid',
    rule: 'masav.see',
    load: () => import('./Run.tsx'),
  },
  {
    ...shared,
    name: 'masavSettings',
    path: '/invoice/masavsettings',
    rule: 'masav.make',
    settings: [{ key: 'masav', group: 'business', order: 70, finds: ['masav.institution', 'masav.sender'] }],
    load: () => import('./Settings.tsx'),
  },
]
