import { ChevronDown, ChevronRight, Inbox, LayoutGrid, X, type LucideIcon } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { Button } from '../parts/Button.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Kbd } from '../parts/Kbd.tsx'
import { preload } from '../routes/router.tsx'
import { useScreen } from '../routes/screenNow.ts'
import { useSession } from '../session/session.ts'
import { useWords } from '../words/words.tsx'
import { useCompanyDoor } from './company.ts'
import { initials } from './Header.tsx'
import { groupIcons, sideIcons } from './icons.ts'
import { LanguageMenu } from './LanguageMenu.tsx'
import { allScreensPath, sideOf, type Entry, type Group, type Side, type SideGroup } from './menu.ts'
import { openedAtStart } from './opened.ts'
import { ThemeButton } from './PublicFrame.tsx'
import { useFitting } from './registry.ts'
import { useWaiting } from './waiting.ts'

/** More lines than this are folded into groups; a small area (a desk, a trainer) shows them all at once. */
const flatLimit = 8
const mostPinned = 5

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
  const isAllScreens = useScreen()?.path === allScreensPath
  const listed = given.flatMap((group) => group.listed)
  const isFlat = listed.length <= flatLimit
  const sides = useMemo(() => sideOf(given, openedAtStart()), [given])
  const lines = isFlat ? listed : sides.flatMap(({ entries }) => entries)
  // A view without a line is at the line of its screen.
  const at = here && (lines.some(({ name }) => name === here.name) ? here.name : here.place.base)
  const hereIn = sides.find(({ entries }) => entries.some(({ name }) => name === at))?.name
  const [open, setOpen] = useState<SideGroup | undefined>(hereIn)
  // Following a link opens its group, in the same picture as its page: a moment later everything under it
  // would move.
  const [followed, setFollowed] = useState(hereIn)
  if (hereIn !== followed) {
    setFollowed(hereIn)
    if (hereIn) setOpen(hereIn)
  }

  const counts = useWaiting()
  const all = given.flatMap((group) => group.all)
  const waiting = all.filter(({ name }) => (counts[name] ?? 0) > 0)
  const pinned = all
    .filter(({ name }) => pins.includes(name))
    .toSorted((a, b) => pins.indexOf(a.name) - pins.indexOf(b.name))
    .slice(0, mostPinned)
  const section = (side: Side) => (
    <Section
      key={side.name}
      side={side}
      at={at}
      isOpen={open === side.name}
      onToggle={() => setOpen(open === side.name ? undefined : side.name)}
    />
  )
  const isFoot = ({ name }: Side) => name === 'manage'
  const asks = waiting.map((entry) => (
    <Line key={`w-${entry.name}`} of={entry} at={at} icon={Inbox} count={counts[entry.name]} />
  ))
  const line = (entry: Entry) => <Line key={entry.name} of={entry} at={at} icon={groupIcons[entry.group]} />

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
          ? listed.map(line)
          : sides
              .filter((side) => !isFoot(side))
              .flatMap((side, n) => (n === 0 ? [section(side), ...asks] : [section(side)]))}
        {pinned.length > 0 && (
          <section aria-labelledby="s-pinned">
            <h2 id="s-pinned">{t('kit.shell.pinned')}</h2>
            {pinned.map(line)}
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
          {!isFlat && sides.filter(isFoot).map(section)}
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

/** One group: its only line when there is but one, else a heading that opens. */
function Section({
  side,
  at,
  isOpen,
  onToggle,
}: {
  side: Side
  at: string | undefined
  isOpen: boolean
  onToggle: () => void
}) {
  const t = useWords()
  const [only] = side.entries
  if (side.entries.length === 1) return <Line of={only!} at={at} icon={sideIcons[side.name]} />
  const id = `s-g-${side.name}`
  return (
    <div className="s-group" data-open={isOpen ? '' : undefined}>
      <button
        type="button"
        className="s-nav"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        data-here={!isOpen && side.entries.some(({ name }) => name === at) ? '' : undefined}
      >
        <Icon of={sideIcons[side.name]} size="l" />
        <span className="cut">{t(`menu.${side.name}`)}</span>
        <span className="end">{isOpen ? <Icon of={ChevronDown} /> : <Icon of={ChevronRight} m />}</span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && side.entries.map((entry) => <Line key={entry.name} of={entry} at={at} />)}
      </div>
    </div>
  )
}

function Line({
  of: entry,
  at,
  icon,
  count,
}: {
  of: Entry
  /** The line one is at. */
  at: string | undefined
  icon?: LucideIcon
  /** How much waits behind it. */
  count?: number | undefined
}) {
  const t = useWords()
  const isHere = at === entry.name
  const ahead = () => entry.screen && preload(entry.screen)
  return (
    <Link
      className="s-nav"
      data-kid={icon ? undefined : ''}
      data-on={isHere ? '' : undefined}
      aria-current={isHere ? 'page' : undefined}
      href={entry.href}
      onHoverStart={ahead}
      onFocus={ahead}
    >
      {icon && <Icon of={icon} size="l" />}
      <span className="cut">{t(`screens.${entry.name}`)}</span>
      {count !== undefined && <span className="s-waits num">{count}</span>}
    </Link>
  )
}
