import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { withholdingCodes } from '../withholdingCodes.ts'
import '../rules.ts'

announce(withholdingCodes)
dressLater(withholdingCodes, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'filings', rule: 'filings.see' } as const
const report = (name: string) => () =>
  import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) }))

export const screens: Screen[] = [
  {
    ...shared,
    name: 'codeMasMakor',
    path: withholdingCodes.screens.list,
    menu: { group: 'tax', icon: 'tags', order: 78, more: true },
    load: () => import('./Codes.tsx'),
  },
  {
    ...shared,
    name: 'reportMakor',
    path: '/invoice/reportmakor',
    menu: { group: 'tax', icon: 'hand-coins', order: 60 },
    load: () => import('./Makor.tsx'),
  },
  {
    ...shared,
    name: 'reportMakorReceipts',
    path: '/invoice/reportmakorreceipts',
    menu: { group: 'tax', icon: 'receipt-text', order: 62, more: true },
    load: report('withheldReceipts'),
  },
  {
    ...shared,
    name: 'reportAdvance',
    path: '/invoice/reportadvance',
    menu: { group: 'tax', icon: 'calendar-clock', order: 50 },
    load: report('advances'),
  },
  {
    ...shared,
    name: 'report102',
    path: '/invoice/report102',
    menu: { group: 'tax', icon: 'calendar-days', order: 72 },
    load: report('form102'),
  },
  {
    ...shared,
    name: 'reportFilingDifferences',
    path: '/invoice/reportfilingdifferences',
    menu: { group: 'tax', icon: 'scale', order: 73, more: true },
    load: report('filingDifferences'),
  },
  {
    ...shared,
    name: 'filingPapers',
    path: '/invoice/reportfilingpapers',
    menu: { group: 'tax', icon: 'files', order: 74, more: true },
    load: report('filingPapers'),
  },
  {
    ...shared,
    name: 'filedChanges',
    path: '/invoice/reportfiledchanges',
    menu: { group: 'tax', icon: 'git-compare-arrows', order: 74, more: true },
    load: report('filedChanges'),
  },
  {
    ...shared,
    name: 'report856',
    path: '/invoice/report856',
    menu: { group: 'tax', icon: 'file-text', order: 74 },
    load: () => import('./Form856.tsx'),
  },
  {
    ...shared,
    name: 'smallBusiness',
    path: '/invoice/smallbusiness',
    menu: { group: 'tax', icon: 'sprout', order: 76, more: true },
    load: () => import('./SmallBusiness.tsx'),
  },
  {
    ...shared,
    name: 'report6111',
    path: '/invoice/report6111',
    menu: { group: 'tax', icon: 'file-spreadsheet', order: 80 },
    load: () => import('./Form6111.tsx'),
  },
]
