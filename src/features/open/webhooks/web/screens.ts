import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'webhooks', rule: 'webhooks' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'webhooks',
    path: '/invoice/webhooks',
    menu: { group: 'settings', icon: 'webhook', order: 71, more: true },
    settings: [{ key: 'webhooks', group: 'connections', order: 11, finds: ['webhooks.fields.'] }],
    load: () => import('./Webhooks.tsx'),
  },
  { ...shared, name: 'webhook', path: '/invoice/webhooks/$webhookid', load: () => import('./Webhook.tsx') },
]
