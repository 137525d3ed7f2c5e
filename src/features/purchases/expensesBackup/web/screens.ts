import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'expensesBackup',
    path: '/invoice/reportexpensesbackup',
    open: 'login',
    rule: 'reports.expenses',
    feature: 'expensesBackup',
    menu: { group: 'reports', icon: 'archive', order: 55, more: true },
    load: () => import('./ExpensesBackup.tsx'),
  },
]
