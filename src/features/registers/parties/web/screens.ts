import { UserRound } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerSearch } from '#kit/web/shell/registry.ts'
import { customers } from '../customers.ts'
import { holdings, packages } from '../holdings.ts'
import { customerAddresses, customerContacts } from '../people.ts'
import { agents, customerFields, customerStatuses, customerTypes, portfolios } from '../classifications.ts'
import '../rules.ts'

announce(
  customers,
  customerTypes,
  customerStatuses,
  portfolios,
  customerFields,
  agents,
  customerContacts,
  customerAddresses,
  packages,
  holdings,
)
for (const resource of [customers, customerTypes, customerStatuses, portfolios, customerFields])
  dressLater(resource, () => import('./dress.tsx'))
dressLater(holdings, () => import('./holdingsDress.tsx'))

registerSearch(
  'customers.title',
  async (query, signal) => {
    const { findRecords } = await import('#kit/web/screens/findRecords.ts')
    const found = await findRecords(customers, query, signal, {
      hints: ['mobile', 'phone', 'taxId', 'email'],
      balance: 'balanceAgorot',
    })
    return found.map((one) => ({ ...one, icon: UserRound }))
  },
  { rule: 'customers.see', order: 10 },
)

const shared = { open: 'login', feature: 'parties' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'customers',
    path: customers.screens.list,
    rule: customers.allow.see,
    menu: { group: 'people', icon: 'users', order: 10 },
    settings: [{ key: 'customers', group: 'lists', order: 20 }],
    load: () => import('./Customers.tsx'),
  },
  {
    ...shared,
    name: 'customerForm',
    path: customers.screens.form,
    rule: customers.allow.change,
    menu: { group: 'people', icon: 'user-plus', order: 20, more: true },
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
  // Opens for everyone, as the guard always allowed; what it shows needs a session and its rights all the same.
  {
    name: 'customerSolo',
    path: '/invoice/customersolo',
    open: 'anyone',
    feature: 'parties',
    rule: customers.allow.see,
    bare: true,
    menu: { group: 'people', icon: 'id-card', order: 40, more: true },
    load: () => import('./Solo.tsx'),
  },
  {
    ...shared,
    name: 'customerTypes',
    path: customerTypes.screens.list,
    rule: customerTypes.allow.see,
    menu: { group: 'people', icon: 'tags', order: 50, more: true },
    settings: [{ key: 'customerTypes', group: 'lists', order: 50, finds: ['customerTypes.fields.'] }],
    load: () => import('./Types.tsx'),
  },
  {
    name: 'customerStatuses',
    path: customerStatuses.screens.list,
    open: 'anyone',
    feature: 'parties',
    rule: customerStatuses.allow.see,
    menu: { group: 'people', icon: 'circle-dot', order: 60, more: true },
    settings: [{ key: 'customerStatuses', group: 'lists', order: 51, finds: ['customerStatuses.fields.'] }],
    load: () => import('./Statuses.tsx'),
  },
  {
    ...shared,
    name: 'portfolios',
    path: portfolios.screens.list,
    rule: portfolios.allow.see,
    menu: { group: 'people', icon: 'briefcase', order: 70, more: true },
    settings: [{ key: 'portfolios', group: 'lists', order: 52, finds: ['portfolios.fields.'] }],
    load: () => import('./Portfolios.tsx'),
  },
  {
    ...shared,
    name: 'customerFields',
    path: customerFields.screens.list,
    rule: customerFields.allow.change,
    menu: { group: 'people', icon: 'sliders-horizontal', order: 80, more: true },
    settings: [{ key: 'customerFields', group: 'lists', order: 53, finds: ['customerFields.fields.'] }],
    load: () => import('./Fields.tsx'),
  },
  // Of one pass or plan, or of `all`.
  {
    ...shared,
    name: 'packageCustomers',
    path: '/invoice/invoicecustomers/$packageid',
    rule: holdings.allow.see,
    load: () => import('./Holders.tsx'),
  },
  {
    name: 'createCustomer',
    path: '/createcustomer/$key',
    open: 'anyone',
    bare: true,
    feature: 'parties',
    load: () => import('./Register.tsx'),
  },
]
