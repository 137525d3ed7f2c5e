import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

export interface EmptyStateProps {
  icon: LucideIcon
  /** What will be here, or what happened. */
  title: ReactNode
  /** What the screen is for, or what is safe and what to do. */
  children?: ReactNode
  /** The first step; for an error "try again". */
  actions?: ReactNode
  /** The page is nothing but this: its title is the page's. */
  whole?: boolean
  /** A list without a single record: what searches, filters and arranges it is not shown beside it. */
  bare?: boolean
}

/**
 * An empty screen says what it is for and offers the first step; the same shape tells that a list could not
 * be loaded.
 */
export function EmptyState({ icon, title, children, actions, whole, bare }: EmptyStateProps) {
  const Title = whole ? 'h1' : 'h2'
  return (
    <div className="k-empty" data-bare={bare ? '' : undefined}>
      <Icon of={icon} size="xl" />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {actions && <div className="acts">{actions}</div>}
    </div>
  )
}
