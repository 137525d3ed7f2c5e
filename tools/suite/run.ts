import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { featurePlaces } from '#kit/server/features.ts'
import { root } from '#kit/server/settings.ts'
import { keepTimings, secondsOf } from '../../tests/setup/timings.ts'
import { hasYears, noYears, writeYear } from '../../tests/yearData.ts'
import { ensurePrograms } from '../programs.ts'
import { unexercisedRefusals } from '../refusals.ts'
import { allScreens } from '../screens.ts'
// @ts-expect-error plain JavaScript without types: it must run before anything is installed
import { build } from '../start.mjs'
import { changedFeatures, commitCount } from './changed.ts'
import { browse, leg, result, screens, summary, tool, units } from './legs.ts'
import { startServed } from './served.ts'
import {
  featureOfTest,
  featuresOfJourneys,
  isLong,
  journeys,
  partOf,
  partsAt,
  partsOfRest,
  unitFiles,
  within,
  type Journey,
} from './parts.ts'

// `npm test`: what every change must pass (below). `npm run test:all`: everything, in a random order, on both PostgreSQLs.
// `--ci`: `npm test`, then two of five parts of the rest (.ci/run).

/** So many seconds of long tests and of journeys of changed features belong to `npm test`, by the times last measured. */
const changedSeconds = { units: 60, journeys: 180, screens: 12 }
/** After so many seconds `.ci/run` starts nothing new, and after so many it ends what still runs. */
const budget = { nothingNew: 26 * 60, end: 75 * 60 }
/** Journeys of the rest that are run with one start of the server, in measured seconds: the budget is looked at in between. */
const chunkSeconds = 240

const begun = Date.now()
const elapsed = () => (Date.now() - begun) / 1000
const isAll = process.argv.includes('--all')
const isCi = process.argv.includes('--ci')

if (!ensurePrograms()) process.exit(1)
rmSync(join(root, 'test-results'), { recursive: true, force: true })

const files = unitFiles()
const all = journeys()
if (isAll) await everything()
else {
  // CI runs the tests of domain, features and books on the distribution's PostgreSQL, the oldest that is supported, and
  // journeys, crashes and demos on the product's own: each answers everything once.
  const served = isCi && !process.env.TEST_DATABASE_URL ? startServed() : undefined
  if (served) {
    console.log(`served by ${served.version}`)
    process.env.TEST_DATABASE_URL = served.url
  }
  const rest = await ordinary()
  if (isCi) await rotating(rest)
}
mkdirSync(join(root, 'test-results'), { recursive: true })
// What each file and journey of this run took: where a run that has grown spends its time.
writeFileSync(join(root, 'test-results/timings.json'), JSON.stringify(result.timings, undefined, 1))
process.exit(summary() ? 0 : 1)

/** The ordinary run; answers what it left out. */
async function ordinary(): Promise<{ long: string[]; others: Journey[] }> {
  const changed = changedFeatures()
  const rank = (feature: string | undefined) =>
    feature && changed.includes(feature) ? changed.indexOf(feature) : Infinity
  const short = files.filter((file) => !isLong(file))
  const longChanged = within(
    changedSeconds.units,
    files
      .filter((file) => isLong(file) && rank(featureOfTest(file)) < Infinity)
      .map((name) => ({ name, rank: rank(featureOfTest(name)) }))
      .sort((a, b) => a.rank - b.rank),
  ).map(({ name }) => name)
  const goesThrough = await featuresOfJourneys()
  const spine = all.filter(({ isSpine }) => isSpine)
  // A journey belongs most to the changed feature of which it is about; one through many features is about none of them.
  const about = (journey: Journey) => {
    const features = [...(goesThrough.get(journey.file) ?? [])]
    const best = Math.min(Infinity, ...features.map((feature) => rank(feature)))
    return best + features.length / 4
  }
  const journeysChanged = within(
    changedSeconds.journeys,
    all
      .filter((one) => !one.isSpine && !one.isSmoke && about(one) < Infinity)
      .sort((a, b) => about(a) - about(b) || (a.name < b.name ? -1 : 1)),
  )
  const smoked = await screensOf(changed)
  console.log(`changed most: ${changed.slice(0, 8).join(', ')}`)

  await tool('check', ['--import', 'tsx', 'tools/check.ts'])
  // Long walks run a part of their cases with each commit (tests/turns.ts); `npm run test:all` runs all.
  const env = { TEST_TURN: String(commitCount()) }
  await units('domain, kit and features', [...short, ...longChanged], { env })
  await leg('build', async () => build())
  await browse('spine and changed features', [...spine, ...journeysChanged])
  await screens('screens of changed features', smoked)
  const done = new Set([...spine, ...journeysChanged])
  return {
    long: files.filter((file) => isLong(file) && !longChanged.includes(file)),
    others: all.filter((one) => !done.has(one)),
  }
}

/** The screens of the most changed features. */
async function screensOf(changed: readonly string[]): Promise<string[]> {
  const every = await allScreens()
  return changed
    .flatMap((place) => every.filter(({ feature }) => place.endsWith(`/${feature}`)))
    .map(({ name }) => name)
    .slice(0, changedSeconds.screens)
}

