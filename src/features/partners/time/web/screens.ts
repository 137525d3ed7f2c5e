import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const feature = 'time'

export const screens: Screen[] = [
  {
    name: 'mainTime',
    path: '/time/main',
    open: 'login',
    rule: 'time.clock',
    feature,
    menu: { group: 'home', icon: 'clock', order: 12 },
    load: () => import('./Main.tsx'),
  },
  {
    name: 'timeTeam',
    path: '/time/team',
    open: 'login',
    rule: 'time.team',
    feature,
    menu: { group: 'team', icon: 'clock', order: 45 },
    load: () => import('./Team.tsx'),
  },
]
