import { useSyncExternalStore } from 'react'

/** The items a change of prices was asked for, from the bar of what is selected. */
let asked: readonly string[] | undefined
const listeners = new Set<() => void>()

export function askPrices(ids: readonly string[] | undefined): void {
  asked = ids
  for (const listener of listeners) listener()
}

export const useAskedPrices = (): readonly string[] | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => asked,
  )
