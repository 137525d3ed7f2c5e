import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'backup',
    path: '/invoice/backup',
    open: 'login',
    rule: 'backup',
    feature: 'backup',
    settings: [{ key: 'backup', group: 'trace', order: 40, finds: ['backup.download'] }],
    menu: { group: 'settings', icon: 'archive', order: 90, more: true },
    load: () => import('./Backup.tsx'),
  },
]
