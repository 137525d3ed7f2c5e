import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { lackOf, placeOf } from '#kit/describe/places.ts'
import { fetchPart } from '../calls/fetchPart.ts'
import { access } from '../session/guard.ts'
import { useScreen } from '../routes/screenNow.ts'
import { mayDo, useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { viewsOf, type Entry } from './menu.ts'

const NotInMenu = lazy(() =>
  fetchPart(() => import('./NotInMenu.tsx')).then(({ NotInMenu }) => ({ default: NotInMenu })),
)

/** Above a page: the other views of its screen, and the way to have a screen in the menu that is not there. */
export function PageViews({ here }: { here: Entry | undefined }) {
  const t = useWords()
  const session = useSession()!
  const screen = useScreen()
  const path = useRouterState({ select: (state) => state.location.pathname }).toLowerCase()
  const isLine = here?.href.split('?')[0]?.toLowerCase() === path
  const name = isLine ? here.name : screen?.path.includes('$') ? undefined : screen?.name
  if (name === undefined || screen?.bare) return null
  const views = viewsOf(name, session, mayDo)
  // A screen that is shut offers it on its own page.
  const isOpen = !screen || access(screen, session, mayDo).kind === 'open'
  const lack = isOpen ? lackOf(name, session) : undefined
  return (
    <>
      {lack && lack.kinds.length === 0 && mayDo(session, 'modules') && (
        <Suspense fallback={<p className="s-not-in-menu" aria-hidden />}>
          <NotInMenu areas={lack.areas} />
        </Suspense>
      )}
      {views.length > 0 && (
        <nav
          className="s-views"
          aria-label={t('modules.offer.views', { name: t(`screens.${placeOf(name).base}`) })}
          data-view={name}
        >
          {views.map((view) => (
            <Link
              key={view.name}
              className="s-view"
              href={view.href}
              data-on={view.name === name ? '' : undefined}
              aria-current={view.name === name ? 'page' : undefined}
            >
              {t(`screens.${view.name}`)}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
