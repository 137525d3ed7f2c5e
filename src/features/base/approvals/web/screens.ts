import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'
import { watchWaiting } from './waiting.ts'

// While something waits the line is at the top of the menu; otherwise it is under settings and found by search.
watchWaiting()

export const screens: Screen[] = [
  {
    name: 'approvals',
    path: '/invoice/approvals',
    open: 'login',
    rule: 'approvals.decide',
    feature: 'approvals',
    menu: { group: 'settings', icon: 'shield-check', order: 71, more: true },
    load: () => import('./Approvals.tsx'),
  },
]
