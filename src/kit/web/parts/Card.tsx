import type { ReactNode } from 'react'
import { toBeside } from './columnKeys.ts'

export interface CardProps {
  title?: ReactNode
  /** A quiet word beside the title: the period, the unit. */
  hint?: ReactNode
  /** At the inline end of the head: a link, a small button, a legend. */
  end?: ReactNode
  /** No padding: a table or a list that goes to the edge. */
  flush?: boolean
  /** The accessible name of a card without a title. */
  label?: string
  className?: string
  children?: ReactNode
}

/** What lies on the desk: a hairline, no shadow. Never a card inside a card. */
export function Card({ title, hint, end, flush, label, className, children }: CardProps) {
  return (
    <section className={className ? `k-card ${className}` : 'k-card'} aria-label={label}>
      {(title || end) && (
        <header>
          {title && <h2>{title}</h2>}
          {hint && <span className="hint text-12">{hint}</span>}
          {end && <span className="end">{end}</span>}
        </header>
      )}
      {children !== undefined && (flush ? children : <div className="k-card-body">{children}</div>)}
    </section>
  )
}

/**
 * Rows parted by hairlines inside a card: things waiting, recent documents. Each child is a link, a button or
 * an li.
 */
export function Rows({ children, label }: { children: ReactNode; label?: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys that its fields leave: from one row's to the next's
    <div className="k-rows" role={label ? 'group' : undefined} aria-label={label} onKeyDown={toBeside}>
      {children}
    </div>
  )
}
