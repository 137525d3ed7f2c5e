import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lostLines, openLog } from './log.ts'

test('a log that cannot be written is counted and ends nothing', async () => {
  // A device that is always full.
  const log = openLog('info', '/dev/full')
  const before = lostLines()
  for (let n = 0; n < 5; n++) log.info({ n }, 'x'.repeat(400_000))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(lostLines()).toBeGreaterThan(before)
  expect(() => log.info('still here')).not.toThrow()
})

test('secrets are not written', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'log')
  openLog('info', file).info({ form: { password: 'secret-word', name: 'a' } }, 'said')
  expect(readFileSync(file, 'utf8')).toContain('said')
  expect(readFileSync(file, 'utf8')).not.toContain('secret-word')
})
