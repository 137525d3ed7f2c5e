import { loginPath, mainPath } from '../session/guard.ts'
import { lastType, session } from '../session/session.ts'
import { inNativeShell } from '../start.ts'

/** An address without content that leads on, with its query. */
export interface Jump {
  path: string
  /** Where it leads now. */
  to: () => string
  /** What it says there besides. */
  query?: Record<string, string>
  /** Where it can lead, for the printed list of screens. */
  leadsTo: readonly string[]
  /** Exists only where the screen it leads to does. */
  needs?: string
}

const home = () => {
  const held = session()
  return held ? mainPath(held) : loginPath(lastType())
}

export const jumps: readonly Jump[] = [
  { path: '/', to: () => (inNativeShell() ? '/splash' : '/login'), leadsTo: ['/login', '/splash'] },
  { path: '/signupmadbir', to: () => '/signupinvoice', query: { area: 'pest' }, leadsTo: ['/signupinvoice'] },
  // The application shows its waiting page until the words are there; by the time a route is read, it is over.
  { path: '/loading', to: home, leadsTo: ['the main page', 'the log-in page'] },
  {
    path: '/onlinemarket',
    to: () => '/invoice/onlinemarket',
    leadsTo: ['/invoice/onlinemarket'],
    needs: '/invoice/onlinemarket',
  },
]

/** Those that stand over the screens there are. */
export const jumpsOver = (paths: readonly string[]): Jump[] => {
  const known = new Set(paths.map((path) => path.toLowerCase()))
  return jumps.filter(({ needs }) => needs === undefined || known.has(needs))
}
