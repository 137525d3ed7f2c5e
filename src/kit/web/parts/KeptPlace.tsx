import type { ReactNode } from 'react'

/**
 * Keeps the room of something that is not shown now, or not yet: nothing beside and below it moves when it is. Meant
 * for buttons that depend on an answer, such as "new" in a page's header, which an empty list shows in its middle.
 */
export function KeptPlace({ shown, children }: { shown: boolean; children: ReactNode }) {
  return (
    <span className={shown ? 'contents' : 'invisible'} inert={!shown}>
      {children}
    </span>
  )
}
