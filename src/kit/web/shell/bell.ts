import { useSyncExternalStore } from 'react'

/*
 * The interface between the frame and the feature of notifications: the button belongs to the frame, so that it is
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
