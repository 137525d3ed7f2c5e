import { useSyncExternalStore } from 'react'

/*
 * Where the feature that keeps notifications meets the frame: the button is the frame's, so that it stands
 * there from the first moment.
 */

interface BellState {
  unread: number
  open: () => void
}

let now: BellState = { unread: 0, open: () => undefined }
const listeners = new Set<() => void>()

export function setBell(change: Partial<BellState>): void {
  now = { ...now, ...change }
  for (const listener of listeners) listener()
}

export const useBell = (): BellState =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => now,
    () => now,
  )
