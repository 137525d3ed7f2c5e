import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import { provideViews } from '#kit/web/screens/views.ts'
import '../rules.ts'

provideViews(() => import('./views.ts').then(({ views }) => views), 'companies.shareViews')

const shared = { open: 'login', feature: 'reports' } as const
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

const mine = () => import('./MyReports.tsx')

export const screens: Screen[] = [
  {
    ...shared,
    name: 'myReports',
    users: inBusiness,
    path: '/invoice/reports',
    menu: { group: 'reports', icon: 'star', order: 19 },
    load: mine,
  },
  { ...shared, name: 'myReports', path: '/invoice/Report', load: mine },
  {
    ...shared,
    name: 'allReports',
    path: '/invoice/allreport',
    menu: { group: 'reports', icon: 'chart-column', order: 20 },
    load: () => import('#kit/web/screens/ReportsHub.tsx'),
  },
  {
    ...shared,
    name: 'income',
    path: '/invoice/reportincome',
    rule: 'reports.sales',
    menu: { group: 'reports', icon: 'trending-up', order: 22 },
    load: report('income'),
  },
  {
    ...shared,
    name: 'incomeByAgent',
    path: '/invoice/reportagents',
    rule: 'reports.sales',
    menu: { group: 'reports', icon: 'users', order: 31, more: true },
    load: report('incomeByAgent'),
  },
  {
    ...shared,
    name: 'ageing',
    path: '/invoice/reportgiol',
    rule: 'reports.debts',
    menu: { group: 'reports', icon: 'hourglass', order: 24 },
    load: report('ageing'),
  },
]
