import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'trainers', rule: 'calendar.own' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'trainerDay',
    path: '/classtreiner/mainclass',
    menu: { group: 'calendar', icon: 'calendar-check', order: 80, more: true },
    load: () => import('./Day.tsx'),
  },
  {
    ...shared,
    name: 'trainerWeek',
    path: '/classtreiner/mycalender',
    menu: { group: 'calendar', icon: 'calendar-clock', order: 81, more: true },
    load: () => import('./Week.tsx').then(({ Own }) => ({ Screen: Own })),
  },
  {
    ...shared,
    name: 'trainersAll',
    path: '/classtreiner/callcalender',
    menu: { group: 'calendar', icon: 'users', order: 82, more: true },
    load: () => import('./Week.tsx').then(({ All }) => ({ Screen: All })),
  },
  {
    ...shared,
    name: 'trainerHistory',
    path: '/classtreiner/calenderhistory',
    menu: { group: 'calendar', icon: 'history', order: 83, more: true },
    load: () => import('./History.tsx'),
  },
  {
    open: 'login',
    feature: 'trainers',
    rule: 'calendar.own',
    name: 'trainerSettings',
    path: '/classtreiner/usersettings',
    menu: { group: 'calendar', icon: 'user-cog', order: 84, more: true },
    settings: [{ key: 'trainerSettings', group: 'me', order: 90 }],
    load: () => import('#features/base/session/web/index.tsx').then(({ loadAccount }) => loadAccount()),
  },
]
