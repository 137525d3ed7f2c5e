// `npm test`: installs what is missing, then types, lint, walls, unused code, unit, feature, books and browser tests; says how many passed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, root } from './install.mjs'

await install()
const { chromium } = await import('./chromium.mjs')
const { build } = await import('./start.mjs')
const browser = chromium()
const reports = mkdtempSync(join(tmpdir(), 'pinkas-reports-'))
const node = (args, env = {}) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0

let passed = 0
let failed = 0
let skipped = 0
const count = (ok, name) => {
  if (ok) passed++
  else {
    failed++
    console.error(`failed: ${name}`)
  }
}

count(node(['--import', 'tsx', 'tools/check.ts']), 'check')

const unit = join(reports, 'unit.json')
const unitOk = node(['node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', '--reporter=json', `--outputFile.json=${unit}`])
try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(unit, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  skipped += numPendingTests
  // A file that could not be loaded fails without a failed test.
  if (!unitOk && numFailedTests === 0) failed++
} catch {
  failed++
}

build()
if (browser) {
  const journeys = join(reports, 'journeys.json')
  const ok = node(['node_modules/@playwright/test/cli.js', 'test', '--reporter=line,json'], {
    CHROMIUM: browser,
    PLAYWRIGHT_JSON_OUTPUT_NAME: journeys,
  })
  try {
    const { stats } = JSON.parse(readFileSync(journeys, 'utf8'))
    passed += stats.expected + stats.flaky
    failed += stats.unexpected
    skipped += stats.skipped
    if (!ok && stats.unexpected === 0) failed++
  } catch {
    failed++
  }
} else {
  failed++
}
rmSync(reports, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
process.exit(failed ? 1 : 0)
