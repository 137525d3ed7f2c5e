import type { Screen } from '#kit/describe/screen.ts'
import '../rules.ts'

// Translators of the installation open it by its address; a business has no line for it in its menu.
export const screens: Screen[] = [
  {
    name: 'translate',
    path: '/translate',
    open: 'anyone',
    inside: true,
    feature: 'translations',
    load: () => import('./Translate.tsx'),
  },
]
