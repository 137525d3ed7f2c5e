/** Some code did not come, or its words: what browsers say of it (specification, section 8), and what we do. */
export const isLoadFailure = (e: unknown): boolean =>
  e instanceof Error &&
  /Failed to fetch dynamically imported module|Importing a module script failed|error loading dynamically imported module|Unable to preload CSS|^Words did not come/i.test(
    e.message,
  )

const tries = 3
const pauseMs = 1000

/**
 * Fetches a part of the application's code; what did not come is asked for again as calls are, twice and a second apart. A part that failed once
 * would otherwise stay away until the page is loaded anew: React keeps the refusal.
 */
export async function fetchPart<T>(load: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await load()
    } catch (e) {
      if (n === tries || !isLoadFailure(e)) throw e
      await new Promise((done) => setTimeout(done, pauseMs))
    }
  }
}

/** Fetches a part before it is needed; that it did not come is told when it is. */
export const fetchAhead = (load: () => Promise<unknown>): void => void load().catch(() => undefined)
