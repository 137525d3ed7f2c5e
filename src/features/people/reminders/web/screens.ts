import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import '#features/sales/documents/rules.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'reminders',
    path: '/invoice/reminders',
    open: 'login',
    feature: 'reminders',
    rule: 'reminders.change',
    menu: { group: 'settings', icon: 'bell-ring', order: 46 },
    settings: [{ key: 'reminders', group: 'documents', order: 60, finds: ['reminders.fields.'] }],
    load: () => import('./Reminders.tsx'),
  },
]

registerCardTab('customers', {
  key: 'reminders',
  word: 'reminders.title',
  rule: 'reports.debts',
  order: 60,
  load: () => import('./CustomerReminders.tsx'),
})
