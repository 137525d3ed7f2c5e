import { PenLine } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import '../rules.ts'
import { signGroups, signRequests, signTemplates } from '../signing.ts'

announce(signTemplates, signRequests, signGroups)
for (const resource of [signTemplates, signRequests, signGroups])
  dressLater(resource, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'signing', rule: 'signing.see' } as const
// Opens for everyone, as the guard always allowed; what it shows needs a session and its rights all the same
// (Within.tsx).
const unguarded = { ...shared, open: 'anyone' } as const

export const screens: Screen[] = [
  {
    ...unguarded,
    name: 'signTemplates',
    path: signTemplates.screens.list,
    menu: { group: 'sales', icon: 'pen-line', order: 150, more: true },
    load: () => import('./Templates.tsx'),
  },
  {
    ...unguarded,
    name: 'signTemplate',
    path: '/invoice/signtemplate/$key',
    load: () => import('./Editor.tsx'),
  },
  {
    ...shared,
    name: 'signRequests',
    path: signRequests.screens.list,
    menu: { group: 'sales', icon: 'file-signature', order: 151, more: true },
    load: () => import('./Requests.tsx'),
  },
  { ...shared, name: 'signRequest', path: '/invoice/signrequest/$key', load: () => import('./Request.tsx') },
  {
    ...unguarded,
    name: 'signGroups',
    path: signGroups.screens.list,
    menu: { group: 'sales', icon: 'users', order: 152, more: true },
    load: () => import('./Groups.tsx'),
  },
  {
    ...shared,
    name: 'signReport',
    path: '/invoice/reportsign',
    menu: { group: 'reports', icon: 'chart-column', order: 240, more: true },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('signatures'),
      })),
  },
  {
    name: 'signDoc',
    path: '/signdoc/$key',
    open: 'anyone',
    bare: true,
    feature: 'signing',
    load: () => import('./SignDoc.tsx'),
  },
  {
    name: 'signPage',
    path: '/signpage/$key',
    open: 'anyone',
    bare: true,
    feature: 'signing',
    load: () => import('./SignPage.tsx'),
  },
  {
    name: 'signVerify',
    path: '/signverify',
    open: 'anyone',
    feature: 'signing',
    load: () => import('./Verify.tsx'),
  },
]

registerNew({
  key: 'signTemplate',
  word: 'signTemplates.new',
  icon: PenLine,
  href: `${signTemplates.screens.list}?upload=1`,
  rule: 'signing.templates',
  order: 137,
})

for (const type of ['priceQuote', 'order', 'deliveryNote'])
  registerPart(`documentSending:${type}`, () => import('./DocumentPart.tsx'))
registerPart('customerConsent', () => import('./ConsentPart.tsx'))

registerCardTab('customers', {
  key: 'signing',
  word: 'signRequests.short',
  rule: 'signing.see',
  order: 77,
  load: () => import('./CustomerSigning.tsx'),
})
