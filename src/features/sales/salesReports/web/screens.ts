import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

/** A report's screen is the report itself. */
const report = (name: string, path: string, rule: string, icon: string, order: number): Screen => ({
  name,
  path: `/invoice/${path}`,
  open: 'login',
  rule,
  feature: 'salesReports',
  menu: { group: 'reports', icon, order, more: true },
  load: () =>
    import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) })),
})

export const screens: Screen[] = [
  report('perCustomer', 'reportpercustomer', 'reports.sales', 'users', 23),
  report('profitSales', 'reportprofitsales', 'reports.sales', 'trending-up', 25),
  report('itemsSales', 'reportitemssales', 'reports.sales', 'package', 26),
  report('ordersByState', 'reportorders', 'reports.sales', 'files', 32),
  report('openOrdersByProduct', 'openordersproduct', 'reports.sales', 'package', 33),
  report('openOrdersByCustomer', 'openorderscustomer', 'reports.sales', 'users', 34),
  report('owe', 'reportowe', 'reports.debts', 'hourglass', 35),
  report('oweSummary', 'reportowesummary', 'reports.debts', 'hourglass', 36),
  report('itemsCatalogue', 'reportitems', 'items.see', 'package', 200),
  report('productMovements', 'reportproducts', 'items.see', 'package', 201),
  report('skuCard', 'reportmk', 'items.see', 'package', 202),
]
