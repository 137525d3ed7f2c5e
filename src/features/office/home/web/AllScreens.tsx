import { useLocation } from '@tanstack/react-router'
import { Search, Star } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { ranked } from '#kit/web/parts/rank.ts'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { go } from '#kit/web/place.ts'
import { preload } from '#kit/web/router.tsx'
import { mayDo, useModules, useSession } from '#kit/web/session.ts'
import { findableOf } from '#kit/web/shell/findable.ts'
import { groupIcons } from '#kit/web/shell/icons.ts'
import { allScreensPath, menuOf, type Entry } from '#kit/web/shell/menu.ts'
import { weightOf } from '#kit/web/shell/opened.ts'
import { usePins } from '#kit/web/shell/pins.ts'
import { useWords } from '#kit/web/words.tsx'
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
  const one = groups.find(({ name }) => name === asked)
  const typed = text.trim()
  const found = typed
    ? ranked(
        groups.flatMap(({ all }) => all),
        typed,
        (entry) => findableOf(t, entry, weightOf(entry.name, pins)),
      ).map(({ item }) => item)
    : []
  const lines = (entries: readonly Entry[], withGroup = false) => (
    <ul className="as-list">
      {entries.map((entry) => (
        <Line
          key={entry.name}
          of={entry}
          isPinned={pins.includes(entry.name)}
          onPin={() => toggle(entry.name)}
          withGroup={withGroup}
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
          {groups.map(({ name }) => (
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
        found.length > 0 ? (
          lines(found, true)
        ) : (
          <p className="as-none">{t('home.allScreens.none', { text: typed })}</p>
        )
      ) : (
        (one ? [one] : groups).map(({ name, all }) => (
          <section key={name} aria-labelledby={`as-${name}`}>
            <h2 id={`as-${name}`}>
              <Icon of={groupIcons[name]} />
              {t(`menu.${name}`)}
            </h2>
            {lines(all)}
          </section>
        ))
      )}
    </div>
  )
}

function Line({
  of: entry,
  isPinned,
  onPin,
  withGroup,
}: {
  of: Entry
  isPinned: boolean
  onPin: () => void
  withGroup: boolean
}) {
  const t = useWords()
  const word = t(`screens.${entry.name}`)
  const ahead = () => entry.screen && preload(entry.screen)
  return (
    <li data-pinned={isPinned ? '' : undefined}>
      <Link href={entry.href} onHoverStart={ahead} onFocus={ahead}>
        <b>{word}</b>
        <span>{t(`screensFor.${entry.name}`)}</span>
        {withGroup && <small>{t(`menu.${entry.group}`)}</small>}
      </Link>
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
