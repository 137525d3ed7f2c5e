import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const feature = 'practice'

export const screens: Screen[] = [
  {
    name: 'mainCpa',
    path: '/cpa/main',
    open: 'login',
    users: [5, 6],
    feature,
    menu: { group: 'home', icon: 'briefcase', order: 1 },
    load: () => import('./Cockpit.tsx'),
  },
  {
    name: 'mainCpam',
    path: '/cpa/manager',
    open: 'login',
    users: [6],
    feature,
    menu: { group: 'home', icon: 'users', order: 2 },
    load: () => import('./Manager.tsx'),
  },
  {
    name: 'cpaClient',
    path: '/cpa/client/$id',
    open: 'login',
    users: [5, 6],
    feature,
    load: () => import('./Client.tsx'),
  },
  {
    name: 'signUpCpa',
    path: '/signupcpa',
    open: 'guest',
    feature,
    bare: true,
    load: () => import('./SignUpCpa.tsx'),
  },
  {
    name: 'officeInvitation',
    path: '/officeinvitation',
    open: 'anyone',
    feature,
    bare: true,
    load: () => import('./Invitation.tsx'),
  },
]
