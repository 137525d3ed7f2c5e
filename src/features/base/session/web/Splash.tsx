import { useEffect, useState } from 'react'
import { loginPath, mainPath } from '#kit/web/session/guard.ts'
import { go } from '#kit/web/routes/place.ts'
import { fetchAddress } from '#kit/web/routes/router.tsx'
import { lastType, useSession } from '#kit/web/session/session.ts'
import { allScreens } from '#kit/web/shell/menu.ts'
import { Mark } from '#kit/web/shell/Loading.tsx'
import { Logo } from '#kit/web/shell/Logo.tsx'
import { useBrand } from '#kit/web/words/wording.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './account.css'

/** The duration of the start animation (specification, sections 2 and 9). */
export const splashMs = 3100

/**
 * The start of the installed application. A key or a touch ends it; the main page of the person's type
 * follows.
 */
export function Screen() {
  const t = useWords()
  const brand = useBrand()
  const session = useSession()
  const [over, setOver] = useState(false)
  const path = session ? mainPath(session) : loginPath(lastType())
  const to = path + location.search
  // What follows is fetched behind it: the page, its frame and what it shows first.
  useEffect(() => void fetchAddress(allScreens(), path), [path])
  useEffect(() => {
    const end = () => setOver(true)
    const timer = setTimeout(end, splashMs)
    addEventListener('keydown', end)
    addEventListener('pointerdown', end)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', end)
      removeEventListener('pointerdown', end)
    }
  }, [])
  useEffect(() => {
    if (over) go(to, { replace: true })
  }, [over, to])
  return (
    <main id="content" tabIndex={-1} className="a-splash">
      <h1 className="vh">{t('screens.splash')}</h1>
      {brand.isDealer && brand.logo ? <Logo large /> : <Mark />}
      <p className="name">{brand.name}</p>
    </main>
  )
}
