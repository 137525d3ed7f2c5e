import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    name: 'budget',
    path: '/invoice/budget',
    open: 'login',
    rule: 'budget.see',
    feature: 'budget',
    menu: { group: 'books', icon: 'target', order: 34, more: true },
    load: () => import('./Budget.tsx'),
  },
  {
    name: 'cashForecast',
    path: '/invoice/cashforecast',
    open: 'login',
    rule: 'forecast.see',
    feature: 'budget',
    menu: { group: 'books', icon: 'trending-up', order: 35, more: true },
    load: () => import('./CashForecast.tsx'),
  },
  {
    name: 'budgetActual',
    path: '/invoice/reportbudget',
    open: 'login',
    rule: 'budget.see',
    feature: 'budget',
    load: report('budgetActual'),
  },
  {
    name: 'cashMovements',
    path: '/invoice/reportcashforecast',
    open: 'login',
    rule: 'forecast.see',
    feature: 'budget',
    load: report('cashMovements'),
  },
]
