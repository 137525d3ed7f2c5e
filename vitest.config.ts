import { defineConfig } from 'vitest/config'

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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A second, which it is without this, is little on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    pool: 'forks',
    // One process after another would read the whole server anew for every file, which took longer than the tests. What a file needs for itself, it
    // gets from tests/world.ts: a database, a folder, a server.
    isolate: false,
    maxWorkers: 2,
  },
})
