import { useSyncExternalStore } from 'react'

/**
 * The key of the test business this page tries calls with; kept while the window is open, and only ever a
 * test key.
 */
const name = 'pinkas.testKey'
const listeners = new Set<() => void>()

const read = (): string => {
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return held
  }
}
/** Where the browser keeps nothing. */
let held = ''

export const isTestKey = (text: string): boolean => /^pk_test_[\w-]{20,80}$/.test(text)

export function setTestKey(key: string): void {
  held = key
  try {
    if (key) sessionStorage.setItem(name, key)
    else sessionStorage.removeItem(name)
  } catch {
    // It stays in memory.
  }
  for (const listener of listeners) listener()
}

export const useTestKey = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read,
    () => '',
  )
