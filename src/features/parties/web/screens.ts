import type { Screen } from '../../../kit/describe/screen.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { customers } from '../customers.ts'
import '../rules.ts'

announce(customers)

export const screens: Screen[] = [
  {
    name: 'customers',
    path: customers.screens.list,
    open: 'login',
    rule: customers.allow.see,
    feature: 'parties',
    menu: { group: 'customers', icon: 'users', order: 10, pinned: true },
    load: () => import('./Customers.tsx'),
  },
  {
    name: 'customerForm',
    path: customers.screens.form,
    open: 'login',
    rule: customers.allow.change,
    feature: 'parties',
    load: () => import('./CustomerForm.tsx'),
  },
]
