// The legs of the suite: each runs what it has to, runs once more, alone, what failed, and says how long it took and where the time went.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './install.mjs'

/** What failed by chance fails alone; what is broken fails in many places, and is not tried again. */
const mostAgain = 10
const slowest = 12

const flaky = []
const broke = []
const times = []
const kept = join(root, 'test-results/flaky')
let reports

/** Runs one of the project's tools; true when it ended well. */
export const node = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Runs a leg and keeps how long it took. */
export function timed(name, run) {
  const from = Date.now()
  const result = run()
  times.push({ name, ms: Date.now() - from })
  return result
}

export function begin() {
  reports = mkdtempSync(join(tmpdir(), 'pinkas-reports-'))
  rmSync(kept, { recursive: true, force: true })
}

const nothing = { passed: 0, failed: 1, skipped: 0, slow: [] }

/** Vitest over the files named, all when none is. */
export function unit(name, files = [], env = {}) {
  const once = (which, more, run) => {
    const report = join(reports, `${name.replaceAll(' ', '-')}-${run}.json`)
    const ok = node(
      ['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...more, ...which],
      env,
    )
    const said = read(report)
    return said && { ...said, ok }
  }
  const first = once(files, [], 'first')
  if (!first) return nothing
  let { numPassedTests: passed, numFailedTests: failed } = first
  const skipped = first.numPendingTests
  const slow = first.testResults.map((file) => ({ name: relative(root, file.name), ms: file.endTime - file.startTime }))
  const broken = first.testResults.filter((file) => file.status === 'failed')
  const well = new Set()
  // A file that could not be loaded fails without a failed test.
  if (!first.ok && failed === 0) failed++
  if (broken.length > 0 && broken.length <= mostAgain) {
    console.log(`\nonce more, alone: ${broken.map((file) => relative(root, file.name)).join(', ')}`)
    const again = once(
      broken.map((file) => relative(root, file.name)),
      ['--maxWorkers=1'],
      'alone',
    )
    for (const file of broken) {
      const second = again?.testResults.find(({ name: path }) => path === file.name)
      if (second?.status !== 'passed') continue
      well.add(file)
      const wrong = file.assertionResults.filter(({ status }) => status === 'failed')
      const right = second.assertionResults.filter(({ status }) => status === 'passed').length
      passed += right - file.assertionResults.filter(({ status }) => status === 'passed').length
      failed -= Math.max(wrong.length, 1)
      const path = relative(root, file.name)
      mkdirSync(kept, { recursive: true })
      const log = join(kept, `${path.replaceAll('/', '-')}.txt`)
      writeFileSync(log, [file.message, ...wrong.flatMap((one) => [one.fullName, ...one.failureMessages])].join('\n\n'))
      flaky.push({
        name: `${path}: ${wrong.map(({ fullName }) => fullName).join('; ') || 'could not be loaded'}`,
        kept: log,
        why: wrong[0]?.failureMessages.join('\n') ?? file.message,
      })
    }
  }
  for (const file of broken.filter((one) => !well.has(one))) {
    const path = relative(root, file.name)
    const wrong = file.assertionResults.filter(({ status }) => status === 'failed')
    if (wrong.length === 0) broke.push({ name: `${path}: could not be loaded`, why: file.message })
    for (const one of wrong) broke.push({ name: `${path}: ${one.fullName}`, why: one.failureMessages.join('\n') })
  }
  return { passed, failed: Math.max(failed, 0), skipped, slow }
}

/** Every test of a report of Playwright's, with its result. */
const journeysOf = (report) => {
  const walk = (suite) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        id: `${spec.file}:${spec.line}:${spec.column} ${spec.title}`,
        name: `${spec.file}: ${spec.title}`,
        ok: spec.ok,
        why: test.results.findLast(({ error }) => error)?.error.message ?? '',
        ms: test.results.reduce((sum, { duration }) => sum + duration, 0),
      })),
    ),
    ...(suite.suites ?? []).flatMap(walk),
  ]
  return report.suites.flatMap(walk)
}

/** The journeys in a browser. */
export function journeys(browser, files = [], env = {}) {
  const once = (run, more) => {
    const report = join(reports, `journeys-${run}.json`)
    const output = join(root, 'test-results', run)
    const ok = node(['node_modules/@playwright/test/cli.js', 'test', '--reporter=line,json', `--output=${output}`, ...more], {
      CHROMIUM: browser,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      PLAYWRIGHT_LAST_RUN_OUTPUT_FILE: join(reports, 'last-run.json'),
      ...env,
    })
    const said = read(report)
    return said && { ...said, ok, output }
  }
  const first = once('first', files)
  if (!first) return nothing
  let { expected: passed, unexpected: failed } = first.stats
  const all = journeysOf(first)
  const wrong = all.filter(({ ok }) => !ok)
  if (!first.ok && failed === 0) failed++
  let well = new Set()
  if (wrong.length > 0 && wrong.length <= mostAgain) {
    console.log(`\nonce more, alone: ${wrong.map(({ name }) => name).join(', ')}`)
    const again = once('alone', ['--last-failed', '--workers=1', '--trace=retain-on-failure'])
    if (again)
      well = new Set(
        journeysOf(again)
          .filter(({ ok }) => ok)
          .map(({ id }) => id),
      )
    const chance = wrong.filter(({ id }) => well.has(id))
    if (chance.length > 0) {
      mkdirSync(kept, { recursive: true })
      if (existsSync(first.output)) cpSync(first.output, kept, { recursive: true })
    }
    for (const { name, why } of chance) {
      passed++
      failed--
      flaky.push({ name, kept, why })
    }
  }
  broke.push(...wrong.filter(({ id }) => !well.has(id)))
  return { passed: passed + first.stats.flaky, failed, skipped: first.stats.skipped, slow: all.map(({ name, ms }) => ({ name, ms })) }
}

const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`

/** As much of a message as tells what went wrong. */
const mostLines = 12

function print(name, why) {
  console.log(`  ${name}`)
  for (const line of stripVTControlCharacters(why).split('\n').slice(0, mostLines)) console.log(`    ${line}`)
}

/** Where the time went, what passed only when it was alone, and what is wrong: at the end, where somebody sees it who has only the end. */
export function tell(slow) {
  console.log('\nslowest:')
  for (const { name, ms } of [...slow].sort((a, b) => b.ms - a.ms).slice(0, slowest)) console.log(`${seconds(ms)}  ${name}`)
  console.log('\nlegs:')
  for (const { name, ms } of times) console.log(`${seconds(ms)}  ${name}`)
  if (flaky.length > 0) console.log('\nflaky: failed beside others and passed alone. Mend these next.')
  for (const { name, kept: where, why } of flaky) print(`${name}\n    ${where}`, why)
  if (broke.length > 0) console.log('\nwrong:')
  for (const { name, why } of broke) print(name, why)
  rmSync(reports, { recursive: true, force: true })
}
