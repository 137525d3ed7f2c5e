import type { Screen } from '#kit/describe/screen.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import '../rules.ts'

const feature = 'allocation'

export const screens: Screen[] = [
  {
    name: 'missingIsraelTax',
    path: '/invoice/missingisraeltax',
    open: 'login',
    rule: 'allocation.see',
    feature,
    menu: { group: 'tax', icon: 'hash', order: 40 },
    load: () => import('./Missing.tsx'),
  },
  {
    name: 'israelTaxVerify',
    path: '/invoice/israeltaxverify',
    open: 'login',
    rule: 'expenses.see',
    feature,
    menu: { group: 'purchases', icon: 'badge-check', order: 60, more: true },
    load: () => import('./Verify.tsx'),
  },
  // The authority sends people back here, the person who is logged in by then.
  {
    name: 'israelTax',
    path: '/israeltax',
    open: 'anyone',
    rule: 'allocation.see',
    feature,
    menu: { group: 'tax', icon: 'plug', order: 90, more: true },
    settings: [{ key: 'israelTax', group: 'connections', order: 5 }],
    load: () => import('./Connection.tsx'),
  },
]

registerPart('beforeAllocation', () => import('./LinkNote.tsx'))
