import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '#kit/server/settings.ts'

test('the small world is loaded from the command line with a database of its own, and how to log in is printed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pinkas-demo-'))
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'tools/demo.ts', 'plumber'],
      {
        cwd: root,
        env: { ...process.env, DATABASE_URL: '', DATA_DIR: dir },
      },
    )
    // What the server has to say of a busy machine may stand before it.
    expect(stdout).toMatch(/^\S.*\n {2}log in: plumber-\w+@pinkas\.example {3}password: \S{12}\n$/m)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}, 180_000)
