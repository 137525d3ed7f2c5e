import { useEffect } from 'react'
import { fetchAhead } from './fetchPart.ts'

/** Fetches a part once the browser has time for it. `load` must stay the same function. */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    if (typeof requestIdleCallback === 'function') {
      const idle = requestIdleCallback(() => fetchAhead(load), { timeout: 4000 })
      return () => cancelIdleCallback(idle)
    }
    const timer = setTimeout(() => fetchAhead(load), 1500)
    return () => clearTimeout(timer)
  }, [load])
}
