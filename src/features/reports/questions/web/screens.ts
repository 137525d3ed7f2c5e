import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'reportBuilder',
    path: '/invoice/reportbuilder',
    open: 'login',
    users: inBusiness,
    feature: 'questions',
    menu: { group: 'reports', icon: 'table-properties', order: 21 },
    load: () => import('./Builder.tsx'),
  },
]
