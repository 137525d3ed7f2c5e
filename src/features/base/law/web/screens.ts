import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'law',
    path: '/invoice/law',
    open: 'login',
    feature: 'law',
    menu: { group: 'tax', icon: 'scale', order: 95, more: true },
    settings: [{ key: 'law', group: 'trace', order: 90 }],
    load: () => import('./LawScreen.tsx'),
  },
]
