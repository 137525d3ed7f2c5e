import { RefreshCw, Repeat } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { go } from '#kit/web/routes/place.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import '../rules.ts'
import { standingOrders } from '../standingOrders.ts'

announce(standingOrders)
dressLater(standingOrders, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'standingOrders', rule: standingOrders.allow.see } as const

/** A report's screen is the report itself. */
const report = (name: string, path: string, icon: string, order: number): Screen => ({
  name,
  path: `/invoice/${path}`,
  open: 'login',
  rule: 'reports.standingOrders',
  feature: 'standingOrders',
  menu: { group: 'reports', icon, order, more: true },
  load: () =>
    import('#kit/web/screens/ReportScreen.tsx').then(({ reportScreen }) => ({ Screen: reportScreen(name) })),
})

export const screens: Screen[] = [
  {
    ...shared,
    name: 'retainers',
    path: standingOrders.screens.list,
    menu: { group: 'money', icon: 'repeat', order: 12 },
    load: () => import('./Orders.tsx').then(({ All }) => ({ Screen: All })),
  },
  {
    ...shared,
    name: 'retainersWaiting',
    path: '/invoice/retainerswaiting',
    menu: { group: 'money', icon: 'hourglass', order: 13, more: true },
    load: () => import('./Orders.tsx').then(({ Waiting }) => ({ Screen: Waiting })),
  },
  {
    ...shared,
    name: 'retainersFailed',
    path: '/invoice/retainersfailed',
    menu: { group: 'money', icon: 'circle-alert', order: 14, more: true },
    load: () => import('./Failed.tsx'),
  },
  {
    ...shared,
    name: 'retainersCompleted',
    path: '/invoice/retainerscompleted',
    menu: { group: 'money', icon: 'circle-check', order: 16, more: true },
    load: () => import('./Orders.tsx').then(({ Completed }) => ({ Screen: Completed })),
  },
  {
    ...shared,
    name: 'retainerNew',
    path: standingOrders.screens.form,
    rule: 'standingOrders.change',
    load: () => import('./Editor.tsx'),
  },
  { ...shared, name: 'retainer', path: standingOrders.screens.card!, load: () => import('./Order.tsx') },
  {
    ...shared,
    name: 'retainerEdit',
    path: '/invoice/retainers/$id/edit',
    rule: 'standingOrders.change',
    load: () => import('./Editor.tsx'),
  },
  {
    ...shared,
    name: 'retainerSettings',
    path: '/invoice/retainersettings',
    settings: [
      {
        key: 'standingOrders',
        group: 'business',
        order: 75,
        finds: ['standingOrders.settings.campaigns', 'standingOrders.settings.indices'],
      },
    ],
    load: () => import('./Settings.tsx'),
  },
  {
    name: 'retainerPage',
    path: '/retainer/$key',
    open: 'anyone',
    bare: true,
    feature: 'standingOrders',
    load: () => import('./Page.tsx'),
  },
  report('revenueRetainer', 'reportrevenueretainer', 'trending-up', 162),
  report('subscriptions', 'reportsubscription', 'repeat', 163),
]

registerCardTab('customers', {
  key: 'standingOrders',
  word: 'standingOrders.many',
  rule: standingOrders.allow.see,
  order: 35,
  load: () => import('./CustomerOrders.tsx'),
})

dressMore('customers', {
  actions: (row, t) =>
    mayDo(session(), standingOrders.allow.change) && !row.archivedAt
      ? [
          {
            key: 'standingOrder',
            label: t('standingOrders.new'),
            icon: Repeat,
            onPress: () => go(`${standingOrders.screens.form}?customer=${row.id}`),
          },
        ]
      : [],
})

// A plan with an end goes on by a later one; what is over, or ends as its customer wished, begins again.
dressMore('holdings', {
  actions: (row, t) =>
    row.kind === 'plan' &&
    (row.renewal === 'prolong' || row.renewal === 'anew') &&
    mayDo(session(), standingOrders.allow.change)
      ? [
          {
            key: 'renew',
            label: t('holdings.renew'),
            icon: RefreshCw,
            onPress: () =>
              go(
                row.renewal === 'prolong'
                  ? `/invoice/retainers/${row.id}/edit`
                  : `${standingOrders.screens.form}?from=${row.id}`,
              ),
          },
        ]
      : [],
})
