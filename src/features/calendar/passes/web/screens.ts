import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
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

export const screens: Screen[] = []
