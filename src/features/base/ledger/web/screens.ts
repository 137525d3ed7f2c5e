import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { accounts } from '../accounts.ts'
import { balanceCodes, cardKinds, sortCodes, vatAccounts, vatCodes, vatCodeTerms } from '../codes.ts'
import '../rules.ts'

const codes = [cardKinds, sortCodes, balanceCodes, vatCodes, vatCodeTerms, vatAccounts]
announce(accounts, ...codes)
for (const one of [accounts, ...codes]) dressLater(one, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'ledger' } as const
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))
const codesScreen =
  (file: 'CardKinds' | 'SortCodes' | 'BalanceCodes' | 'VatCodes' | 'VatCodeTerms' | 'VatAccounts') => () =>
    import('./codes.tsx').then((all) => ({ Screen: all[file] }))
const books = (name: string, path: string, icon: string, order: number): Screen => ({
  ...shared,
  name,
  path,
  rule: 'reports.accounting',
  menu: { group: 'books', icon, order },
  load: report(name),
})
const code = (name: string, path: string, icon: string, order: number, load: Screen['load']): Screen => ({
  ...shared,
  name,
  path,
  rule: accounts.allow.see,
  menu: { group: 'books', icon, order, more: true },
  load,
})

export const screens: Screen[] = [
  {
    ...shared,
    name: 'accounts',
    path: accounts.screens.list,
    rule: accounts.allow.see,
    menu: { group: 'books', icon: 'book-open', order: 10 },
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
    menu: { group: 'books', icon: 'scale', order: 22 },
    load: report('trialBalance'),
  },
  books('generalLedger', '/invoice/accountingledger', 'book-text', 50),
  books('balanceSheet', '/invoice/maazan', 'landmark', 70),
  books('profitLoss', '/invoice/reportprofitloss', 'chart-column', 24),
  books('profitYears', '/invoice/reportprofityears', 'chart-column', 90),
  books('totalBalance', '/invoice/reporttotalbalance', 'contact', 95),
  code('cardKinds', cardKinds.screens.list, 'layers', 210, codesScreen('CardKinds')),
  code('sortCodes', sortCodes.screens.list, 'folder-tree', 220, codesScreen('SortCodes')),
  code('balanceCodes', balanceCodes.screens.list, 'signpost', 230, codesScreen('BalanceCodes')),
  code('codes6111', '/invoice/codetype6111', 'list-ordered', 240, () => import('./Codes6111.tsx')),
  code('vatCodes', vatCodes.screens.list, 'percent', 250, codesScreen('VatCodes')),
  {
    ...shared,
    name: 'vatCodeTerms',
    path: vatCodeTerms.screens.list,
    rule: vatCodeTerms.allow.see,
    load: codesScreen('VatCodeTerms'),
  },
  code('vatAccounts', vatAccounts.screens.list, 'hash', 260, codesScreen('VatAccounts')),
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
