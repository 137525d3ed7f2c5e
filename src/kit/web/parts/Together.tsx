import type { ReactNode } from 'react'

/**
 * A part above a page that is loaded by a separate call, with the page under it: nothing is visible until both can
 * be (`waits`), or the page would move down for what arrives late. It never waits longer than a moment; the calls
 * inside are sent at once.
 */
export function Together({ waits, children }: { waits: boolean; children: ReactNode }) {
  return (
    <div className="k-together" data-waits={waits ? '' : undefined}>
      {children}
    </div>
  )
}
