import { Menu as MenuIcon } from 'lucide-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Drawer, SideSheet } from '../parts/Dialog.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { useMedia, usePhone } from '../parts/useMedia.ts'
import { useKeys } from '../parts/useKeys.ts'
import { go } from '../routes/place.ts'
import { mayDo, useModules, useSession } from '../session/session.ts'
import { store } from '../session/storage.ts'
import { useStateFor } from '../hooks/useStateFor.ts'
import { useWhenIdle } from '../hooks/useWhenIdle.ts'
import { useScreen } from '../routes/screenNow.ts'
import { useWords } from '../words/words.tsx'
import { ShellContext, type ShellHold } from './context.ts'
import { Said } from './Said.tsx'
import { Header } from './Header.tsx'
import { allScreensPath, currentEntry, menuOf } from './menu.ts'
import { Elsewhere } from './Elsewhere.tsx'
import { Offline } from './Offline.tsx'
import { countOpened } from './opened.ts'
import { PageViews } from './PageViews.tsx'
import { Panel } from './Panel.tsx'
import { usePins } from './pins.ts'
import { helpBeside, keyGroups, useFitting, type BesidePart } from './registry.ts'
import { TabBar } from './TabBar.tsx'
import { makeTypedAhead } from './typedAhead.ts'
import { fetchPart } from '../calls/fetchPart.ts'

// What opens over the page comes with the first wish for it; but the palette is typed into at once, and what
// is typed must not land elsewhere.
const fetchPalette = () => fetchPart(() => import('./Palette.tsx'))
const Palette = lazy(() => fetchPalette().then(({ Palette }) => ({ default: Palette })))
const KeysHelp = lazy(() =>
  fetchPart(() => import('../parts/KeysHelp.tsx')).then(({ KeysHelp }) => ({ default: KeysHelp })),
)

type Over = 'palette' | 'keys' | 'panel'

