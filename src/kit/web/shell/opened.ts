import { store } from '../session/storage.ts'

/*
 * How often this person opened each line of the menu, by its name, in this browser. Long ago counts for less:
 * all are halved when one grows large.
 */

const most = 40

const counts: Record<string, number> = read()
/** As the page found it: a menu that followed each step would move under the hand. */
const atStart: Readonly<Record<string, number>> = { ...counts }

function read(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(store.get('opened') ?? '{}')
    return Object.fromEntries(Object.entries(kept as object).filter(([, count]) => Number.isInteger(count)))
  } catch {
    return {}
  }
}

export function countOpened(name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
  if (counts[name] > most)
    for (const [one, count] of Object.entries(counts)) {
      if (count > 1) counts[one] = Math.floor(count / 2)
      else delete counts[one]
    }
  store.set('opened', JSON.stringify(counts))
}

export const openedAtStart = (): Readonly<Record<string, number>> => atStart

/** What this person uses: starred lines before frequent ones. */
export const weightOf = (name: string, pins: readonly string[]): number =>
  (pins.includes(name) ? 1000 : 0) + (counts[name] ?? 0)
