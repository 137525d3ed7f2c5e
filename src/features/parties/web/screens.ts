import type { Screen } from '../../../kit/describe/screen.ts'
import { dressLater } from '../../../kit/web/screens/dress.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { customers } from '../customers.ts'
import '../rules.ts'

announce(customers)
dressLater(customers, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'parties' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'customers',
    path: customers.screens.list,
    rule: customers.allow.see,
    menu: { group: 'customers', icon: 'users', order: 10 },
    load: () => import('./Customers.tsx'),
  },
  {
    ...shared,
    name: 'customerForm',
    path: customers.screens.form,
    rule: customers.allow.change,
    menu: { group: 'customers', icon: 'user-plus', order: 20, more: true },
    load: () => import('./CustomerForm.tsx'),
  },
  // `type` is the tab of the card; 'edit' is the form.
  {
    ...shared,
    name: 'customerCard',
    path: '/invoice/invoiceCustomer/$userkey/$type',
    rule: customers.allow.see,
    load: () => import('./CustomerCard.tsx'),
  },
]
