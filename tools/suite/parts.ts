import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { secondsOf } from '../../tests/setup/timings.ts'
import { allScreens } from '../screens.ts'

/** One journey, or one share of the smoke. */
export interface Journey {
  /** `file › title`, as in timings and in the list that Playwright is given. */
  name: string
  file: string
  isSpine: boolean
  isSmoke: boolean
}

export const isLong = (file: string): boolean => file.endsWith('.long.test.ts')

/** `wing/feature` of a test file; undefined for one that belongs to no feature. */
export const featureOfTest = (file: string): string | undefined =>
  /^src\/features\/([^/]+\/[^/]+)\//.exec(file)?.[1]

/** All test files of Vitest, as its own configuration finds them. */
export function unitFiles(): string[] {
  const listed = execFileSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json', '--no-color'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 },
  )
  const files = JSON.parse(listed.slice(listed.indexOf('['))) as { file: string }[]
  return files.map(({ file }) => relative(root, file)).sort()
}

interface Suite {
  file: string
  specs?: { title: string; tags?: string[] }[]
  suites?: (Suite & { title: string })[]
}

/** All journeys, without running any. */
export function journeys(): Journey[] {
  const listed = execFileSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '--list', '--reporter=json'],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26 },
  )
  const found: Journey[] = []
  const walk = ({ file, specs = [], suites = [] }: Suite, above: string[]): void => {
    for (const { title, tags = [] } of specs)
      found.push({
        name: [file, ...above, title].join(' › '),
        file,
        isSpine: tags.includes('spine'),
        isSmoke: file === 'smoke.spec.ts',
      })
    for (const inner of suites) walk(inner, [...above, inner.title])
  }
  const report = JSON.parse(listed.slice(listed.indexOf('{'))) as { suites: Suite[] }
  for (const suite of report.suites) walk(suite, [])
  return found
}

/** Which features a journey goes through: those whose screens it opens and whose words it looks for. */
export async function featuresOfJourneys(): Promise<Map<string, Set<string>>> {
  const screens = await allScreens()
  const places = featurePlaces().map(({ path }) => /src\/features\/(.+)$/.exec(path)?.[1] ?? '')
  const placeOf = new Map(places.map((place) => [place.split('/')[1]!, place]))
  const keys = new Map<string, string>()
  for (const place of places) {
    const file = join(root, 'src/features', place, 'text/he.json')
    if (!existsSync(file)) continue
    for (const key of Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)) keys.set(key, place)
  }
  const features = new Map<string, Set<string>>()
  const folder = join(root, 'tests/journeys')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.spec.ts'))) {
    const text = readFileSync(join(folder, file), 'utf8')
    const own = new Set<string>()
    for (const { path, feature } of screens) {
      const fixed = path.split(/[$:{]/)[0]!.replace(/\/$/, '')
      if (fixed.length > 1 && new RegExp(`['"\`/]${fixed}(?![\\w-])`).test(text))
        own.add(placeOf.get(feature) ?? feature)
    }
    for (const [, key] of text.matchAll(/\bt\(\s*['"`]([\w.]+)/g))
      if (keys.has(key!)) own.add(keys.get(key!)!)
    features.set(file, own)
  }
  return features
}

/** Takes parts in their order while their measured times fit; the first is always taken. */
export function within<T extends { name: string }>(seconds: number, parts: readonly T[]): T[] {
  let left = seconds
  return parts.filter(({ name }, i) => {
    const need = secondsOf(name)
    if (i > 0 && need > left) return false
    left -= need
    return true
  })
}

/** Parts in which the rest is run by `.ci/run`. */
export const partsOfRest = 5
/**
 * The part a test or a journey belongs to, by its name alone: by measured times the parts would be more even, but a
 * new measurement or a new test would move others past the part that is run next.
 */
export const partOf = (name: string): number =>
  // From the second byte on the parts are about even today.
  createHash('sha256').update(name).digest().readUInt32BE(1) % partsOfRest

/** So many commits of the main line follow each other with the same parts. */
const commitsOfPart = 4

/**
 * The two parts that belong to a commit. History does not tell where a landing ends, so the parts change slowly: one
 * is run at eight counts in a row out of twenty, and a landing of at most eight commits cannot pass over it.
 */
export function partsAt(commits: number): number[] {
  const first = Math.floor(commits / commitsOfPart)
  return [first % partsOfRest, (first + 1) % partsOfRest]
}
