import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { root } from '#kit/server/settings.ts'
import { found } from './programs.ts'

/** Works with a browser on a separate server, built before, whose books are deleted afterwards. */
export async function onServer(
  work: (at: { base: string; browser: Browser }) => Promise<void>,
): Promise<void> {
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number }
      probe.close(() => resolve(free))
    })
  })
  const base = `http://127.0.0.1:${port}`
  const dataDir = mkdtempSync(join(tmpdir(), 'pinkas-shown-'))
  const server = spawn(process.execPath, [join(root, 'dist/server/server.js')], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      PINKAS_DEV: '1',
      DATABASE_URL: '',
    },
    stdio: 'inherit',
  })
  const ready = async () => {
    for (let i = 0; i < 1200; i++) {
      const answer = await fetch(`${base}/readyz`).catch(() => undefined)
      if (answer?.ok) return
      await new Promise((r) => setTimeout(r, 100))
    }
    throw new Error('the server did not start')
  }
  let browser: Browser | undefined
  try {
    await ready()
    browser = await chromium.launch({
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
    })
    await work({ base, browser })
  } finally {
    await browser?.close()
    server.kill('SIGINT')
    await new Promise((r) => server.once('exit', r))
    rmSync(dataDir, { recursive: true, force: true })
  }
}
