import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ComponentType } from 'react'
import type { Screen } from '#kit/describe/screen.ts'
import { SkipLink } from '../parts/SkipLink.tsx'
import { Toasts } from '../parts/Notices.tsx'
import { Shown } from '../parts/Shown.tsx'
import { useScreen } from '../routes/screenNow.ts'
import { useSession } from '../session/session.ts'
import { Offline } from './Offline.tsx'
import { PublicFrame } from './PublicFrame.tsx'
import { Said } from './Said.tsx'
import { fetchPart } from '../calls/fetchPart.ts'
import './shell.css'

let loadedShell: ComponentType | undefined
const importShell = async () => {
  const { Shell } = await fetchPart(() => import('./Shell.tsx'))
  loadedShell = Shell
  return { default: Shell }
}
const LazyShell = lazy(importShell)

/**
 * What has been fetched is shown at once: a part that React waits for, even for a moment, it holds back for a
 * third of a second.
 */
function Shell() {
  const [Part] = useState(() => loadedShell ?? LazyShell)
  return <Part />
}

/**
 * The frame of a screen: the application's, the slim one of public pages, or none. A screen that opens for everyone
 * and yet belongs to the business (it has a rule, or says so) keeps the application's frame for logged-in people.
 */
const frameOf = (screen: Screen | undefined, loggedIn: boolean): 'shell' | 'public' | 'none' =>
  screen
    ? screen.bare
      ? 'none'
      : screen.open === 'login' || (loggedIn && (screen.rule !== undefined || screen.inside === true))
        ? 'shell'
        : 'public'
    : loggedIn
      ? 'shell'
      : 'public'

/** Fetches the frame of a screen together with the screen: log-in pages do without it. */
export const loadFrame = async (screen: Screen): Promise<void> => {
  if (frameOf(screen, true) === 'shell') await importShell()
}

/** The parts around every screen. */
export function Frame() {
  const screen = useScreen()
  const session = useSession()
  const frame = frameOf(screen, session !== undefined)
  return (
    <>
      <SkipLink />
      {frame === 'shell' && session ? (
        <Suspense>
          <Shell />
        </Suspense>
      ) : frame === 'public' ? (
        <PublicFrame />
      ) : (
        <>
          <Offline />
          <div className="s-float">
            <Said />
          </div>
          <Outlet />
        </>
      )}
      <Toasts />
      <Shown />
    </>
  )
}
