import type { Screen } from '#kit/describe/screen.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { messages } from '../messages.ts'

announce(messages)

export const screens: Screen[] = [
  {
    name: 'messages',
    path: messages.screens.list,
    open: 'login',
    rule: messages.allow.see,
    feature: 'messages',
    menu: { group: 'sales', icon: 'mail', order: 200, more: true },
    settings: [{ key: 'messages', group: 'trace', order: 20 }],
    load: () => import('./Messages.tsx'),
  },
]
