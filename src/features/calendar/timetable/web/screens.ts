import { CalendarPlus } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import { provideMain } from '#kit/web/session/guard.ts'
import { classGroups, classKinds, classPlaces, classTrainers } from '../timetable.ts'
import '../rules.ts'

const resources = [classPlaces, classKinds, classTrainers, classGroups]
announce(...resources)
for (const resource of resources) dressLater(resource, () => import('./dress.tsx'))
registerNew({
  key: 'class',
  word: 'timetable.new',
  icon: CalendarPlus,
  href: '/invoice/calander?new=1',
  rule: 'calendar.change',
  order: 80,
})
// People who have nothing but the desk begin there, people who have nothing but their own classes with them.
provideMain((rules) =>
  rules.includes(304) && !rules.includes(301)
    ? '/classworker/mainlobby'
    : rules.includes(303) && !rules.includes(300)
      ? '/classtreiner/mainclass'
      : undefined,
)

const shared = { open: 'login', feature: 'timetable', rule: 'calendar.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'calendar',
    path: '/invoice/calander',
    menu: { group: 'calendar', icon: 'calendar-days', order: 10 },
    load: () => import('./Calendar.tsx'),
  },
  {
    ...shared,
    name: 'classPlaces',
    path: '/invoice/calanderlocations',
    menu: { group: 'calendar', icon: 'map-pin', order: 60 },
    load: () => import('./Places.tsx'),
  },
]
