import type { Screen } from '#kit/describe/screen.ts'
import { registerPart } from '#kit/web/screens/places.ts'

registerPart('fileShare', () => import('./ShareDialog.tsx'))

export const screens: Screen[] = [
  {
    name: 'sharedFile',
    path: '/sharedfile/$key',
    open: 'anyone',
    bare: true,
    feature: 'fileShares',
    load: () => import('./SharedFile.tsx'),
  },
]
