import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    name: 'openFormat',
    path: '/invoice/reportexporttypes',
    open: 'login',
    rule: 'uniform.export',
    feature: 'uniform',
    // The Instructions want it under this name, at most one step from the main menu.
    menu: { group: 'tax', icon: 'file-text', order: 60 },
    load: () => import('./Exports.tsx'),
  },
  {
    name: 'uniformBalances',
    path: '/invoice/reportuniformbalances',
    open: 'login',
    rule: 'uniform.export',
    feature: 'uniform',
    load: report('uniformBalances'),
  },
  {
    name: 'uniformDocuments',
    path: '/invoice/reportuniformdocuments',
    open: 'login',
    rule: 'uniform.export',
    feature: 'uniform',
    load: report('uniformDocuments'),
  },
  {
    name: 'uniformImport',
    path: '/invoice/tools/uniform',
    open: 'login',
    rule: 'uniform.import',
    feature: 'uniform',
    menu: { group: 'settings', icon: 'file-text', order: 76, more: true },
    load: () => import('./Import.tsx'),
  },
]
