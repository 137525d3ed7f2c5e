import type { Screen } from '../../../kit/describe/screen.ts'
import { call } from '../../../kit/web/call.ts'
import { provideVatMonths } from '../../../kit/web/screens/periods.ts'
import { vatPeriodOfBusiness } from '../period.ts'
import '../rules.ts'

provideVatMonths(async () => (await call(vatPeriodOfBusiness, {})).vatPeriodMonths)

export const screens: Screen[] = [
  {
    name: 'vat',
    path: '/invoice/reportvat',
    open: 'login',
    rule: 'reports.tax',
    feature: 'vat',
    menu: { group: 'tax', icon: 'percent', order: 10 },
    load: () => import('../../../kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen('vat') })),
  },
]
