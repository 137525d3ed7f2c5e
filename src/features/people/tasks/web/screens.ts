import { ListTodo } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import { tasks } from '../tasks.ts'
import '../rules.ts'

announce(tasks)
dressLater(tasks, () => import('./dress.tsx'))
registerCardTab('customers', {
  key: 'tasks',
  word: 'tasks.title',
  rule: tasks.allow.see,
  order: 60,
  load: () => import('./CustomerTasks.tsx'),
})
registerPart('worker', () => import('./MyTasks.tsx'))
registerNew({
  key: 'task',
  word: 'tasks.new',
  icon: ListTodo,
  href: '/invoice/alltasks?new=1',
  rule: tasks.allow.change,
  order: 60,
})

const shared = { open: 'login', feature: 'tasks', rule: tasks.allow.see } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'tasks',
    path: tasks.screens.list,
    menu: { group: 'home', icon: 'list-todo', order: 20 },
    load: () => import('./Tasks.tsx'),
  },
  {
    ...shared,
    name: 'tasksOfCustomer',
    path: '/invoice/alltasks/$customerid',
    load: () => import('./Tasks.tsx'),
  },
  {
    ...shared,
    name: 'kanban',
    path: '/invoice/kanban',
    menu: { group: 'home', icon: 'square-kanban', order: 30 },
    load: () => import('./Kanban.tsx'),
  },
]
