/**
 * Some code did not come, or its words: what browsers say of it (specification, section 8), and what we do.
 */
export const isLoadFailure = (e: unknown): boolean =>
  e instanceof Error &&
  /Failed to fetch dynamically imported module|Importing a module script failed|error loading dynamically imported module|Unable to preload CSS|^Words did not come/i.test(
    e.message,
  )

const tries = 3
const pauseMs = 1000

/** The browser knows of no network; one that can't tell has one. */
const isAway = (): boolean => globalThis.navigator?.onLine === false
const networkBack = () =>
  new Promise<void>((done) => addEventListener('online', () => done(), { once: true }))

/**
 * Loads a part of the application's code; a failure is retried as calls are, twice and a second apart. A part that
 * failed once would otherwise stay missing until the page is reloaded: React keeps the failure. Without a network a
 * part waits until it is back: the page, and what was typed there, is not lost for a part of it. A whole screen is
 * `told` at once instead.
 */
export async function fetchPart<T>(load: () => Promise<T>, without: 'waits' | 'told' = 'waits'): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await load()
    } catch (e) {
      if (!isLoadFailure(e)) throw e
      if (without === 'waits' && isAway()) {
        await networkBack()
        n = 0
        continue
      }
      if (n === tries) throw e
      await new Promise((done) => setTimeout(done, pauseMs))
    }
  }
}

/** Loads a part before it is needed; a failure is reported when it is. */
export const fetchAhead = (load: () => Promise<unknown>): void => void load().catch(() => undefined)
