import type { Screen } from '#kit/describe/screen.ts'
import { allScreensPath } from '#kit/web/shell/menu.ts'

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
  { name: 'allScreens', path: allScreensPath, open: 'login', feature: 'home', load: () => import('./AllScreens.tsx') },
]
