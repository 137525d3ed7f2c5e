// `npm test`: installs what is missing, then types, lint, walls, unused code, unit, feature, books and browser tests; says how many passed.
// With `served`, only the tests that a PostgreSQL of another build could answer otherwise, against the one that TEST_DATABASE_URL names.
import { install } from './install.mjs'

const served = process.argv.includes('served')
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

// Another build of PostgreSQL can answer otherwise where its statements are parsed and planned (the walk asks every call and report), where numbers,
// locks, money and search are made in SQL, and where whole books come out of it. The rest is the same code over the same answers.
const byServer = [
  'src/kit/server',
  'tests/walk.test',
  'tests/books',
  'documents/documents.test',
  'documents/life.test',
  'documents/together.test',
  'documents/turns.test',
  'ledger/',
  'parties/customers.test',
  'matching/matching.test',
  'vat/vat.test',
  'periods/periods.test',
  'payments/payments.test',
  'jobs/housekeeping.test',
  'backup/backup.test',
  'imports/imports.test',
]

if (served) {
  add(timed('served', () => unit('served', byServer)))
  tell(sum.slow)
  console.log(`\nserved leg: ${sum.passed} right, ${sum.failed} wrong`)
} else {
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
}
process.exit(sum.failed ? 1 : 0)
