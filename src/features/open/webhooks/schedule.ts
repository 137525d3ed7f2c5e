/**
 * Seconds before each try, counted from the one before (Standard Webhooks 1.0, "Retries"): ten tries within a
 * little over three days.
 */
export const waits = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/**
 * After so many failed tries of one notice, some five minutes, the later ones of the same thing leave before it: a
 * receiver that cannot read one of them hears of the rest.
 */
export const triesInOrder = 3

const day = 86_400

/**
 * Seconds until the next try, after so many that failed; undefined when that was the last. Up to a tenth
 * longer, so that not all come back at once.
 */
export const nextTry = (tries: number, chance: number): number | undefined => {
  const wait = waits[tries]
  return wait === undefined ? undefined : wait * (1 + chance / 10)
}

/** Codes by which a receiver asks for fewer calls; without a Retry-After it gets half a minute of rest. */
const crowded: ReadonlySet<number> = new Set([429, 502, 504])

/**
 * Seconds an address rests after this answer; undefined where it asked for none. What it asks for is kept, up
 * to a day.
 */
export function restAfter(
  status: number | undefined,
  retryAfter: string | undefined,
  now: Date,
): number | undefined {
  if (status === undefined || (status < 400 && retryAfter === undefined) || (status >= 200 && status < 300))
    return undefined
  const asked =
    retryAfter === undefined
      ? undefined
      : /^\d+$/.test(retryAfter.trim())
        ? Number(retryAfter)
        : secondsUntil(retryAfter, now)
  if (asked !== undefined && Number.isFinite(asked)) return Math.min(Math.max(asked, 1), day)
  return crowded.has(status) ? 30 : undefined
}

const secondsUntil = (moment: string, now: Date): number => (Date.parse(moment) - now.getTime()) / 1000

/** Failures alone for so long: first a letter, then it is turned off. */
export const warnAfterHours = 24
export const offAfterHours = 72

/** Whether a name of the list is meant by what was chosen: itself, 'document.*' or '*'. */
export const isChosen = (name: string, events: readonly string[]): boolean =>
  events.some(
    (one) => one === '*' || one === name || (one.endsWith('.*') && name.startsWith(one.slice(0, -1))),
  )
