import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
// @ts-expect-error plain JavaScript without types: it must run before anything is installed
import { found } from './tools/chromium.mjs'

// The port and the folder are chosen once and handed to the workers, so that two checkouts can be tested side by side; the port lies below those
// that systems give to outgoing connections, one of which would have it at times.
process.env.JOURNEY_PORT ??= String(12_000 + (process.pid % 20_000))
process.env.JOURNEY_DATA ??= mkdtempSync(join(tmpdir(), 'pinkas-journey-'))

const url = `http://127.0.0.1:${process.env.JOURNEY_PORT}`

export default defineConfig({
  testDir: 'tests/journeys',
  timeout: 180_000,
  expect: { timeout: 15_000 },
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
    actionTimeout: 15_000,
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
    command: 'node dist/server/server.js',
    url: `${url}/readyz`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 10_000 },
    env: {
      PORT: process.env.JOURNEY_PORT,
      // Behind a proxy, as in earnest: every visitor has an address of his own.
      PUBLIC_URL: url,
      DATA_DIR: process.env.JOURNEY_DATA,
      WORKERS: '2',
      LOG_LEVEL: 'silent',
      DATABASE_URL: '',
      PINKAS_DEV: '1',
    },
  },
})
