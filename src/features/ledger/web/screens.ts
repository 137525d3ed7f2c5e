import type { Screen } from '../../../kit/describe/screen.ts'
import { dressLater } from '../../../kit/web/screens/dress.ts'
import { announce } from '../../../kit/web/screens/resources.ts'
import { accounts } from '../accounts.ts'
import '../rules.ts'

announce(accounts)
dressLater(accounts, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'ledger' } as const
const report = (name: string) => () =>
  import('../../../kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'accounts',
    path: accounts.screens.list,
    rule: accounts.allow.see,
    menu: { group: 'bookkeeping', icon: 'book-open', order: 10 },
    settings: [{ key: 'accounts', group: 'lists', order: 30 }],
    load: () => import('./Accounts.tsx'),
  },
  {
    ...shared,
    name: 'accountCard',
    path: '/invoice/cardskarteset/$cardid',
    rule: accounts.allow.see,
    load: () => import('./AccountCard.tsx'),
  },
  {
    ...shared,
    name: 'trialBalance',
    path: '/invoice/maazanbohan',
    rule: 'reports.accounting',
    menu: { group: 'bookkeeping', icon: 'scale', order: 60 },
    load: report('trialBalance'),
  },
  {
    ...shared,
    name: 'customerCardReport',
    path: '/invoice/reportcustomercard',
    rule: 'reports.accounting',
    menu: { group: 'reports', icon: 'contact', order: 120, more: true },
    load: report('customerCard'),
  },
  {
    ...shared,
    name: 'providerCardReport',
    path: '/invoice/reportprovidercard',
    rule: 'reports.accounting',
    menu: { group: 'reports', icon: 'contact', order: 130, more: true },
    load: report('providerCard'),
  },
  {
    ...shared,
    name: 'accountCardReport',
    path: '/invoice/reportmanualcard',
    rule: 'reports.accounting',
    menu: { group: 'reports', icon: 'book-text', order: 140, more: true },
    load: report('accountCard'),
  },
]
