import { FileUp } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerCardTab } from '#kit/web/screens/cardTabs.ts'
import { dressLater } from '#kit/web/screens/dress.ts'
import { announce } from '#kit/web/screens/resources.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import { outsideDocuments } from '../outsideDocuments.ts'
import '../rules.ts'

announce(outsideDocuments)
dressLater(outsideDocuments, () => import('./dress.tsx'))

const shared = { open: 'login', feature: 'outside', rule: outsideDocuments.allow.see } as const

export const screens: Screen[] = [
  {
    ...shared,
    name: 'outsideDocuments',
    path: outsideDocuments.screens.list,
    menu: { group: 'sales', icon: 'file-up', order: 155, more: true },
    load: () => import('./List.tsx'),
  },
  {
    ...shared,
    name: 'outsideDocument',
    path: '/invoice/documentoutside/$key',
    load: () => import('./Page.tsx'),
  },
  {
    name: 'outsidePage',
    path: '/outsidedoc/$key',
    open: 'anyone',
    bare: true,
    feature: 'outside',
    load: () => import('./PublicPage.tsx'),
  },
]

registerNew({
  key: 'outsideDocument',
  word: 'outsideDocuments.new',
  icon: FileUp,
  href: `${outsideDocuments.screens.list}?upload=1`,
  rule: outsideDocuments.allow.change,
  order: 135,
})

registerCardTab('customers', {
  key: 'outside',
  word: 'outsideDocuments.short',
  rule: outsideDocuments.allow.see,
  order: 75,
  load: () => import('./CustomerOutside.tsx'),
})
