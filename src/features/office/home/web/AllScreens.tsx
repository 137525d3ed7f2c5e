import { useLocation } from '@tanstack/react-router'
import { Search, Star } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { failureText } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ranked } from '#kit/web/parts/rank.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go } from '#kit/web/routes/place.ts'
import { preload } from '#kit/web/routes/router.tsx'
import { mayDo, useModules, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { findableOf } from '#kit/web/shell/findable.ts'
import { groupIcons } from '#kit/web/shell/icons.ts'
import { allScreensPath, menuOf, offersOf, type Entry } from '#kit/web/shell/menu.ts'
import { weightOf } from '#kit/web/shell/opened.ts'
import { usePins } from '#kit/web/shell/pins.ts'
import { turnOnAreas } from '#kit/web/shell/registry.ts'
import { useWords } from '#kit/web/words/words.tsx'
import './allScreens.css'

/** Every screen this person may open, by job, with what each is for; a star keeps one in the menu. Key G. */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  const field = useRef<HTMLFormElement>(null)
  // The keyboard of a phone would hide what is to be read.
  const phone = usePhone()
  const [text, setText] = useState('')
  const { search } = useLocation()
  const asked = (search as { group?: string }).group
  const groups = useMemo(() => (session ? menuOf(session, mayDo, modules) : []), [session, modules])
  const { pins, toggle } = usePins(groups)
  useKeys({ '/': () => field.current?.querySelector('input')?.focus() })
  const typed = text.trim()
  const found = typed
    ? ranked(
        groups.flatMap(({ all }) => all),
        typed,
        (entry) => findableOf(t, entry, weightOf(entry.name, pins)),
      ).map(({ item }) => item)
    : []
  // What can be turned on, by its area: the screens it brings.
  const off = useMemo(() => {
    const offers =
      session && mayDo(session, 'modules')
        ? offersOf(session, mayDo, modules).filter(({ lack }) => lack.kinds.length === 0)
        : []
    const areas = new Map<string, Entry[]>()
    for (const { entry, lack } of offers)
      if (lack.areas.length === 1 && entry.place.as === 'screen')
        areas.set(lack.areas[0]!, [...(areas.get(lack.areas[0]!) ?? []), entry])
    return { offers, areas: [...areas] }
  }, [session, modules])
  const foundOff = typed ? ranked(off.offers, typed, ({ entry }) => findableOf(t, entry)) : []
  // A tab is under its screen, wherever that one is.
  const sections = groups
    .map(({ name, listed }) => ({
      name,
      screens: listed.filter(
        ({ place }) =>
          place.as === 'screen' || !groups.some(({ all }) => all.some((one) => one.name === place.base)),
      ),
    }))
    .filter(({ screens }) => screens.length > 0)
  const tabsOf = (base: string) =>
    groups.flatMap(({ listed }) =>
      listed.filter(({ place }) => place.as === 'tab' && place.base === base && place.name !== base),
    )
  const one = sections.find(({ name }) => name === asked)
  const lines = (entries: readonly Entry[], withGroup = false) => (
    <ul className="as-list">
      {entries.map((entry) => (
        <Line
          key={entry.name}
          of={entry}
          isPinned={pins.includes(entry.name)}
          onPin={() => toggle(entry.name)}
          withGroup={withGroup}
          tabs={withGroup ? [] : tabsOf(entry.name)}
        />
      ))}
    </ul>
  )
  return (
    <div className="as-page">
      <PageHeader title={t('screens.allScreens')} sub={t('kit.shell.starHint')} />
      <form
        className="as-find"
        ref={field}
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          if (found[0]) go(found[0].href)
        }}
      >
        <TextField
          label={t('kit.shell.filterScreens')}
          placeholder={t('kit.shell.filterScreens')}
          hideLabel
          value={text}
          onChange={setText}
          icon={Search}
          autoFocus={!phone}
          type="search"
        />
      </form>
      {!typed && (
        <nav className="as-groups" aria-label={t('home.allScreens.groups')}>
          <Link className="as-group" href={allScreensPath} aria-current={one ? undefined : 'true'}>
            {t('home.allScreens.everything')}
          </Link>
          {sections.map(({ name }) => (
            <Link
              key={name}
              className="as-group"
              href={`${allScreensPath}?group=${name}`}
              aria-current={one?.name === name ? 'true' : undefined}
            >
              {t(`menu.${name}`)}
            </Link>
          ))}
        </nav>
      )}
      <p className="vh" role="status">
        {typed && t('kit.palette.results', { count: found.length })}
      </p>
      {typed ? (
        <>
          {found.length > 0 && lines(found, true)}
          {found.length === 0 && foundOff.length === 0 && (
            <p className="as-none">{t('home.allScreens.none', { text: typed })}</p>
          )}
          {foundOff.length > 0 && (
            <section aria-labelledby="as-off">
              <h2 id="as-off">{t('modules.offer.title')}</h2>
              <ul className="as-list">
                {foundOff.map(({ item: { entry, lack } }) => (
                  <Off key={entry.name} entries={[entry]} areas={lack.areas} />
                ))}
              </ul>
            </section>
          )}
        </>
      ) : (
        (one ? [one] : sections).map(({ name, screens }) => (
          <section key={name} aria-labelledby={`as-${name}`}>
            <h2 id={`as-${name}`}>
              <Icon of={groupIcons[name]} />
              {t(`menu.${name}`)}
            </h2>
            {lines(screens)}
          </section>
        ))
      )}
      {!typed && !one && off.areas.length > 0 && (
        <section aria-labelledby="as-areas">
          <h2 id="as-areas">{t('modules.offer.title')}</h2>
          <p className="as-hint">{t('modules.offer.text')}</p>
          <ul className="as-list">
            {off.areas.map(([area, entries]) => (
              <Off key={area} entries={entries} areas={[area]} name={t(`areas.${area}`)} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** A part of the product that is off: what it brings, and one press. */
function Off({
  entries,
  areas,
  name = '',
}: {
  entries: readonly Entry[]
  areas: readonly string[]
  name?: string
}) {
  const t = useWords()
  const [busy, setBusy] = useState(false)
  const screens = entries.map((entry) => t(`screens.${entry.name}`)).join(', ')
  const turnOn = async () => {
    setBusy(true)
    try {
      await turnOnAreas(areas)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <li className="as-off">
      <span className="what">
        <b>{name || screens}</b>
        <span>{name ? screens : areas.map((area) => t(`areas.${area}`)).join(', ')}</span>
      </span>
      <Button
        kind="soft"
        size="s"
        busy={busy}
        label={t('modules.offer.turnOnOne', { name: name || screens })}
        onPress={() => void turnOn()}
      >
        {t('modules.offer.turnOn')}
      </Button>
    </li>
  )
}

function Line({
  of: entry,
  isPinned,
  onPin,
  withGroup,
  tabs,
}: {
  of: Entry
  isPinned: boolean
  onPin: () => void
  withGroup: boolean
  tabs: readonly Entry[]
}) {
  const t = useWords()
  const word = t(`screens.${entry.name}`)
  const ahead = () => entry.screen && preload(entry.screen)
  return (
    <li data-pinned={isPinned ? '' : undefined}>
      <div className="what">
        <Link href={entry.href} onHoverStart={ahead} onFocus={ahead}>
          <b>{word}</b>
          <span>{t(`screensFor.${entry.name}`)}</span>
          {withGroup && <small>{t(`menu.${entry.group}`)}</small>}
        </Link>
        {tabs.length > 0 && (
          <p className="as-tabs">
            {tabs.map((tab) => (
              <Link key={tab.name} className="aim" href={tab.href}>
                {t(`screens.${tab.name}`)}
              </Link>
            ))}
          </p>
        )}
      </div>
      <button
        type="button"
        aria-pressed={isPinned}
        aria-label={t('kit.shell.pin', { name: word })}
        onClick={onPin}
      >
        <Icon of={Star} />
      </button>
    </li>
  )
}
