import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'bookings' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'classPage',
    path: '/invoice/calanderclass',
    rule: 'calendar.see',
    menu: { group: 'calendar', icon: 'users-round', order: 20 },
    load: () => import('./ClassPage.tsx'),
  },
  {
    ...shared,
    name: 'classGroups',
    path: '/invoice/calandergroups',
    rule: 'calendar.see',
    menu: { group: 'calendar', icon: 'calendar-range', order: 40 },
    load: () => import('./Groups.tsx'),
  },
  {
    ...shared,
    name: 'lobby',
    path: '/classworker/mainlobby',
    rule: 'calendar.desk',
    menu: { group: 'calendar', icon: 'door-open', order: 30 },
    load: () => import('./Lobby.tsx'),
  },
  {
    ...shared,
    name: 'classEntries',
    path: '/classworker/permissionsclients',
    rule: 'calendar.desk',
    menu: { group: 'calendar', icon: 'shield-check', order: 35 },
    load: () => import('./Entries.tsx'),
  },
  {
    ...shared,
    name: 'attendance',
    path: '/classworker/reportclass2',
    rule: 'calendar.desk',
    menu: { group: 'calendar', icon: 'chart-column', order: 70 },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('attendance'),
      })),
  },
]