/** The frame: header, panel, page, phone bar, and what opens over them. */
export function Shell() {
  const t = useWords()
  const session = useSession()!
  const modules = useModules()
  const path = useRouterState({
    select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname,
  })
  const search = useRouterState({ select: (state) => decodeURIComponent(state.location.searchStr) })
  const wide = useMedia('(width >= 75rem)')
  const phone = usePhone()
  const [wished, setWished] = useState(store.get('panel') !== 'shut')
  const [released, setReleased] = useState(0)
  // What is open over a page closes when another page comes.
  const [over, setOver] = useStateFor<Over | undefined>(path, undefined)
  const [Beside, setBeside] = useState<BesidePart>()
  const [helps, setHelps] = useState(false)
  const cameFrom = useRef<Element>(null)
  const screen = useScreen()
  const { strip: Strip } = useFitting()
  // Once opened, its code stays and it may close with its own motion.
  const [met, setMet] = useState<ReadonlySet<Over>>(new Set())

  const roomy = useMedia('(width >= 100rem)')
  const besides = wide && helps
  const isPinned = wide && wished && released === 0 && !session.HideNavHeader && (roomy || !besides)
  const [ahead] = useState(() => makeTypedAhead({ manyFields: false }))
  const shut = useCallback(() => {
    ahead.stop()
    setOver(undefined)
  }, [ahead, setOver])
  const open = useCallback(
    (what: Over) => {
      if (what === 'palette') {
        ahead.begin(shut)
        fetchPalette().catch(ahead.stop)
      }
      setMet((before) => new Set(before).add(what))
      setOver(what)
    },
    [ahead, shut, setOver],
  )
  const unpin = useCallback(() => {
    setReleased((n) => n + 1)
    return () => setReleased((n) => n - 1)
  }, [])
  const shutHelp = useCallback(() => {
    setHelps(false)
    if (cameFrom.current instanceof HTMLElement && cameFrom.current.isConnected) cameFrom.current.focus()
  }, [])
  const load = helpBeside()
  const openHelp = useCallback(() => {
    if (!load) return
    cameFrom.current = document.activeElement
    setHelps(true)
    load().then(
      (part) => setBeside(() => part),
      () => setHelps(false),
    )
  }, [load])
  const hold = useMemo<ShellHold>(
    () => ({
      isPinned,
      unpin,
      openPalette: () => open('palette'),
      openKeys: () => open('keys'),
      help: load && { isOpen: helps, open: openHelp, toggle: helps ? shutHelp : openHelp },
    }),
    [isPinned, unpin, open, load, helps, openHelp, shutHelp],
  )
  useWhenIdle(fetchPalette)
  useKeys(
    {
      'mod+k': () => open('palette'),
      g: () => go(allScreensPath),
      '?': () => (load && !helps ? openHelp() : open('keys')),
    },
    over !== undefined,
  )
  useEffect(() => ahead.stop, [ahead, path])

  const groups = useMemo(() => menuOf(session, mayDo, modules), [session, modules])
  const here = currentEntry(groups, path, search)
  const { pins } = usePins(groups)
  const at = here?.name
  useEffect(() => {
    if (at) countOpened(at)
  }, [at])
  const togglePanel = () => {
    if (!wide || released > 0) return over === 'panel' ? shut() : open('panel')
    setWished(!wished)
    store.set('panel', wished ? 'shut' : 'open')
  }
  // Its code and its words come with the first wish for it: until then one sees that they come.
  const helpComes = (
    <div className="s-help-comes">
      <Skeleton lines={6} />
    </div>
  )
  const panel = <Panel groups={groups} here={here} pins={pins} />

  return (
    <ShellContext value={hold}>
      <div className="s-shell" data-pinned={isPinned ? '' : undefined}>
        {!session.HideNavHeader && (
          <Header isPanelOpen={isPinned || over === 'panel'} onPanel={togglePanel} />
        )}
        <Offline />
        <Elsewhere />
        {Strip && <Strip />}
        <div className="s-frame">
          {isPinned && <aside className="s-aside">{panel}</aside>}
          <main id="content" tabIndex={-1} className="s-main">
            <Said />
            <PageViews here={here} />
            <Outlet />
          </main>
          {besides && (
            <aside
              className="s-help"
              data-over={released > 0 && !roomy ? '' : undefined}
              aria-label={t('kit.shell.help')}
            >
              {Beside ? <Beside screen={screen} onClose={shutHelp} onKeys={() => open('keys')} /> : helpComes}
            </aside>
          )}
        </div>
        {/* Without header and menu a finger would have no way on, and none out. */}
        {session.HideNavHeader && (
          <Button
            icon={MenuIcon}
            className="s-alone"
            label={t('kit.shell.menuOpen')}
            onPress={() => open('palette')}
          />
        )}
        {phone && !session.HideNavHeader && (
          <TabBar here={here} groups={groups} onMore={() => open('panel')} isMoreOpen={over === 'panel'} />
        )}
      </div>
      <Suspense>
        {met.has('panel') && (
          <Drawer isOpen={over === 'panel'} onClose={shut} label={t('kit.shell.menu')}>
            <Panel groups={groups} here={here} pins={pins} onClose={shut} />
          </Drawer>
        )}
        {!wide && (helps || Beside) && (
          <SideSheet isOpen={helps} onClose={shutHelp} title={t('kit.shell.help')}>
            {Beside ? (
              <Beside screen={screen} onClose={shutHelp} onKeys={() => (shutHelp(), open('keys'))} />
            ) : (
              helpComes
            )}
          </SideSheet>
        )}
        {met.has('palette') && (
          <Palette
            isOpen={over === 'palette'}
            onClose={shut}
            groups={groups}
            pins={pins}
            onKeys={() => open('keys')}
            begun={ahead.take}
          />
        )}
        {met.has('keys') && (
          <KeysHelp
            isOpen={over === 'keys'}
            onClose={shut}
            groups={[
              { title: t('kit.shell.frame'), keys: [{ keys: 'G', does: t('kit.shell.allScreens') }] },
              ...keyGroups(),
            ]}
          />
        )}
      </Suspense>
    </ShellContext>
  )
}
