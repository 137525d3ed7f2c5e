import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'

/** A whole page that says one thing: the shape of an empty list, with the heading of a page. */
export function PageState({
  icon,
  title,
  actions,
  children,
}: {
  icon: LucideIcon
  title: string
  actions: ReactNode
  children: ReactNode
}) {
  return (
    <div className="k-empty">
      <Icon of={icon} size="xl" />
      <h1>{title}</h1>
      <p>{children}</p>
      <div className="acts">{actions}</div>
    </div>
  )
}
