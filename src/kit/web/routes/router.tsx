import { createRootRoute, createRoute, createRouter, redirect, type AnyRoute } from '@tanstack/react-router'
import {
  createElement,
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
  type ComponentType,
} from 'react'
import { areaOf } from '#kit/describe/area.ts'
import { lackOf, placeOf } from '#kit/describe/places.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { screenOf } from './screenNow.ts'
import { guard, mainPath, setScreens } from '../session/guard.ts'
import { jumpsOver, type Jump } from './jumps.ts'
import { isFading, isLaidOver } from '../parts/laidOver.ts'
import { go, readQuery, setGo, wanted, writeQuery, type Query } from './place.ts'
import { lastType, mayDo, paidModules, session, useModules, useSession } from '../session/session.ts'
import { NetworkNotice, NotFound, ScreenFailed } from '../shell/Notices.tsx'
import { Frame, loadFrame } from '../shell/Frame.tsx'
import { banner } from '../shell/banner.ts'
import { store } from '../session/storage.ts'
import { useWords } from '../words/words.tsx'
import { useBrand } from '../words/wording.ts'
import { fetchPart, isLoadFailure } from '../calls/fetchPart.ts'

const Shut = lazy(() => fetchPart(() => import('../shell/Shut.tsx')).then(({ Shut }) => ({ default: Shut })))

/** Screens of the router itself; features add theirs. */
const loadedScreens = new Map<string, ComponentType>()

/** Fetches the code of a screen ahead: on hover, on focus. */
export function preload(screen: Screen): void {
  void loadScreen(screen).catch(() => undefined)
}

async function loadScreen(screen: Screen): Promise<void> {
  if (loadedScreens.has(screen.path)) return
  const module = await fetchPart(() => screen.load(), 'told')
  loadedScreens.set(screen.path, module.Screen as ComponentType)
}

/**
 * The screen an address leads to, before there is a router: letters of any size, a trailing slash or none.
 */
export function screenAt(screens: readonly Screen[], path: string): Screen | undefined {
  const given = path.toLowerCase().split('/').filter(Boolean)
  return screens.find(({ path: pattern }) => {
    const parts = pattern.toLowerCase().split('/').filter(Boolean)
    return (
      parts.length === given.length && parts.every((part, i) => part.startsWith('$') || part === given[i])
    )
  })
}

/**
 * Loads what the address will show while the words are still on their way: the code of its screen and of its frame.
 * A logged-in person on a log-in page or none is going to the main page. A failure is retried by the code that shows
 * it.
 */
export async function fetchAddress(screens: readonly Screen[], path: string): Promise<void> {
  const held = session()
  const asked = screenAt(screens, path)
  const screen = held && (!asked || asked.open === 'guest') ? screenAt(screens, mainPath(held)) : asked
  if (!screen || (screen.open === 'login' && !held)) return
  await Promise.allSettled([loadScreen(screen), screen.ahead?.(), loadFrame(screen)])
}

const keepQuery = (to: string, query: Query) => redirect({ href: to + writeQuery(query), replace: true })

/** Where the router knows only the ways in: what is beyond them. */
let beyondNow: ((href: string, options?: { replace?: boolean }) => void) | undefined

/**
 * What was shown last, by this router or by the one over the ways in before it: to somebody who logs in they
 * are one.
 */
let shownPath: string | undefined

/**
 * Makes the router over every screen of the application, or over a few of them and a way to what is beyond.
 */
