import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const feature = 'affiliates'

export const screens: Screen[] = [
  {
    name: 'signUpAff',
    path: '/signupaff',
    open: 'guest',
    feature,
    bare: true,
    load: () => import('./SignUpAff.tsx'),
  },
  {
    name: 'affiliates',
    path: '/invoice/affiliates',
    open: 'login',
    rule: 'affiliates.manage',
    feature,
    menu: { group: 'team', icon: 'handshake', order: 60 },
    load: () => import('./Manage.tsx'),
  },
  {
    name: 'affiliateReport',
    path: '/invoice/reportaffiliate',
    open: 'login',
    rule: 'affiliates.see',
    feature,
    menu: { group: 'reports', icon: 'handshake', order: 240, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('affiliate'),
      })),
  },
]
