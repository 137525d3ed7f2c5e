import type { Screen } from '#kit/describe/screen.ts'

export const screens: Screen[] = [
  {
    name: 'home',
    path: '/invoice/main',
    open: 'login',
    feature: 'home',
    menu: { group: 'home', icon: 'house', order: 10 },
    load: () => import('./Home.tsx'),
    ahead: () => import('./ahead.ts').then(({ ahead }) => ahead()),
  },
]
