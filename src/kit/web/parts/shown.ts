import type { ReactNode } from 'react'

interface Held {
  id: number
  of: (close: () => void) => ReactNode
}

let held: Held | undefined
let last = 0
const listeners = new Set<() => void>()
const set = (next: Held | undefined) => {
  held = next
  for (const listener of listeners) listener()
}

/** What is over the page now; drawn by the frame. */
export const shown = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  now: () => held,
  close: (id: number) => held?.id === id && set(undefined),
}

/**
 * Opens a dialog or a sheet from outside React: `show((close) => <MergeSheet ids={ids} onClose={close} />)`.
 * One at a time; a lazily loaded component is waited for.
 */
export const show = (of: Held['of']): void => set({ id: ++last, of })
