import { Share2 } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { provideReportAction } from '#kit/web/screens/reportActions.ts'
import '../rules.ts'

provideReportAction({
  key: 'share',
  word: 'reportShares.share',
  icon: Share2,
  rule: 'reportShares.give',
  load: () => import('./ShareDialog.tsx').then(({ ShareDialog }) => ShareDialog),
})

const feature = 'reportShares'

export const screens: Screen[] = [
  {
    name: 'reportShares',
    path: '/invoice/reportshares',
    open: 'login',
    rule: 'reportShares.give',
    feature,
    menu: { group: 'reports', icon: 'share-2', order: 25, more: true },
    load: () => import('./Shares.tsx'),
  },
  {
    name: 'sharedReport',
    path: '/protectreport/$key',
    open: 'anyone',
    bare: true,
    feature,
    load: () => import('./SharedPage.tsx'),
  },
]
