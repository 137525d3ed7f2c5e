import { PhoneCall } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import { interactions } from '../contacts.ts'
import '../rules.ts'

announce(interactions)
dressLater(interactions, () => import('./dress.tsx'))
registerCardTab('customers', {
  key: 'timeline',
  word: 'interactions.timeline',
  rule: interactions.allow.see,
  order: 10,
  load: () => import('./CustomerTimeline.tsx'),
})
registerNew({
  key: 'contact',
  word: 'interactions.new',
  icon: PhoneCall,
  href: '/invoice/interactions?new=1',
  rule: interactions.allow.change,
  order: 70,
})

const shared = { open: 'login', feature: 'contacts', rule: interactions.allow.see } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'interactions',
    path: interactions.screens.list,
    menu: { group: 'home', icon: 'messages-square', order: 50 },
    load: () => import('./Interactions.tsx'),
  },
  {
    ...shared,
    name: 'interactionArchive',
    path: '/invoice/interactionarchive',
    menu: { group: 'home', icon: 'archive', order: 60, more: true },
    load: () => import('./Archive.tsx'),
  },
]
