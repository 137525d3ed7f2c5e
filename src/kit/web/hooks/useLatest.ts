import { useInsertionEffect, useRef, type RefObject } from 'react'

/**
 * The value of the last rendering that reached the page, for what outlives a rendering: a timer, a listener,
 * a memoized handler, the answer of a call. It is written before the layout effects of any component run, so
 * every effect and every handler sees the current value; it must not be read while rendering. Where only
 * effects need it, `useEffectEvent` is simpler.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
