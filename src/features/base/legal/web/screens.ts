import type { Screen } from '#kit/describe/screen.ts'

const page = (name: string, path: string, load: Screen['load']): Screen => ({
  name,
  path,
  open: 'anyone',
  feature: 'legal',
  load,
})

export const screens: Screen[] = [
  page('terms', '/termsinvoice', () => import('./Terms.tsx')),
  page('termsOld', '/termsold', () => import('./TermsOld.tsx')),
  page('privacy', '/privacy', () => import('./Privacy.tsx')),
  page('accessibility', '/nagish', () => import('./Accessibility.tsx')),
]
