import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'classKinds',
    path: '/invoice/calanderclasses',
    open: 'login',
    feature: 'bookingPage',
    rule: 'calendar.see',
    menu: { group: 'calendar', icon: 'shapes', order: 50 },
    load: () => import('./Kinds.tsx'),
  },
  {
    name: 'bookingPage',
    path: '/yeshfit/$key',
    open: 'anyone',
    bare: true,
    feature: 'bookingPage',
    load: () => import('./Page.tsx'),
  },
]
