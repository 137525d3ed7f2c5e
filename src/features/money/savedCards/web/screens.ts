import { CreditCard } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater, dressMore } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import '../rules.ts'
import { savedCards } from '../savedCards.ts'

const shared = { open: 'login', feature: 'savedCards', rule: 'savedCards.see' } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'saveCards',
    path: savedCards.screens.list,
    menu: { group: 'money', icon: 'credit-card', order: 58, more: true },
    load: () => import('./Cards.tsx'),
  },
  {
    ...shared,
    name: 'customerSaveCards',
    path: '/invoice/savecards/$customerid',
    load: () => import('./CustomerCards.tsx'),
  },
  {
    name: 'saveCard',
    path: '/savecard/$key',
    open: 'anyone',
    bare: true,
    feature: 'savedCards',
    load: () => import('./SaveCard.tsx'),
  },
]

announce(savedCards)
dressLater(savedCards, () => import('./dress.tsx'))

registerCardTab('customers', {
  key: 'cards',
  word: 'savedCards.tab',
  rule: 'savedCards.see',
  order: 60,
  load: () => import('./Tab.tsx'),
})

dressMore('customers', {
  actions: (row, t) =>
    mayDo(session(), 'savedCards.change') && !row.archivedAt
      ? [
          {
            key: 'askCard',
            label: t('savedCards.ask'),
            icon: CreditCard,
            onPress: () => void import('./open.tsx').then(({ openAsk }) => openAsk(row.id)),
          },
        ]
      : [],
})
