import { FileUp } from 'lucide-react'
import { inBusiness, type Screen } from '#kit/describe/screen.ts'
import { offerOnLists } from '#kit/web/screens/listTools.ts'
import { registerNew } from '#kit/web/shell/registry.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'tools',
    users: inBusiness,
    path: '/invoice/tools',
    open: 'login',
    feature: 'imports',
    menu: { group: 'settings', icon: 'wrench', order: 75 },
    settings: [{ key: 'tools', group: 'trace', order: 30, finds: ['jobs.title'] }],
    load: () => import('./Tools.tsx'),
  },
  {
    name: 'importFile',
    path: '/invoice/tools/import/$resource',
    open: 'login',
    rule: 'imports.run',
    feature: 'imports',
    load: () => import('./Import.tsx'),
  },
]

offerOnLists({
  key: 'import',
  word: 'imports.offer',
  icon: FileUp,
  rule: 'imports.run',
  href: ({ name }) => `/invoice/tools/import/${name}`,
})
registerNew({
  key: 'import',
  word: 'imports.offerAll',
  icon: FileUp,
  href: '/invoice/tools',
  rule: 'imports.run',
  order: 900,
})
