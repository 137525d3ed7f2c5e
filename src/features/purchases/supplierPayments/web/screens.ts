import { BanknoteArrowUp } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardAct } from '#kit/web/screens/cardActs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { supplierPayments } from '../supplierPayments.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'supplierPayments' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'supplierPayments',
    path: supplierPayments.screens.list,
    rule: 'supplierPayments.see',
    menu: { group: 'purchases', icon: 'banknote-arrow-up', order: 31 },
    load: () => import('./SupplierPayments.tsx'),
  },
  {
    ...shared,
    name: 'supplierDue',
    path: '/invoice/supplierdue',
    rule: 'supplierPayments.see',
    menu: { group: 'purchases', icon: 'calendar-check', order: 32 },
    load: () => import('./Due.tsx'),
  },
  {
    ...shared,
    name: 'paySupplier',
    path: '/invoice/supplierpayments/$sapak',
    rule: 'supplierPayments.see',
    load: () => import('./PaySupplier.tsx'),
  },
  {
    ...shared,
    name: 'supplierPayment',
    path: '/invoice/supplierpayment/$id',
    rule: 'supplierPayments.see',
    load: () => import('./SupplierPayment.tsx'),
  },
  {
    ...shared,
    name: 'reportProviderPayment',
    path: '/invoice/reportproviderpayment',
    rule: 'supplierPayments.see',
    menu: { group: 'reports', icon: 'banknote-arrow-up', order: 54 },
    load: () =>
      import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({
        Screen: reportScreen('providerPayment'),
      })),
  },
]

announce(supplierPayments)
dressLater(supplierPayments, () => import('./dress.tsx'))

registerCardAct('suppliers', {
  key: 'pay',
  word: 'screens.paySupplier',
  icon: BanknoteArrowUp,
  rule: 'supplierPayments.change',
  order: 10,
  when: (row) => Number(row.balanceAgorot ?? 0) > 0,
  href: (row) => `/invoice/supplierpayments/${row.id}`,
})
