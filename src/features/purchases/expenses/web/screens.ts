import { ReceiptText } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { provideMain } from '#kit/web/session/guard.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew, registerSearch } from '#kit/web/shell/registry.ts'
import { expenses, expenseTypes, recurringExpenses } from '../expenses.ts'
import '../rules.ts'

const shared = { open: 'login', feature: 'expenses' } as const
const list = () => import('./Expenses.tsx')
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'expenses',
    path: '/invoice/Expenses',
    rule: 'expenses.see',
    menu: { group: 'purchases', icon: 'receipt-text', order: 10 },
    load: list,
  },
  { ...shared, name: 'expenses', path: '/invoice/Expenses/$type', rule: 'expenses.see', load: list },
  { ...shared, name: 'expense', path: '/invoice/Expenses/$type/$docid', load: () => import('./Expense.tsx') },
  {
    ...shared,
    name: 'expenditure',
    path: '/invoice/expenditure',
    rule: 'expenses.see',
    menu: { group: 'purchases', icon: 'banknote-arrow-up', order: 30 },
    load: report('expenditure'),
  },
  {
    ...shared,
    name: 'recurringExpenses',
    path: recurringExpenses.screens.list,
    rule: recurringExpenses.allow.see,
    menu: { group: 'purchases', icon: 'repeat', order: 34 },
    load: () => import('./Recurring.tsx'),
  },
  {
    ...shared,
    name: 'expenseTypes',
    path: expenseTypes.screens.list,
    rule: expenseTypes.allow.see,
    menu: { group: 'purchases', icon: 'tags', order: 38, more: true },
    settings: [{ key: 'expenseTypes', group: 'lists', order: 40, finds: ['expenseTypes.fields.'] }],
    load: () => import('./Types.tsx'),
  },
  {
    ...shared,
    name: 'reportExpenses',
    path: '/invoice/reportexpenses',
    rule: 'reports.expenses',
    menu: { group: 'reports', icon: 'receipt-text', order: 50 },
    load: report('expenseList'),
  },
  {
    ...shared,
    name: 'reportExpensesTypeMonth',
    path: '/invoice/reportexpensestypemonth',
    rule: 'reports.expenses',
    menu: { group: 'reports', icon: 'table-2', order: 51 },
    load: report('expensesByTypeMonth'),
  },
  {
    ...shared,
    name: 'reportExpensesPayments',
    path: '/invoice/reportexpensespayments',
    rule: 'reports.expenses',
    menu: { group: 'reports', icon: 'scale', order: 52, more: true },
    load: report('expensesPayments'),
  },
  {
    ...shared,
    name: 'reportSupplierBalances',
    path: '/invoice/reportsupplierbalances',
    rule: 'reports.expenses',
    menu: { group: 'reports', icon: 'truck', order: 53, more: true },
    load: report('supplierBalances'),
  },
  // People who may only enter expenses have a separate area, for the phone first.
  {
    ...shared,
    name: 'expensesArea',
    path: '/invoiceexp/Expenses',
    rule: 'expenses.enter',
    menu: { group: 'purchases', icon: 'camera', order: 61, more: true },
    load: () => import('./area/Area.tsx'),
  },
  {
    ...shared,
    name: 'reportExpensesOnly',
    path: '/invoiceexp/ReportExpensesOnly',
    rule: 'expenses.enter',
    load: () => import('./area/AreaReport.tsx'),
  },
]

// Entering expenses (41), with seeing them (40) and whose they are (15), and nothing else: the ready-made set
// of expenses only is such.
const areaRules = [15, 40, 41]
provideMain((rules) =>
  rules.includes(41) && rules.every((rule) => areaRules.includes(rule)) ? '/invoiceexp/Expenses' : undefined,
)

announce(expenses, expenseTypes, recurringExpenses)
for (const resource of [expenses, expenseTypes, recurringExpenses])
  dressLater(resource, () => import('./dress.tsx'))

registerNew({
  key: 'expense',
  word: 'expenses.new',
  icon: ReceiptText,
  href: expenses.screens.form,
  rule: 'expenses.enter',
  order: 30,
})

registerCardTab('suppliers', {
  key: 'expenses',
  word: 'expenses.title',
  rule: 'expenses.see',
  order: 10,
  load: () => import('./SupplierExpenses.tsx'),
})

registerCardTab('projects', {
  key: 'expenses',
  word: 'expenses.title',
  rule: 'expenses.see',
  order: 20,
  load: () => import('./ProjectExpenses.tsx'),
})

registerPart('document:selfBilledInvoice', () => import('./page/DocumentBill.tsx'))

registerSearch(
  'expenses.title',
  (query, signal) => import('./find.ts').then(({ findExpenses }) => findExpenses(query, signal)),
  { rule: 'expenses.see', order: 60 },
)
