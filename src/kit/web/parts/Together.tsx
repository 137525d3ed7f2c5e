import type { ReactNode } from 'react'

/**
 * What stands above a page and comes by a call of its own, with the page under it: nothing is seen until both
 * can be (`waits`), or the page would move down for what comes late. It never waits longer than a moment; the
 * calls of what is in it go out at once.
 */
export function Together({ waits, children }: { waits: boolean; children: ReactNode }) {
  return (
    <div className="k-together" data-waits={waits ? '' : undefined}>
      {children}
    </div>
  )
}
