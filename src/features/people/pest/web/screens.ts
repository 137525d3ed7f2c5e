import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { pestLicences, pestSites, pestTreatments } from '../pest.ts'
import '../rules.ts'

for (const resource of [pestSites, pestLicences, pestTreatments]) {
  announce(resource)
  dressLater(resource, () => import('./dress.tsx'))
}

export const screens: Screen[] = [
  {
    name: 'pestCustomers',
    path: '/invoice/InvoiceCustomersMadbir',
    open: 'login',
    rule: 'pest.see',
    feature: 'pest',
    menu: { group: 'people', icon: 'bug', order: 90 },
    load: () => import('./PestCustomers.tsx'),
  },
]

registerCardTab('customers', {
  key: 'pest',
  word: 'pest.short',
  rule: 'pest.see',
  order: 80,
  load: () => import('./CustomerSites.tsx'),
})
