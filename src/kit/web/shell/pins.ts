import { useSyncExternalStore } from 'react'
import { store } from '../session/storage.ts'
import type { Group } from './menu.ts'

/*
 * The person's starred lines, by the names of menu lines. Until the first change, the product's defaults are shown.
 */

const listeners = new Set<() => void>()
let text = store.get('pins')

const read = (): string[] | undefined => {
  try {
    const pins: unknown = JSON.parse(text ?? 'null')
    return Array.isArray(pins) ? pins.map(String) : undefined
  } catch {
    return undefined
  }
}

/** The pinned names in order, and the way to pin or release one. */
export function usePins(groups: readonly Group[]): {
  pins: readonly string[]
  toggle: (name: string) => void
} {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => text,
    () => text,
  )
  const pins =
    read() ?? groups.flatMap(({ all }) => all.filter((entry) => entry.pinned).map(({ name }) => name))
  const toggle = (name: string) => {
    text = JSON.stringify(pins.includes(name) ? pins.filter((one) => one !== name) : [...pins, name])
    store.set('pins', text)
    for (const listener of listeners) listener()
  }
  return { pins, toggle }
}