/** Two parts of what the ordinary run left out, by the number of commits; what no time is left for is named. */
async function rotating({ long, others }: { long: string[]; others: Journey[] }): Promise<void> {
  const parts = partsAt(commitCount())
  console.log(`\nparts ${parts.map((part) => part + 1).join(' and ')} of ${partsOfRest} of the rest`)
  const isTaken = (part: number) => parts.includes(part)
  const longPart = long.filter((name) => isTaken(partOf(name)))
  const journeysPart = others.filter(({ name, isSmoke }) => !isSmoke && isTaken(partOf(name)))
  // Shares of the smoke hold screens by their number, and take about the same time.
  const smokePart = others.filter(({ isSmoke }) => isSmoke).filter((_, at) => isTaken(at % partsOfRest))
  const legs: { name: string; count: number; run: (maxSeconds: number) => Promise<void> }[] = [
    {
      name: 'long tests',
      count: longPart.length,
      run: (maxSeconds) => units('long tests', longPart, { maxSeconds }),
    },
    ...chunks(journeysPart).map((some) => ({
      name: `journeys: ${some.map(({ name }) => name).join('; ')}`,
      count: some.length,
      run: (maxSeconds: number) => browse('journeys of the rest', some, { maxSeconds }),
    })),
    ...chunks(smokePart).map((some) => ({
      name: `screens: ${some.map(({ name }) => name).join('; ')}`,
      count: some.length,
      run: (maxSeconds: number) => browse('screens of the rest', some, { maxSeconds }),
    })),
  ]
  const due = legs.filter(({ count }) => count > 0)
  // What a slow machine leaves out is another leg after each commit.
  const first = due.length === 0 ? 0 : commitCount() % due.length
  for (const { name, run } of [...due.slice(first), ...due.slice(0, first)]) {
    if (elapsed() > budget.nothingNew) console.log(`left out after ${Math.round(elapsed())} s: ${name}`)
    else await run(budget.end - elapsed())
  }
}

function chunks(some: readonly Journey[]): Journey[][] {
  const found: Journey[][] = [[]]
  let seconds = 0
  for (const one of some) {
    if (seconds > 0 && seconds + secondsOf(one.name) > chunkSeconds) {
      found.push([])
      seconds = 0
    }
    found.at(-1)!.push(one)
    seconds += secondsOf(one.name)
  }
  return found
}

/** The parts of `npm run test:all`, in their order; `--only=journeys,screens` runs some of them, for a machine without hours. */
const partsOfAll = ['check', 'own', 'oldest', 'year', 'journeys', 'screens', 'mutants'] as const

function partsAsked(): readonly (typeof partsOfAll)[number][] {
  const asked = process.argv.find((word) => word.startsWith('--only='))?.slice('--only='.length)
  if (asked === undefined) return partsOfAll
  const unknown = asked.split(',').filter((name) => !partsOfAll.some((part) => part === name))
  if (unknown.length > 0)
    throw new Error(`no such part: ${unknown.join(', ')}; parts: ${partsOfAll.join(', ')}`)
  return partsOfAll.filter((part) => asked.split(',').includes(part))
}

/** The acceptance of a whole generated year, through a separate server (`npm run load-year`). */
async function generatedYear(): Promise<void> {
  if (!hasYears) {
    result.skipped.push({ name: 'a generated year', reason: noYears })
    return
  }
  const dir = mkdtempSync(join(tmpdir(), 'pinkas-year-'))
  try {
    writeYear(dir, 90017, 2000, { from: '2025-07-01', to: '2026-06-30' })
    await tool('a generated year', ['--import', 'tsx', 'tools/loadYear.ts', dir])
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function everything(): Promise<void> {
  const asked = partsAsked()
  const refusals = join(root, 'test-results/refusals.txt')
  const seed = Number(process.env.SEED ?? begun % 1_000_000)
  console.log(`the order of files and what is drawn come from SEED=${seed}`)
  const drawn = { SEED: String(seed), LIVES: '300', FUZZ: '20', QUESTIONS: '240' }
  const runs: Record<(typeof partsOfAll)[number], () => Promise<void>> = {
    check: () => tool('check', ['--import', 'tsx', 'tools/check.ts']),
    async own() {
      await units('everything on the product’s own PostgreSQL', files, {
        env: { ...drawn, TEST_REFUSALS: refusals, TEST_SHUFFLE: String(seed), TEST_DATABASE_URL: '' },
      })
      await leg('refusals that no test provokes', async () => {
        const missing = unexercisedRefusals(refusals)
        if (missing.length > 0)
          result.failed.push({ name: `${missing.length} refusals`, message: missing.join(', ') })
        else result.passed++
      })
    },
    async oldest() {
      const served = startServed()
      if (served)
        await units(`everything on ${served.version}`, files, {
          env: { TEST_DATABASE_URL: served.url, TEST_SHUFFLE: String(seed + 1), SEED: String(seed + 1) },
        })
      else result.skipped.push({ name: 'another PostgreSQL', reason: 'no PostgreSQL server is installed' })
      served?.stop()
    },
    year: generatedYear,
    journeys: () =>
      browse(
        'all journeys',
        all.filter(({ isSmoke }) => !isSmoke),
        { maxSeconds: 5400 },
      ),
    screens: () =>
      browse(
        'all screens',
        all.filter(({ isSmoke }) => isSmoke),
        { maxSeconds: 5400 },
      ),
    async mutants() {
      await tool('mutants by hand', ['--import', 'tsx', 'tools/mutants.ts'])
      const random = ['--random', '40', '--seed', String(seed)]
      await tool('random mutants', ['--import', 'tsx', 'tools/mutants.ts', ...random])
    },
  }
  if (asked.some((part) => ['year', 'journeys', 'screens'].includes(part)))
    await leg('build', async () => build())
  for (const part of asked) await runs[part]()
  const names = new Set([...files, ...all.map(({ name }) => name)])
  keepTimings(result.timings, (name) => names.has(name))
  console.log(
    existsSync(refusals) ? `${readFileSync(refusals, 'utf8').split('\n').length} refusals were met` : '',
  )
  console.log(`${featurePlaces().length} features, ${Math.round(elapsed())} s`)
}
