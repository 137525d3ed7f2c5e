import { Files } from 'lucide-react'
import type { Screen } from '#kit/describe/screen.ts'
import { registerSearch } from '#kit/web/shell/registry.ts'
import '../rules.ts'

export const screens: Screen[] = [
  {
    name: 'files',
    path: '/invoice/files',
    open: 'login',
    feature: 'files',
    rule: 'files.see',
    menu: { group: 'home', icon: 'folder', order: 40 },
    settings: [{ key: 'files', group: 'lists', order: 40 }],
    load: () => import('./Files.tsx'),
  },
]

registerSearch(
  'screens.files',
  async (query, signal) => {
    const { findFiles } = await import('./find.ts')
    return (await findFiles(query, signal)).map((one) => ({ ...one, icon: Files }))
  },
  { rule: 'files.see', order: 80 },
)
