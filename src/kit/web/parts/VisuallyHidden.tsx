import type { ReactNode } from 'react'

/** Read aloud, not seen. Its parent must be `position: relative` inside scrolling boxes, or the page grows wider than a phone. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="vh">{children}</span>
}
