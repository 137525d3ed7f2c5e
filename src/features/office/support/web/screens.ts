import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'support' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'support',
    path: '/invoice/support',
    menu: { group: 'help', icon: 'life-buoy', order: 20 },
    load: () => import('./Support.tsx'),
  },
  { ...shared, name: 'ticket', path: '/invoice/support/$ticketid', load: () => import('./TicketPage.tsx') },
  {
    ...shared,
    name: 'reportsBugs',
    path: '/invoice/reportsbugs',
    menu: { group: 'help', icon: 'bug', order: 30 },
    load: () => import('./Faults.tsx'),
  },
]
