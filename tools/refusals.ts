import { existsSync, readFileSync } from 'node:fs'
import { errorStatus } from '#kit/describe/errors.ts'
import '../src/features.ts'

/** Declared error codes that are not among the ones a test run recorded in `file` (TEST_REFUSALS), sorted. */
export function unexercisedRefusals(file: string): string[] {
  const seen = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return Object.keys(errorStatus)
    .filter((code) => !seen.has(code))
    .sort()
}

if (process.argv[1]?.endsWith('refusals.ts')) {
  const missing = unexercisedRefusals(process.argv[2] ?? '')
  for (const code of missing) console.error(`no test is refused with ${code}`)
  process.exit(missing.length > 0 ? 1 : 0)
}
