import { CalendarClock } from 'lucide-react'
import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import { provideReportAction } from '#kit/web/screens/reportActions.ts'
import '../rules.ts'

provideReportAction({
  key: 'plan',
  word: 'reportPlans.plan',
  icon: CalendarClock,
  rule: 'reportPlans.change',
  load: () => import('./PlanDialog.tsx').then(({ PlanAction }) => PlanAction),
})

const feature = 'reportPlans'

export const screens: Screen[] = [
  {
    name: 'reportPlans',
    path: '/invoice/reportplans',
    open: 'login',
    users: inBusiness,
    feature,
    menu: { group: 'reports', icon: 'calendar-clock', order: 24, more: true },
    load: () => import('./Plans.tsx'),
  },
  {
    name: 'reportStop',
    path: '/reportstop/$key',
    open: 'anyone',
    bare: true,
    feature,
    load: () => import('./StopPage.tsx'),
  },
]
