// `npm test`: installs what is missing, then types, lint, walls, unused code, unit, feature, books and browser tests; says how many passed.
import { install } from './install.mjs'

await install()
const { begin, journeys, node, tell, timed, unit } = await import('./legs.mjs')
begin()

const sum = { passed: 0, failed: 0, skipped: 0, slow: [] }
const add = ({ passed, failed, skipped, slow }) => {
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  sum.slow.push(...slow)
}

const { chromium } = await import('./chromium.mjs')
const { build } = await import('./start.mjs')
const browser = chromium()
const checked = timed('check', () => node(['--import', 'tsx', 'tools/check.ts']))
if (!checked) console.error('failed: check')
add({ passed: checked ? 1 : 0, failed: checked ? 0 : 1, skipped: 0, slow: [] })
add(timed('vitest', () => unit('vitest')))
timed('build', build)
add(browser ? timed('journeys', () => journeys(browser)) : { passed: 0, failed: 1, skipped: 0, slow: [] })
tell(sum.slow)
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`)
process.exit(sum.failed ? 1 : 0)
