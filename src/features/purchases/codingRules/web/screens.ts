import type { Screen } from '#kit/describe/screen.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { codingRules } from '../codingRules.ts'
import '../rules.ts'

announce(codingRules)
dressLater(codingRules, () => import('./dress.tsx'))

export const screens: Screen[] = [
  {
    name: 'codingRules',
    path: codingRules.screens.list,
    open: 'login',
    rule: codingRules.allow.see,
    feature: 'codingRules',
    menu: { group: 'purchases', icon: 'wand', order: 39, more: true },
    settings: [{ key: 'codingRules', group: 'lists', order: 41, finds: ['codingRules.fields.'] }],
    load: () => import('./Rules.tsx'),
  },
]
