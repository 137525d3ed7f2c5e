import { useSyncExternalStore } from 'react'

/*
 * How much waits for the person behind a line of the menu, by the name of its screen. While something does, the line
 * is at the top of the menu with its number; a feature counts and tells it here.
 */

let now: Readonly<Record<string, number>> = {}
const listeners = new Set<() => void>()

export function setWaiting(name: string, count: number): void {
  if ((now[name] ?? 0) === count) return
  now = { ...now, [name]: count }
  for (const listener of listeners) listener()
}

export const useWaiting = (): Readonly<Record<string, number>> =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => now,
    () => now,
  )
