import { RefreshCw, Users } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { go } from '#kit/web/routes/place.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { passKinds } from '../passes.ts'
import '../rules.ts'

announce(passKinds)
dressLater(passKinds, () => import('./dress.tsx'))
registerCardTab('customers', {
  key: 'passes',
  word: 'passes.title',
  rule: 'passes.see',
  order: 70,
  load: () => import('./CustomerPasses.tsx'),
})

dressMore('passKinds', {
  actions: (row, t) =>
    mayDo(session(), 'passes.see') && mayDo(session(), 'customers.see')
      ? [
          {
            key: 'holders',
            label: t('passes.holders'),
            icon: Users,
            onPress: () => go(`/invoice/invoicecustomers/${row.id}`),
          },
        ]
      : [],
})
dressMore('holdings', {
  actions: (row, t) =>
    row.kind === 'pass' && row.renewal === 'anew' && mayDo(session(), 'passes.change')
      ? [
          {
            key: 'renew',
            label: t('holdings.renew'),
            icon: RefreshCw,
            onPress: () => void import('./openRenewal.tsx').then(({ openRenewal }) => openRenewal(t, row.id)),
          },
        ]
      : [],
})

export const screens: Screen[] = []
