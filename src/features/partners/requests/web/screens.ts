import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'cpaOnline',
    path: '/invoice/cpaonline',
    open: 'login',
    rule: 'requests.see',
    feature: 'requests',
    menu: { group: 'team', icon: 'messages-square', order: 65 },
    load: () => import('./Requests.tsx'),
  },
  {
    name: 'requestsPage',
    path: '/clientrequests/$key',
    open: 'anyone',
    bare: true,
    feature: 'requests',
    load: () => import('./PublicPage.tsx'),
  },
]
