import './kit/web/theme/app.css'
import type { Screen } from './kit/describe/screen.ts'
import { startApp } from './kit/web/App.tsx'
import type { MenuLink } from './kit/web/shell/registry.ts'
import { account } from './features/session/web/index.tsx'

/** What a feature gives the browser at the start: its screens, and lines of the menu that are no screens of their own. */
interface WebFeature {
  screens: Screen[]
  links?: MenuLink[]
}

// Records only: the code of a screen comes when it is opened.
const features = Object.values(import.meta.glob<WebFeature>('./features/*/web/screens.ts', { eager: true }))

startApp({
  screens: features.flatMap(({ screens }) => screens),
  links: features.flatMap(({ links = [] }) => links),
  account,
  at: document.getElementById('app')!,
})
