import type { Screen } from '#kit/describe/screen.ts'
import '#features/sales/documents/rules.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'correction',
    path: '/invoice/correction/$documentkey',
    open: 'login',
    feature: 'corrections',
    rule: 'documents.cancel',
    load: () => import('./Correction.tsx'),
  },
]
