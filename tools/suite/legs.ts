import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '#kit/server/settings.ts'
import type { UnitReport } from '../../tests/setup/reporter.ts'
import type { Timings } from '../../tests/setup/timings.ts'
import { found } from '../programs.ts'
import type { Journey } from './parts.ts'

const reports = mkdtempSync(join(tmpdir(), 'pinkas-reports-'))
let count = 0

/** What the legs of a run came to together. */
export const result = {
  passed: 0,
  /** `page` is what the browser showed when a journey failed. */
  failed: [] as { name: string; message: string; page?: string }[],
  skipped: [] as { name: string; reason: string }[],
  legs: [] as { name: string; seconds: number }[],
  timings: {} as Timings,
}

/** Runs one of the project's tools to its end, at most so long; true when it ended well. */
export function node(args: string[], env: NodeJS.ProcessEnv = {}, maxSeconds = 4500): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    const timer = setTimeout(() => {
      console.error(`ended after ${maxSeconds} s: ${args.join(' ').slice(0, 200)}`)
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 20_000).unref()
    }, maxSeconds * 1000)
    child.on('exit', (code) => {
      clearTimeout(timer)
      done(code === 0)
    })
  })
}

/** Runs a leg and keeps how long it took; an exception in it is a failure of the run. */
export async function leg(name: string, run: () => Promise<void>): Promise<void> {
  const from = Date.now()
  console.log(`\n── ${name}`)
  try {
    await run()
  } catch (e) {
    result.failed.push({ name, message: (e as Error).stack ?? String(e) })
  }
  result.legs.push({ name, seconds: (Date.now() - from) / 1000 })
}

/** A tool that is right or wrong as a whole. */
export const tool = (name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> =>
  leg(name, async () => {
    if (await node(args, env)) result.passed++
    else result.failed.push({ name, message: 'see above' })
  })

/** Test files of Vitest. */
export const units = (
  name: string,
  files: readonly string[],
  {
    env = {},
    args = [],
    maxSeconds = 2700,
  }: { env?: NodeJS.ProcessEnv; args?: string[]; maxSeconds?: number } = {},
): Promise<void> =>
  leg(`${name} (${files.length} files)`, async () => {
    if (files.length === 0) return
    const report = join(reports, `unit-${count++}.json`)
    const ok = await node(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--reporter=dot',
        '--reporter=./tests/setup/reporter.ts',
        ...args,
        ...files,
      ],
      { ...env, TEST_REPORT: report },
      maxSeconds,
    )
    if (!existsSync(report)) throw new Error('Vitest ended without a report')
    const { files: ran, passed, failed, skipped } = JSON.parse(readFileSync(report, 'utf8')) as UnitReport
    result.passed += passed
    result.failed.push(...failed)
    result.skipped.push(...skipped)
    for (const { name: file, seconds } of ran) result.timings[file] = seconds
    const names = new Set(ran.map(({ name: file }) => file))
    for (const file of files) if (!names.has(file)) result.failed.push({ name: file, message: 'was not run' })
    if (!ok && failed.length === 0) result.failed.push({ name, message: 'Vitest ended with an error' })
  })

interface Spec {
  file: string
  title: string
  tests: {
    status: 'expected' | 'unexpected' | 'skipped' | 'flaky'
    annotations: { type: string; description?: string }[]
    results: {
      duration: number
      error?: { message?: string }
      attachments?: { name: string; path?: string }[]
    }[]
  }[]
}
interface Suite {
  title: string
  specs?: Spec[]
  suites?: Suite[]
}

/** The screens named, each in two looks, measured by the smoke. */
export const screens = (name: string, names: readonly string[]): Promise<void> =>
  leg(`${name} (${names.length})`, async () => {
    if (names.length === 0) return
    const env = { CHROMIUM: found(), SMOKE_SCREENS: names.join(','), SMOKE_LOOKS: 'two' }
    const args = ['node_modules/@playwright/test/cli.js', 'test', 'smoke.spec', '--reporter=line']
    if (await node(args, env, 900)) result.passed++
    else result.failed.push({ name, message: 'see above' })
  })

