import { HandCoins } from 'lucide-react'
import { statusFacts } from '#domain/documents/facts.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { announce } from '#kit/web/screens/resources.ts'
import type { MenuLink } from '#kit/web/shell/registry.ts'
import { deposits, payments } from '../payments.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'payments' } as const
const list = () => import('./Payments.tsx')
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'payments',
    path: payments.screens.list,
    rule: 'payments.see',
    menu: { group: 'money', icon: 'hand-coins', order: 10 },
    load: list,
  },
  { ...shared, name: 'payments', path: '/invoice/payments/$type', rule: 'payments.see', load: list },
  {
    ...shared,
    name: 'payment',
    path: '/invoice/paymentview/$id',
    rule: 'payments.see',
    load: () => import('./Payment.tsx'),
  },
  {
    ...shared,
    name: 'newDeposit',
    path: deposits.screens.form,
    rule: 'payments.change',
    menu: { group: 'money', icon: 'landmark', order: 20 },
    load: () => import('./NewDeposit.tsx'),
  },
  {
    ...shared,
    name: 'deposits',
    path: deposits.screens.list,
    rule: 'payments.see',
    menu: { group: 'money', icon: 'files', order: 30 },
    load: () => import('./Deposits.tsx'),
  },
  {
    ...shared,
    name: 'deposit',
    path: '/invoice/deposits/$id',
    rule: 'payments.see',
    load: () => import('./Deposit.tsx'),
  },
  {
    ...shared,
    name: 'applyMoney',
    path: '/invoice/applymoney/$moneykey',
    rule: 'documents.see',
    load: () => import('./ApplyMoney.tsx'),
  },
  {
    ...shared,
    name: 'reportPayments',
    path: '/invoice/reportpayments',
    rule: 'payments.see',
    menu: { group: 'reports', icon: 'hand-coins', order: 30 },
    load: report('payments'),
  },
  {
    ...shared,
    name: 'reportChecks',
    path: '/invoice/reportchecks',
    rule: 'payments.see',
    menu: { group: 'reports', icon: 'landmark', order: 40 },
    load: report('checks'),
  },
]

/** Money and credits that wait for a debt: a view of the list of documents. */
export const links: MenuLink[] = [
  {
    name: 'onAccount',
    href: '/invoice/documents?view=onAccount&openAgorot.lte=-1',
    rule: 'documents.see',
    menu: { group: 'money', icon: 'wallet', order: 40 },
  },
]

announce(payments, deposits)
for (const resource of [payments, deposits]) dressLater(resource, () => import('./dress.tsx'))

// Money that closes nothing yet is applied, or refunded.
dressMore('documents', {
  actions: (row, t) =>
    Number(row.openAgorot ?? 0) < 0 && statusFacts(row.status).isIssued
      ? [
          {
            key: 'apply',
            label: t('payments.apply.action'),
            icon: HandCoins,
            href: `/invoice/applymoney/${row.id}`,
          },
        ]
      : [],
})

registerCardTab('customers', {
  key: 'payments',
  word: 'payments.title',
  rule: 'payments.see',
  order: 15,
  load: () => import('./CustomerPayments.tsx'),
})
