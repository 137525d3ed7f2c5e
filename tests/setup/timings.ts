import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../timings.json')
/** What an entry without a measurement is taken to need. */
const unknown = 5

export type Timings = Record<string, number>

const known: Timings = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Timings) : {}

/** How many seconds a test file, a journey (`file › title`) took when everything was last run. */
export const secondsOf = (name: string): number => known[name] ?? unknown

/** Replaces the measurements of what was run now; entries of what no longer exists are dropped. */
export function keepTimings(measured: Timings, exists: (name: string) => boolean): void {
  const all = Object.entries({ ...known, ...measured }).filter(([name]) => exists(name))
  const sorted = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}
