import { defineConfig } from '@playwright/test'
import { found } from './tools/programs.ts'
import { scratchFolder } from './tests/setup/scratch.ts'
import { slowDown, slowed } from './tests/journeys/slowed.ts'

// The first of a hundred ports and the folder are chosen once and handed to the workers, so that two checkouts can be tested side by side; they lie
// below those that systems give to outgoing connections, one of which would have it at times.
process.env.JOURNEY_PORT ??= String(12_000 + (process.pid % 200) * 100)
process.env.JOURNEY_DATA ??= scratchFolder('pinkas-journey-')

// Workers read this file, too; the pages of all of them are slowed by the one who started them.
if (slowed > 1 && !process.env.TEST_WORKER_INDEX) void slowDown(slowed)

const url = `http://127.0.0.1:${process.env.JOURNEY_PORT}`

export default defineConfig({
  testDir: 'tests/journeys',
  timeout: 300_000 * slowed,
  expect: { timeout: 30_000 * slowed },
  // A journey waits more than it works: three at a time are through sooner than two, on two cores too.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  forbidOnly: !!process.env.CI,
  reporter: 'line',
  use: {
    baseURL: url,
    locale: 'he-IL',
    timezoneId: 'Asia/Jerusalem',
    actionTimeout: 30_000 * slowed,
    trace: 'off',
    launchOptions: {
      executablePath: found(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: 'node --import tsx tests/journeys/serve.ts',
    url: `${url}/readyz`,
    // The first start over a new build lives the year of the demo business.
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
    env: { JOURNEY_PORT: process.env.JOURNEY_PORT, JOURNEY_DATA: process.env.JOURNEY_DATA },
  },
})