export function makeRouter(screens: readonly Screen[], beyond?: typeof beyondNow) {
  beyondNow = beyond
  setScreens(screens)
  const root = createRootRoute({
    component: Frame,
    notFoundComponent: NotFoundPage,
    errorComponent: ScreenFailed,
  })

  const screenRoute = (screen: Screen): AnyRoute =>
    createRoute({
      getParentRoute: () => root,
      path: screen.path,
      staticData: { screen },
      component: () => <ScreenView screen={screen} />,
      errorComponent: ScreenFailed,
      beforeLoad: async ({ location, preload: ahead }) => {
        const verdict = guard({
          screen,
          session: session(),
          can: mayDo,
          modules: paidModules(),
          lastType: lastType(),
        })
        if (verdict.kind === 'go' && verdict.first) throw redirect({ to: verdict.to, replace: true })
        if (verdict.kind === 'go') {
          if (screen.open === 'login' && !ahead) wanted.href = location.href
          // A person who logged in before all screens were here goes to the requested page.
          if (session() && wanted.href) throw redirect({ href: wanted.href, replace: true })
          throw keepQuery(verdict.to, readQuery(location.searchStr))
        }
        if (verdict.kind === 'shut') return
        try {
          await Promise.all([loadScreen(screen), loadFrame(screen)])
        } catch (e) {
          if (!isLoadFailure(e)) throw e
          const here = router.state.resolvedLocation
          if (!here || here.href === location.href) throw e
          // The page stays, with the way to try again.
          banner.error(<NetworkNotice retry={location.href} />)
          throw redirect({ href: here.href, replace: true })
        }
      },
    })

  const jump = ({ path, to, query }: Jump): AnyRoute =>
    createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: ({ location }) => {
        throw keepQuery(to(), { ...readQuery(location.searchStr), ...query })
      },
    })

  const routes = [...jumpsOver(screens.map(({ path }) => path)).map(jump), ...screens.map(screenRoute)]

  const router = createRouter({
    routeTree: root.addChildren(routes),
    caseSensitive: false,
    parseSearch: readQuery,
    stringifySearch: writeQuery,
    scrollRestoration: true,
    defaultPendingMs: 300,
    defaultPreload: false,
  })

  // Which row or link each place was left by, and whether somebody comes back to it now.
  const leftBy = new Map<string, Left>()
  let comesBack = false
  router.history.subscribe(({ action }) => {
    comesBack = action.type === 'BACK' || action.type === 'GO'
  })
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    const by = hrefAtFocus()
    if (fromLocation && by !== undefined) leftBy.set(fromLocation.href, by)
  })

  setGo((href, options) => {
    if (beyond && !screenAt(screens, href.split(/[?#]/)[0]!)) beyond(href, options)
    else void router.navigate({ href, ...(options?.replace ? { replace: true } : {}) })
  })
  router.subscribe('onResolved', ({ fromLocation, toLocation, pathChanged }) => {
    // The guard's bookkeeping (specification, section 4).
    const before = fromLocation?.pathname ?? shownPath
    const isElsewhere = before !== undefined && (fromLocation ? pathChanged : before !== toLocation.pathname)
    shownPath = toLocation.pathname
    if (isElsewhere) store.set('prevRoute', before)
    store.set('routeVal', toLocation.pathname)
    const screen = screenOf(router.state.matches)
    document.documentElement.dataset.route = screen?.name ?? 'notFound'
    document.documentElement.dataset.place = toLocation.pathname
    if (pathChanged) banner.newPage()
    const by = comesBack ? leftBy.get(toLocation.href) : undefined
    if (by !== undefined) focusAgain(by, pathChanged ? null : document.activeElement)
    else if (isElsewhere) focusContent()
  })
  return router
}

export type Router = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: Screen
  }
}

/**
 * A new page is read from its beginning, unless it has put the cursor somewhere itself. After a log-in its
 * frame comes first, a moment later.
 */
function focusContent(until = performance.now() + 5000): void {
  requestAnimationFrame(() => {
    const active = document.activeElement
    const content = document.getElementById('content')
    // The menu that led here gives the cursor back to its button when it has faded away.
    if ((!content || isFading()) && performance.now() < until) focusContent(until)
    else if (content && (!active || active === document.body || !content.contains(active)) && !isLaidOver())
      content.focus({ preventScroll: true })
  })
}

/** Where a row or link leads, and which it is of those that lead there. */
interface Left {
  href: string
  nth: number
}

const linksTo = (href: string) => [
  ...document.querySelectorAll<HTMLElement>(`#content a[href="${CSS.escape(href)}"]`),
]

/** Where the row or link that has the cursor leads. */
function hrefAtFocus(): Left | undefined {
  const active = document.activeElement
  if (!active || !document.getElementById('content')?.contains(active)) return undefined
  const link =
    active.closest<HTMLElement>('a[href]') ?? active.closest('tr')?.querySelector<HTMLElement>('a[href]')
  const href = link?.getAttribute('href')
  return link && href ? { href, nth: linksTo(href).indexOf(link) } : undefined
}

/**
 * After going back, the cursor continues at the row one left by, as soon as it is there again, unless the person has
 * gone elsewhere meanwhile. `from`: the focused element where the page stays and shows something else, such as the
 * row of a report that is shown by account and then by section again.
 */
function focusAgain({ href, nth }: Left, from: Element | null): void {
  const until = performance.now() + 5000
  const look = () => {
    const active = document.activeElement
    const content = document.getElementById('content')
    if (active && active !== document.body && active !== content && active !== from) return
    const links = linksTo(href)
    const link = links[nth] ?? links[0]
    if (link) (link.closest<HTMLElement>('tr[tabindex]') ?? link).focus()
    else if (performance.now() < until) requestAnimationFrame(look)
    else focusContent()
  }
  requestAnimationFrame(look)
}

function ScreenView({ screen }: { screen: Screen }) {
  const t = useWords()
  const brand = useBrand()
  const held = useSession()
  const modules = useModules()
  const title = `${t(`screens.${screen.name}`)} · ${brand.name}`
  // Before the effects of the screen itself, so that its own title (a document's number) remains.
  useLayoutEffect(() => {
    document.title = title
  }, [title])
  const verdict = guard({ screen, session: held, can: mayDo, modules, lastType: lastType() })
  // Logged in or out while the screen is open, here or in another tab.
  const to =
    verdict.kind !== 'go'
      ? undefined
      : verdict.first
        ? verdict.to
        : (held && wanted.href) || verdict.to + location.search
  useEffect(() => {
    if (to !== undefined) go(to, { replace: true })
  }, [to])
  if (verdict.kind === 'shut')
    return (
      <Suspense>
        <Shut
          why={verdict.why}
          area={screen.area ?? areaOf(screen.rule)}
          module={screen.module}
          screen={screen.name}
        />
      </Suspense>
    )
  // A return of a business that charges no VAT would be refused with nothing to do about it.
  if (held && placeOf(screen.name).base === 'vat' && lackOf(screen.name, held)?.kinds.includes('vat'))
    return (
      <Suspense>
        <Shut why="law" screen={screen.name} />
      </Suspense>
    )
  const loaded = loadedScreens.get(screen.path)
  // What a screen shows of other features may have to wait for its words.
  return loaded && verdict.kind === 'open' ? createElement(Suspense, null, createElement(loaded)) : null
}

/** A screen's own title: the number of a document, the name of a customer. */
export function useTitle(title: string | undefined): void {
  const brand = useBrand()
  useEffect(() => {
    if (title) document.title = `${title} · ${brand.name}`
  }, [title, brand.name])
}

function NotFoundPage() {
  const [beyond] = useState(() => beyondNow)
  useLayoutEffect(() => {
    if (beyond) beyond(location.pathname + location.search, { replace: true })
    else document.title = 'page not found'
  }, [beyond])
  return beyond ? null : <NotFound />
}
