/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus --
   focus stays in the field, which has the keys; the options follow it by aria-activedescendant */
import { CornerDownLeft, Search, X, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { fold } from '#domain/fold.ts'
import { useWords } from '../words/words.tsx'
import { nearness, ranked } from './rank.ts'
import { usePhone } from './useMedia.ts'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import { Kbd } from './Kbd.tsx'

export interface Command {
  key: string
  label: string
  icon?: LucideIcon
  m?: boolean
  /** At the inline end: a balance, a day and a sum. */
  hint?: ReactNode
  /** Words it is also found by, not shown. */
  also?: string
  /** What people call it, with commas. */
  terms?: string
  /** How often it was chosen before, and whether it is seldom wanted: among equally near names. */
  use?: number
  rare?: boolean
  run: () => void
}

export interface CommandGroup {
  title: string
  items: readonly Command[]
}

export interface CommandPaletteProps {
  isOpen: boolean
  onClose: () => void
  /** Known at once and filtered here: actions, screens, reports, settings. */
  groups: readonly CommandGroup[]
  /** Shown while nothing is typed; the groups themselves when absent. */
  recent?: readonly Command[]
  /**
   * Asked after a short rest: customers, documents by number or sum. Its groups stand behind what is known by
   * its name.
   */
  search?: (query: string, signal: AbortSignal) => Promise<readonly CommandGroup[]>
  placeholder?: string
  /** What was typed before the field was there, and whether Enter came after it. */
  begun?: () => { text: string; enters: boolean }
  /** Known at once, shown behind everything else and only while something is typed. */
  last?: CommandGroup
  /** How many of each known group are shown. */
  most?: number
}

/** Names and terms that begin as it was typed come before what has to be asked for; the rest comes behind it. */
const surely = nearness.termBegins

/** The typed words inside a label, marked; found as they are, or not at all. */
function Marked({ text, query }: { text: string; query: string }) {
  const words = query
    .split(/\s+/)
    .filter((word) => word.length > 0)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return text
  return text
    .split(new RegExp(`(${words.join('|')})`, 'gi'))
    .map((part, i) => (i % 2 ? <mark key={i}>{part}</mark> : part))
}

/**
 * The known groups by what fits best in each: those with something of that name, then those that only have to
 * do with it.
 */
function nearest(
  groups: readonly CommandGroup[],
  typed: string,
  most: number,
): { named: CommandGroup[]; others: CommandGroup[] } {
  const all = groups
    .map((group) => {
      const found = ranked(group.items, typed, ({ label, also, terms, use, rare }) => ({
        name: label,
        also,
        terms,
        use,
        rare,
      }))
      return {
        rank: found[0]?.rank ?? Infinity,
        group: { title: group.title, items: found.slice(0, most).map(({ item }) => item) },
      }
    })
    .toSorted((a, b) => a.rank - b.rank)
  return {
    named: all.filter(({ rank }) => rank <= surely).map(({ group }) => group),
    others: all.filter(({ rank }) => rank > surely).map(({ group }) => group),
  }
}

/**
 * One field for everything: Ctrl/Cmd+K. The first hit is chosen from the start; Enter does it. Load it
 * lazily.
 */
export function CommandPalette({ isOpen, onClose, ...rest }: CommandPaletteProps) {
  const t = useWords()
  return (
    <ModalOverlay
      className="k-scrim"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className="k-modal k-palette">
        <Dialog className="k-dialog" aria-label={t('kit.palette.label')}>
          <Inside {...rest} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function Inside({
  groups,
  recent,
  search,
  placeholder,
  begun,
  onClose,
  last,
  most = 6,
}: Omit<CommandPaletteProps, 'isOpen'>) {
  const t = useWords()
  const id = useId()
  const phone = usePhone()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<readonly CommandGroup[]>([])
  const [asking, setAsking] = useState(false)
  const [active, setActive] = useState(0)
  const [enters, setEnters] = useState(false)
  const typed = query.trim()

  useEffect(() => {
    if (!search || fold(typed).length < 2) {
      setFound([])
      setAsking(false)
      return
    }
    const stop = new AbortController()
    setAsking(true)
    const timer = setTimeout(() => {
      search(typed, stop.signal)
        .then((next) => !stop.signal.aborted && setFound(next))
        .catch(() => !stop.signal.aborted && setFound([]))
        .finally(() => !stop.signal.aborted && setAsking(false))
    }, 140)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed, search])

  const begin =
    recent && recent.length > 0 ? [{ title: t('kit.palette.recent'), items: recent }, ...groups] : groups
  const near = useMemo(() => (typed === '' ? undefined : nearest(groups, typed, most)), [groups, typed, most])
  const atLast = useMemo(() => {
    if (typed === '' || !last) return []
    const { named, others } = nearest([last], typed, 3)
    return [...named, ...others]
  }, [last, typed])
  const shown = (
    near
      ? [...near.named, ...found, ...near.others, ...atLast]
      : begin.map((group) => ({ ...group, items: group.items.slice(0, most) }))
  ).filter((group) => group.items.length > 0)
  const flat = shown.flatMap((group) => group.items)
  const at = Math.min(active, Math.max(0, flat.length - 1))

  useLayoutEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const run = (item: Command | undefined) => {
    if (!item) return
    onClose()
    item.run()
  }
  useLayoutEffect(() => {
    const typed = begun?.()
    if (!typed) return
    setQuery((now) => typed.text + now)
    setEnters(typed.enters)
  }, [begun])
  useLayoutEffect(() => {
    if (!enters) return
    setEnters(false)
    run(flat[at])
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the Enter of before counts once, for what its letters found
  }, [enters])
  return (
    <>
      <div className="k-palette-head">
        <Icon of={Search} />
        <input
          autoFocus
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={flat[at] ? `${id}-${at}` : undefined}
          aria-label={t('kit.palette.label')}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder ?? t('kit.palette.placeholder')}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
            if (step !== 0 && flat.length > 0) setActive((at + step + flat.length) % flat.length)
            else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(flat[at])
            else return
            event.preventDefault()
          }}
        />
        {phone ? (
          <Button kind="quiet" icon={X} label={t('kit.actions.close')} onPress={onClose} />
        ) : (
          <Kbd keys="Esc" />
        )}
      </div>
      <div
        className="k-palette-list"
        ref={list}
        id={id}
        role="listbox"
        aria-label={t('kit.palette.label')}
        aria-busy={asking}
      >
        {shown.map((group, g) => {
          const before = shown.slice(0, g).reduce((sum, one) => sum + one.items.length, 0)
          return (
            <div key={group.title} role="group" aria-labelledby={`${id}-g${g}`}>
              <p className="k-group" id={`${id}-g${g}`}>
                {group.title}
              </p>
              {group.items.map((item, i) => {
                const place = before + i
                return (
                  <div
                    key={item.key}
                    id={`${id}-${place}`}
                    role="option"
                    aria-selected={place === at}
                    className="k-opt"
                    data-active={place === at ? '' : undefined}
                    onPointerMove={() => place !== at && setActive(place)}
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => run(item)}
                  >
                    {item.icon && <Icon of={item.icon} m={item.m} />}
                    <span className="grow cut" dir="auto">
                      <Marked text={item.label} query={typed} />
                    </span>
                    {item.hint && <span className="end">{item.hint}</span>}
                    {place === at && (
                      <span className="k-kbd" aria-hidden>
                        <Icon of={CornerDownLeft} size="s" />
                      </span>
                    )}
                  </div>
                )
              })}
            </div>
          )
        })}
      </div>
      <p className={flat.length === 0 && !asking ? 'k-palette-none' : 'vh'} role="status">
        {flat.length === 0
          ? asking
            ? t('kit.combo.searching')
            : t('kit.palette.none')
          : t('kit.palette.results', { count: flat.length })}
      </p>
    </>
  )
}
