import type { Screen } from '#kit/describe/screen.ts'
import '#features/base/companies/rules.ts'

export const screens: Screen[] = [
  {
    name: 'smsSettings',
    path: '/invoice/smssettings',
    open: 'login',
    feature: 'sms',
    rule: 'companies.see',
    settings: [{ key: 'sms', group: 'connections', order: 30, finds: ['sms.fields.'] }],
    load: () => import('./Sms.tsx'),
  },
]
