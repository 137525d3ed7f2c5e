import { typeFacts } from '#domain/documents/facts.ts'
import { documentTypeNames } from '#domain/documents/kinds.ts'
import { vatPeriodAmong } from '#domain/law/frequency.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { call } from '#kit/web/calls/call.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { provideVatPeriods } from '#kit/web/screens/periods.ts'
import { vatPeriodOfBusiness } from '../period.ts'
import '../rules.ts'

// An export may be any of the papers of a sale.
for (const type of documentTypeNames.filter((name) => typeFacts(name).isInvoiceOrCredit))
  registerPart(`document:${type}`, () => import('./Exports.tsx'))

provideVatPeriods(async () => {
  const { rows } = await call(vatPeriodOfBusiness, {})
  return (day) => vatPeriodAmong(rows, day)
})

const feature = 'vat'
const report = (name: string) => () =>
  import('./Return.tsx').then(({ reportOfPeriod }) => ({ Screen: reportOfPeriod(name) }))

export const screens: Screen[] = [
  {
    name: 'vat',
    path: '/invoice/reportvat',
    open: 'login',
    rule: 'reports.tax',
    feature,
    menu: { group: 'tax', icon: 'percent', order: 10 },
    load: () => import('./Answer.tsx'),
  },
  {
    name: 'reportPcn',
    path: '/invoice/reportpcn',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'file-spreadsheet', order: 12 },
    load: () => import('./Pcn.tsx'),
  },
  {
    name: 'reportPcnVat',
    path: '/invoice/reportpcnvat',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'scale', order: 60, more: true },
    load: report('pcnVat'),
  },
  {
    name: 'vatPapers',
    path: '/invoice/reportvatpapers',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'files', order: 61, more: true },
    load: report('vatPapers'),
  },
  {
    name: 'vatChanges',
    path: '/invoice/reportvatchanges',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'git-compare-arrows', order: 63, more: true },
    load: report('vatChanges'),
  },
  {
    name: 'vatGate',
    path: '/invoice/vatgate',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'shield-alert', order: 14 },
    load: () => import('./Gate.tsx'),
  },
  {
    name: 'uninvoiced',
    path: '/invoice/uninvoiced',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'file-plus-2', order: 62, more: true },
    load: () => import('./Uninvoiced.tsx'),
  },
  {
    name: 'vatReportLog',
    path: '/invoice/vatreportlog',
    open: 'login',
    rule: 'vat.see',
    feature,
    menu: { group: 'tax', icon: 'history', order: 64 },
    load: () => import('./Log.tsx'),
  },
]
