import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { projects } from '../projects.ts'
import '../rules.ts'

announce(projects)
dressLater(projects, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'projects', rule: projects.allow.see } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'projects',
    path: projects.screens.list,
    menu: { group: 'stock', icon: 'folder-kanban', order: 50 },
    load: () => import('./Projects.tsx'),
  },
  {
    ...shared,
    name: 'project',
    path: '/invoice/projectItems/$projectid',
    load: () => import('./Project.tsx'),
  },
  {
    ...shared,
    name: 'projectTab',
    path: '/invoice/projectItems/$projectid/$tab',
    load: () => import('./Project.tsx'),
  },
  {
    ...shared,
    name: 'projectsReport',
    path: '/invoice/reportprojects',
    menu: { group: 'reports', icon: 'folder-kanban', order: 220, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('projects'),
      })),
  },
]
