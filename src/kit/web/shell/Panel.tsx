import { ChevronDown, ChevronRight, Inbox, LayoutGrid, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import type { MenuGroup } from '#kit/describe/screen.ts'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd } from '../parts/Kbd.tsx'
import { preload } from '../router.tsx'
import { useScreen } from '../screenNow.ts'
import { useSession } from '../session.ts'
import { useWords } from '../words.tsx'
import { useCompanyDoor } from './company.ts'
import { initials } from './Header.tsx'
import { groupIcons } from './icons.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { allScreensPath, fewOf, footGroups, type Entry, type Group } from './menu.ts'
import { openedAtStart } from './opened.ts'
import { ThemeButton } from './PublicFrame.tsx'
import { useFitting } from './registry.ts'
import { useWaiting } from './waiting.ts'

/** More lines than this are folded into groups; a small area (a desk, a trainer) shows them all at once. */
const flatLimit = 8

export interface PanelProps {
  groups: readonly Group[]
  here: Entry | undefined
  pins: readonly string[]
  /** Given when it is over the page. */
  onClose?: () => void
}

/**
 * The way to every screen: groups of which one is open, the person's pins, and at the foot what is seldom
 * needed.
 */
export function Panel({ groups: given, here, pins, onClose }: PanelProps) {
  const t = useWords()
  const session = useSession()
  const { company } = useFitting()
  const { Part: Company } = useCompanyDoor()
  const hereIn = here?.group
  const isAllScreens = useScreen()?.path === allScreensPath
  const [open, setOpen] = useState<MenuGroup | undefined>(hereIn)
  // Following a link opens its group, in the same picture as its page: a moment later everything under it
  // would move.
  const [followed, setFollowed] = useState(hereIn)
  if (hereIn !== followed) {
    setFollowed(hereIn)
    if (hereIn) setOpen(hereIn)
  }

  const groups = given.map((group) => ({
    ...group,
    few: fewOf(group.all, { pins, opened: openedAtStart(), here: here?.name }),
  }))
  const counts = useWaiting()
  const waiting = given.flatMap(({ all }) => all).filter(({ name }) => (counts[name] ?? 0) > 0)
  const lines = groups.reduce((sum, group) => sum + group.few.length, 0)
  const isFlat = lines <= flatLimit
  const pinned = groups
    .flatMap(({ all }) => all)
    .filter(({ name }) => pins.includes(name))
    .toSorted((a, b) => pins.indexOf(a.name) - pins.indexOf(b.name))
  const section = (group: Group) => (
    <Section
      key={group.name}
      group={group}
      here={here}
      isOpen={open === group.name}
      onToggle={() => setOpen(open === group.name ? undefined : group.name)}
    />
  )
  const upper = groups.filter(({ name }) => !footGroups.includes(name))
  const foot = groups.filter(({ name }) => footGroups.includes(name))
  const asks = waiting.map((entry) => (
    <Line key={`w-${entry.name}`} of={entry} here={here} icon count={counts[entry.name]} />
  ))

  return (
    <>
      {onClose && (
        <div className="s-panel-head">
          <span className="s-avatar" aria-hidden>
            {initials(session?.Name ?? '')}
          </span>
          <span className="what">
            {Company ? <Company /> : <bdi className="cut">{session?.Name}</bdi>}
            {company && (
              <span className="hint cut">
                {t(company.word)} <bdi className="num">{company.number}</bdi>
              </span>
            )}
          </span>
          <Button kind="quiet" icon={X} label={t('kit.shell.menuClose')} onPress={onClose} />
        </div>
      )}
      <nav className="s-panel" aria-label={t('kit.shell.menu')}>
        {isFlat && asks}
        {isFlat
          ? upper
              .flatMap(({ few }) => few)
              .map((entry) => <Line key={entry.name} of={entry} here={here} icon />)
          : upper.flatMap((group, n) => (n === 0 ? [section(group), ...asks] : [section(group)]))}
        {pinned.length > 0 && (
          <section aria-labelledby="s-pinned">
            <h2 id="s-pinned">{t('kit.shell.pinned')}</h2>
            {pinned.map((entry) => (
              <Line key={entry.name} of={entry} here={here} icon />
            ))}
          </section>
        )}
        <div className="foot">
          {!isFlat && (
            <Link
              className="s-nav"
              href={allScreensPath}
              data-on={isAllScreens ? '' : undefined}
              aria-current={isAllScreens ? 'page' : undefined}
            >
              <Icon of={LayoutGrid} size="l" />
              <span className="cut">{t('kit.shell.allScreens')}</span>
              <span className="end">
                <Kbd keys="G" />
              </span>
            </Link>
          )}
          {isFlat
            ? foot
                .flatMap(({ few }) => few)
                .map((entry) => <Line key={entry.name} of={entry} here={here} icon />)
            : foot.map(section)}
        </div>
      </nav>
      {onClose && (
        <div className="s-panel-foot">
          <ThemeButton />
          <LanguageMenu full />
        </div>
      )}
    </>
  )
}

/** One group: its only line when there is but one (home), else a heading that opens. */
function Section({
  group,
  here,
  isOpen,
  onToggle,
}: {
  group: Group
  here: Entry | undefined
  isOpen: boolean
  onToggle: () => void
}) {
  const t = useWords()
  const [only] = group.few
  // A group all of whose lines are rare is reached through "all screens".
  if (!only) return null
  if (group.few.length === 1)
    return (
      <Line
        of={only}
        here={here}
        icon
        {...(group.name === 'home' ? { word: t('menu.home') } : {})}
        active={here?.group === group.name}
      />
    )
  const id = `s-g-${group.name}`
  const rest = group.all.length - group.few.length
  return (
    <div className="s-group" data-open={isOpen ? '' : undefined}>
      <button
        type="button"
        className="s-nav"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        data-here={!isOpen && here?.group === group.name ? '' : undefined}
      >
        <Icon of={groupIcons[group.name]} size="l" />
        <span className="cut">{t(`menu.${group.name}`)}</span>
        <span className="end">{isOpen ? <Icon of={ChevronDown} /> : <Icon of={ChevronRight} m />}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && group.few.map((entry) => <Line key={entry.name} of={entry} here={here} />)}
        {isOpen && rest > 0 && (
          <Link className="s-nav s-rest" data-kid="" href={`${allScreensPath}?group=${group.name}`}>
            <span className="cut">{t('kit.shell.rest', { count: rest })}</span>
          </Link>
        )}
      </div>
    </div>
  )
}

function Line({
  of: entry,
  here,
  icon,
  word,
  active,
  count,
}: {
  of: Entry
  here: Entry | undefined
  icon?: boolean
  word?: ReactNode
  active?: boolean
  /** How much waits behind it. */
  count?: number | undefined
}) {
  const t = useWords()
  const isHere = here?.name === entry.name
  const ahead = () => entry.screen && preload(entry.screen)
  return (
    <Link
      className="s-nav"
      data-kid={icon ? undefined : ''}
      data-on={isHere || active ? '' : undefined}
      aria-current={isHere ? 'page' : undefined}
      href={entry.href}
      onHoverStart={ahead}
      onFocus={ahead}
    >
      {icon && <Icon of={count === undefined ? groupIcons[entry.group] : Inbox} size="l" />}
      <span className="cut">{word ?? t(`screens.${entry.name}`)}</span>
      {count !== undefined && <span className="s-waits num">{count}</span>}
    </Link>
  )
}
