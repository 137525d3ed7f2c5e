import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import '../rules.ts'
import { workers } from '../workers.ts'

announce(workers)
dressLater(workers, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'team' } as const
const matrix = () => import('./Matrix.tsx')

export const screens: Screen[] = [
  {
    ...shared,
    name: 'workers',
    path: '/invoice/workers',
    rule: 'workers.see',
    menu: { group: 'team', icon: 'users', order: 10 },
    settings: [{ key: 'workers', group: 'people', order: 10, finds: ['workers.fields.'] }],
    load: () => import('./Workers.tsx'),
  },
  {
    ...shared,
    name: 'newWorker',
    path: '/invoice/editworker',
    rule: 'workers.change',
    menu: { group: 'team', icon: 'user-plus', order: 20, more: true },
    load: () => import('./Invite.tsx'),
  },
  // `type` is the tab of the card.
  {
    ...shared,
    name: 'editWorker',
    path: '/invoice/editworker/$userkey/$type',
    rule: 'workers.see',
    load: () => import('./WorkerCard.tsx'),
  },
  {
    ...shared,
    name: 'permissions',
    path: '/invoice/permissions',
    rule: 'workers.see',
    menu: { group: 'team', icon: 'shield-check', order: 30 },
    settings: [{ key: 'permissions', group: 'people', order: 20, finds: ['team.rules.'] }],
    load: () => import('./Sets.tsx'),
  },
  {
    ...shared,
    name: 'permissionsWorker',
    path: '/invoice/permissionsworker',
    rule: 'workers.see',
    menu: { group: 'team', icon: 'table', order: 40, more: true },
    settings: [{ key: 'permissionsWorker', group: 'people', order: 30 }],
    load: matrix,
  },
  {
    ...shared,
    name: 'permissionTrainers',
    path: '/invoice/permissiontrainers',
    rule: 'workers.see',
    menu: { group: 'team', icon: 'table', order: 50, more: true },
    load: matrix,
  },
  {
    ...shared,
    name: 'leaves',
    path: '/invoice/leaves',
    rule: 'workers.see',
    menu: { group: 'settings', icon: 'shield-check', order: 79, more: true },
    settings: [{ key: 'leaves', group: 'connections', order: 1 }],
    load: () => import('./Leaves.tsx'),
  },
  // A worker's page, the first after the log-in.
  {
    ...shared,
    name: 'mainWorker',
    path: '/worker/main',
    users: [8, 9],
    menu: { group: 'home', icon: 'house', order: 1 },
    load: () => import('./MyWork.tsx'),
  },
  {
    name: 'invitation',
    path: '/invitation',
    open: 'anyone',
    feature: 'team',
    bare: true,
    load: () => import('./Invitation.tsx'),
  },
]
