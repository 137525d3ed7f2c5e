import type { Screen } from '#kit/describe/screen.ts'
import {
  furtherGuide,
  furtherReference,
  guidePath,
  guides,
  guideScreen,
  referencePath,
  referenceScreen,
} from './guides.ts'

const guide = { open: 'login', feature: 'docs', load: () => import('./Guide.tsx') } as const

export const screens: Screen[] = [
  {
    name: 'apiDoc',
    path: '/api/doc',
    open: 'anyone',
    // In the menu of who may hold keys; the page itself is everybody's.
    rule: 'apiKeys',
    bare: true,
    feature: 'docs',
    menu: { group: 'settings', icon: 'braces', order: 72, more: true },
    load: () => import('./ApiDoc.tsx'),
  },
  ...guides.flatMap((name): Screen[] => [
    { ...guide, name: guideScreen(name), path: guidePath(name) },
    { ...guide, name: referenceScreen(name), path: referencePath(name) },
  ]),
  { ...guide, name: furtherGuide.screen, path: furtherGuide.path },
  { ...guide, name: furtherReference.screen, path: furtherReference.path },
]
