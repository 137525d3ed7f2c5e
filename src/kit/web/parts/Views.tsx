/* oxlint-disable jsx-a11y/interactive-supports-focus -- one tab stop: its buttons take focus in turn, the set has their arrow keys */
import { useEffect, useRef, type ReactNode } from 'react'
import { useLanguage } from '../words.tsx'
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
  views,
  value,
  onChange,
  label,
  chips,
  end,
  controls,
}: ViewsProps<K>) {
  const { dir } = useLanguage()
  const set = useRef<HTMLDivElement>(null)
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
        {views.map((view) => (
          <button
            key={view.key}
            type="button"
            role="tab"
            className="k-view"
            aria-selected={view.key === value}
            aria-controls={controls}
            tabIndex={view.key === value ? 0 : -1}
            onClick={() => onChange(view.key)}
          >
            {view.label}
            {view.count !== undefined && (
              <Count tone={view.count > 0 ? view.tone : undefined}>{view.count}</Count>
            )}
          </button>
        ))}
      </div>
      {end && <span className="end">{end}</span>}
    </div>
  )
}

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