/** The outline of the page at the moment of a failure, from what Playwright keeps beside its trace. */
const shownPage = (attachments: { name: string; path?: string }[] = []): string => {
  const path = attachments.find(({ name }) => name === 'error-context')?.path
  if (!path || !existsSync(path)) return ''
  return /```yaml\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
}

/** Journeys in a browser over the built application. */
export const browse = (
  name: string,
  journeys: readonly Journey[],
  { env = {}, maxSeconds = 2700 }: { env?: NodeJS.ProcessEnv; maxSeconds?: number } = {},
): Promise<void> =>
  leg(`${name} (${journeys.length} journeys)`, async () => {
    if (journeys.length === 0) return
    const report = join(reports, `journeys-${count}.json`)
    const list = join(reports, `journeys-${count}.txt`)
    writeFileSync(list, `${journeys.map((one) => one.name).join('\n')}\n`)
    const output = join(root, 'test-results', `run-${count++}`)
    mkdirSync(output, { recursive: true })
    const ok = await node(
      [
        'node_modules/@playwright/test/cli.js',
        'test',
        '--reporter=line,json',
        `--output=${output}`,
        `--test-list=${list}`,
        '--trace=retain-on-failure',
      ],
      { CHROMIUM: found(), PLAYWRIGHT_JSON_OUTPUT_NAME: report, ...env },
      maxSeconds,
    )
    if (!existsSync(report)) throw new Error('Playwright ended without a report')
    const { suites, errors = [] } = JSON.parse(readFileSync(report, 'utf8')) as {
      suites: Suite[]
      errors?: { message?: string }[]
    }
    let ran = 0
    const walk = ({ specs = [], suites: inner = [] }: Suite, above: string[]): void => {
      for (const { file, title, tests } of specs)
        for (const { status, annotations, results } of tests) {
          ran++
          const full = [file, ...above, title].join(' › ')
          result.timings[full] =
            Math.round(results.reduce((sum, { duration }) => sum + duration, 0) / 100) / 10
          if (status === 'expected') result.passed++
          else if (status === 'skipped') {
            const { description = '' } = annotations.find(({ type }) => type === 'skip') ?? {}
            result.skipped.push({ name: full, reason: description })
          } else {
            const message = results.map(({ error }) => error?.message ?? '').join('\n')
            const page = results.map(({ attachments }) => shownPage(attachments)).join('')
            result.failed.push({ name: full, message: message || status, page })
          }
        }
      for (const suite of inner) walk(suite, [...above, suite.title])
    }
    for (const suite of suites) walk(suite, [])
    for (const { message = '' } of errors) result.failed.push({ name, message })
    if (ran < journeys.length && errors.length === 0)
      result.failed.push({ name, message: `${ran} of ${journeys.length} journeys were run` })
    if (!ok && result.failed.length === 0)
      result.failed.push({ name, message: 'Playwright ended with an error' })
  })

/** As much of a message as says what went wrong. */
const maxLines = 14
const maxPageLines = 90

/** Says what the run came to, the failures last; answers whether all is well. A skip without a reason is a failure. */
export function summary(): boolean {
  const seconds = (n: number) => `${n.toFixed(1).padStart(8)} s`
  console.log('\nslowest:')
  const slowest = Object.entries(result.timings).sort((a, b) => b[1] - a[1])
  for (const [name, s] of slowest.slice(0, 12)) console.log(`${seconds(s)}  ${name}`)
  console.log('\nlegs:')
  for (const { name, seconds: s } of result.legs) console.log(`${seconds(s)}  ${name}`)
  const reasons = new Map<string, number>()
  for (const { name, reason } of result.skipped) {
    if (!reason) result.failed.push({ name, message: 'is skipped without a reason' })
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  if (reasons.size > 0) console.log('\nskipped:')
  for (const [reason, times] of reasons) console.log(`${String(times).padStart(8)}  ${reason}`)
  if (result.failed.length > 0) console.log('\nfailed:')
  for (const { name, message, page = '' } of result.failed) {
    console.log(`  ${name}`)
    const shown = page ? ['The page:', ...page.split('\n').slice(0, maxPageLines)] : []
    for (const line of [...stripVTControlCharacters(message).split('\n').slice(0, maxLines), ...shown])
      console.log(`    ${line}`)
  }
  const skipped = result.skipped.length > 0 ? `, ${result.skipped.length} skipped` : ''
  console.log(`\n${result.passed} passed, ${result.failed.length} failed${skipped}`)
  return result.failed.length === 0
}
