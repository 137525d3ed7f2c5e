import { useSyncExternalStore } from 'react'

/** Documents of one customer to be combined into one, until its type is chosen. */
export interface Join {
  ids: string[]
  customer: string
  types: number[]
}

let asked: Join | undefined
const listeners = new Set<() => void>()

export function askJoin(next: Join | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

export const useJoin = (): Join | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => asked,
  )
