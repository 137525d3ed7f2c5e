import { appendFileSync } from 'node:fs'
import { watchRefusals } from '#kit/describe/errors.ts'

// Writes each error code that this process provokes, once, to the file that TEST_REFUSALS names.
const file = process.env.TEST_REFUSALS
if (file) {
  const seen = new Set<string>()
  watchRefusals((code) => {
    if (seen.has(code)) return
    seen.add(code)
    appendFileSync(file, `${code}\n`)
  })
}
