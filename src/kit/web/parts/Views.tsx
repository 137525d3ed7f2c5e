/* oxlint-disable jsx-a11y/interactive-supports-focus -- one tab stop: its buttons take focus in turn, the set has their arrow keys */
import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, type ReactNode, type Ref } from 'react'
import { mostTabs } from '#kit/describe/cards.ts'
import { useLanguage, useWords } from '../words/words.tsx'
import { Icon } from './Icon.tsx'
import { Menu } from './Menu.tsx'
import { Count } from './Status.tsx'

export interface View<K extends string = string> {
  key: K
  label: string
  count?: number
  /** late for a count of debts. */
  tone?: 'late' | 'wait'
}

export interface ViewsProps<K extends string = string> {
  views: readonly View<K>[]
  /** Behind "More", at the end of the row; tabs beyond the sixth are there as well. */
  more?: readonly View<K>[]
  value: K
  onChange: (key: K) => void
  /** What is being chosen, for screen readers: "views of the documents". */
  label: string
  /** Chips on a phone, as saved views of lists are; tabs of a record stay tabs. */
  chips?: boolean
  /** At the inline end of the same line. */
  end?: ReactNode
  /** The id of the element that changes with the choice. */
  controls?: string
}

/** Moves among a set of buttons with the arrows, turned round in right-to-left; returns the new place. */
function step(event: React.KeyboardEvent, at: number, count: number, dir: 'rtl' | 'ltr'): number | undefined {
  const [back, forward] = dir === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
  if (event.key === forward) return (at + 1) % count
  if (event.key === back) return (at - 1 + count) % count
  if (event.key === 'Home') return 0
  if (event.key === 'End') return count - 1
  return undefined
}

/** Saved views with counts, or the tabs of a record, on a hairline. One tab stop; the arrows choose. */
export function Views<K extends string>({
  views: given,
  more = [],
  value,
  onChange,
  label,
  chips,
  end,
  controls,
}: ViewsProps<K>) {
  const { dir } = useLanguage()
  const set = useRef<HTMLDivElement>(null)
  const views = chips ? given : given.slice(0, mostTabs)
  const rest = chips ? more : [...given.slice(mostTabs), ...more]
  const at = views.findIndex((view) => view.key === value)
  useEffect(() => {
    // Sideways only: scrollIntoView would also move the page.
    const strip = set.current?.parentElement
    const chosen = set.current?.querySelector('[aria-selected="true"]')
    if (!strip || !chosen) return
    const [outer, inner] = [strip.getBoundingClientRect(), chosen.getBoundingClientRect()]
    if (inner.left < outer.left) strip.scrollLeft -= outer.left - inner.left + 16
    else if (inner.right > outer.right) strip.scrollLeft += inner.right - outer.right + 16
  }, [value])
  return (
    <div className="k-views" data-chips={chips ? '' : undefined}>
      <div
        ref={set}
        role="tablist"
        aria-label={label}
        className="contents"
        onKeyDown={(event) => {
          const next = step(event, at, views.length, dir)
          if (next === undefined) return
          event.preventDefault()
          onChange(views[next]!.key)
          set.current?.querySelectorAll('button')[next]?.focus()
        }}
      >
        {views.map((view, i) => (
          <button
            key={view.key}
            type="button"
            role="tab"
            className="k-view"
            aria-selected={view.key === value}
            aria-controls={controls}
            tabIndex={view.key === value || (at < 0 && i === 0) ? 0 : -1}
            onClick={() => onChange(view.key)}
          >
            {view.label}
            {view.count !== undefined && (
              <Count tone={view.count > 0 ? view.tone : undefined}>{view.count}</Count>
            )}
          </button>
        ))}
      </div>
      {rest.length > 0 && <MoreViews views={rest} value={value} onChange={onChange} />}
      {end && <span className="end">{end}</span>}
    </div>
  )
}

/** The views behind "More"; the chosen one is named on the button. */
function MoreViews<K extends string>({
  views,
  value,
  onChange,
}: {
  views: readonly View<K>[]
  value: K
  onChange: (key: K) => void
}) {
  const t = useWords()
  const chosen = views.find((view) => view.key === value)
  return (
    <Menu
      label={t('kit.shell.tabMore')}
      placement="bottom end"
      trigger={<MoreButton isChosen={chosen !== undefined} word={chosen?.label ?? t('kit.shell.tabMore')} />}
      items={views.map((view) => ({
        key: view.key,
        label: view.label,
        ...(view.count ? { hint: String(view.count) } : {}),
        checked: view.key === value,
        onPress: () => onChange(view.key),
      }))}
    />
  )
}

interface MoreButtonProps {
  isChosen: boolean
  word: string
  /** Given by the menu. */
  ref?: Ref<HTMLButtonElement>
  onPress?: () => void
  expanded?: boolean
}

const MoreButton = ({ isChosen, word, ref, onPress, expanded }: MoreButtonProps) => (
  <button
    ref={ref}
    type="button"
    className="k-view"
    data-chosen={isChosen ? '' : undefined}
    aria-haspopup="menu"
    aria-expanded={expanded}
    onClick={onPress}
  >
    {word}
    <Icon of={ChevronDown} size="s" />
  </button>
)

export interface SegmentedProps<K extends string = string> {
  options: readonly { key: K; label: string; icon?: ReactNode }[]
  value: K
  onChange: (key: K) => void
  label: string
}

/** Two to four ways of showing the same thing: density, layout of the paper, month or year. */
export function Segmented<K extends string>({ options, value, onChange, label }: SegmentedProps<K>) {
  const { dir } = useLanguage()
  const set = useRef<HTMLDivElement>(null)
  const at = options.findIndex((option) => option.key === value)
  return (
    <div
      ref={set}
      role="radiogroup"
      aria-label={label}
      className="k-seg"
      onKeyDown={(event) => {
        const next = step(event, at, options.length, dir)
        if (next === undefined) return
        event.preventDefault()
        onChange(options[next]!.key)
        set.current?.querySelectorAll('button')[next]?.focus()
      }}
    >
      {options.map((option, i) => (
        <button
          key={option.key}
          type="button"
          role="radio"
          aria-checked={option.key === value}
          tabIndex={option.key === value || (at < 0 && i === 0) ? 0 : -1}
          onClick={() => onChange(option.key)}
        >
          {option.icon}
          {option.label}
        </button>
      ))}
    </div>
  )
}
