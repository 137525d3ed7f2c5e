import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'apiKeys',
    path: '/invoice/apikeys',
    open: 'login',
    feature: 'apiKeys',
    rule: 'apiKeys',
    menu: { group: 'settings', icon: 'key-round', order: 70 },
    settings: [{ key: 'apiKeys', group: 'connections', order: 10, finds: ['apiKeys.fields.'] }],
    load: () => import('./ApiKeys.tsx'),
  },
]
