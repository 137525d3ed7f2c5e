import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { registerPart } from '#kit/web/screens/places.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { accountants } from '../accountants.ts'
import '../rules.ts'

announce(accountants)
dressLater(accountants, () => import('./dress.tsx'))

registerPart('requests', () => import('./BesideRequests.tsx'))

const shared = { open: 'login', feature: 'accountant' } as const
const card = () => import('./Card.tsx')

export const screens: Screen[] = [
  {
    ...shared,
    name: 'cpaUser',
    path: '/invoice/cpauser',
    rule: 'accountant.see',
    menu: { group: 'team', icon: 'briefcase', order: 60 },
    settings: [{ key: 'cpaUser', group: 'people', order: 40, finds: ['accountants.fields.'] }],
    load: () => import('./Accountants.tsx'),
  },
  {
    ...shared,
    name: 'newCpa',
    path: '/invoice/editcpa',
    rule: 'accountant.change',
    menu: { group: 'team', icon: 'user-plus', order: 70, more: true },
    load: card,
  },
  // `type` is the tab of the card.
  { ...shared, name: 'editCpa', path: '/invoice/editcpa/$userkey/$type', rule: 'accountant.see', load: card },
]
