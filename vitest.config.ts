import { defineConfig } from 'vitest/config'
import LongestFirst from './tests/setup/sequencer.ts'

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'src/**/*.test.tsx',
      'tests/*.test.ts',
      'tests/books/*.test.ts',
      'tests/faults/*.test.ts',
      'tests/lives/*.test.ts',
      'tools/**/*.test.ts',
    ],
    globalSetup: ['tests/setup/database.ts'],
    setupFiles: [
      'tests/setup/refusals.ts',
      'tests/setup/midnight.ts',
      'tests/setup/random.ts',
      'tests/setup/jobs.ts',
    ],
    // Servers that tests start ask nobody outside.
    env: { EXCHANGE_RATES: 'off' },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A second, which it is without this, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // One process after another would read the whole server anew for every file, which took longer than the tests. What a file needs for itself, it
    // gets from tests/world.ts: a database, a folder, a server.
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A file is transformed once for all processes and runs, until its content or this configuration changes.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
  },
})
