import type { Screen } from '#kit/describe/screen.ts'
import { askAhead } from '#kit/web/calls/call.ts'
import { session } from '#kit/web/session/session.ts'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { homePage } from '../endpoints.ts'
import { allScreensPath } from '#kit/web/shell/menu.ts'

/** Asks for the figures before there is a page to show them: they are what it waits for. */
async function ahead(): Promise<void> {
  // An affiliate's page asks for other things.
  if (session()?.TypeID === 2) return
  await Promise.all([askAhead(getCompany, {}), askAhead(homePage, {})])
}

export const screens: Screen[] = [
  {
    name: 'home',
    path: '/invoice/main',
    open: 'login',
    feature: 'home',
    menu: { group: 'home', icon: 'house', order: 10 },
    load: () => import('./Home.tsx'),
    ahead,
  },
  {
    name: 'allScreens',
    path: allScreensPath,
    open: 'login',
    feature: 'home',
    load: () => import('./AllScreens.tsx'),
  },
]
