import { Truck } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerSearch } from '#kit/web/shell/registry.ts'
import { suppliers } from '../suppliers.ts'
import '../rules.ts'

announce(suppliers)
dressLater(suppliers, () => import('./dress.tsx'))

registerSearch(
  'suppliers.title',
  async (query, signal) => {
    const { findRecords } = await import('#kit/web/screens/findRecords.ts')
    const found = await findRecords(suppliers, query, signal, {
      hints: ['mobile', 'phone', 'taxId', 'email'],
      balance: 'balanceAgorot',
    })
    return found.map((one) => ({ ...one, icon: Truck }))
  },
  { rule: 'suppliers.see', order: 20 },
)

const shared = { open: 'login', feature: 'suppliers' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'suppliers',
    path: suppliers.screens.list,
    rule: suppliers.allow.see,
    menu: { group: 'purchases', icon: 'truck', order: 20 },
    settings: [{ key: 'suppliers', group: 'lists', order: 15, finds: ['suppliers.fields.'] }],
    load: () => import('./Suppliers.tsx'),
  },
  {
    ...shared,
    name: 'suppliers2',
    path: '/invoice/suppliers2',
    rule: suppliers.allow.see,
    menu: { group: 'purchases', icon: 'layout-grid', order: 60, more: true },
    load: () => import('./Suppliers2.tsx'),
  },
  {
    ...shared,
    name: 'supplierForm',
    path: suppliers.screens.form,
    rule: suppliers.allow.change,
    menu: { group: 'purchases', icon: 'plus', order: 70, more: true },
    load: () => import('./SupplierForm.tsx'),
  },
  {
    ...shared,
    name: 'supplierCard',
    path: '/invoice/suppliers/$id',
    rule: suppliers.allow.see,
    load: () => import('./SupplierCard.tsx'),
  },
  // `type` is the tab of the card; 'edit' is the form.
  {
    ...shared,
    name: 'supplierTab',
    path: '/invoice/editsupplier/$userkey/$type',
    rule: suppliers.allow.see,
    load: () => import('./SupplierCard.tsx'),
  },
  {
    ...shared,
    name: 'report1000',
    path: '/invoice/report1000',
    rule: suppliers.allow.see,
    menu: { group: 'tax', icon: 'file-question', order: 70 },
    load: () => import('./Report1000.tsx'),
  },
]
