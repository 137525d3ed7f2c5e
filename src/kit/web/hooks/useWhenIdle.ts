import { useEffect } from 'react'
import { fetchAhead } from '../calls/fetchPart.ts'

/** A page that waits for its first answers is idle, too; the line is not. */
const firstScreenMs = 2500

/** When the first screen has had its time; at once later. */
export const afterFirstScreen = (): Promise<void> =>
  new Promise((done) => setTimeout(done, Math.max(0, firstScreenMs - performance.now())))

/**
 * Fetches a part, or asks for something else that nobody waits for, once the browser has time for it; what
 * comes to nothing is not heard of. `load` must stay the same function.
 */
export function useWhenIdle(load: () => Promise<unknown>): void {
  useEffect(() => {
    let isWanted = true
    const fetchNow = () => isWanted && fetchAhead(load)
    void afterFirstScreen().then(() => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(fetchNow, { timeout: 4000 })
      else setTimeout(fetchNow, 500)
    })
    return () => void (isWanted = false)
  }, [load])
}
