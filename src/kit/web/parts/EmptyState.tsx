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
}

/**
 * An empty screen says what it is for and offers the first step; the same shape tells that a list could not
 * be loaded.
 */
export function EmptyState({ icon, title, children, actions, whole }: EmptyStateProps) {
  const Title = whole ? 'h1' : 'h2'
  return (
    <div className="k-empty">
      <Icon of={icon} size="xl" />
      <Title>{title}</Title>
      {children && <p>{children}</p>}
      {actions && <div className="acts">{actions}</div>}
    </div>
  )
}
